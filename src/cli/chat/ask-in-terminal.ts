/**
 * Approvals on the command line (decisions 26): asked where a terminal is attached, denied by default; without one the
 * core denies by itself and says so in the result.
 */
import type { HermaClient } from '../../shared/client.ts'
import type { ApprovalChoice, ApprovalRequest } from '../../shared/contract/index.ts'
import type { Output } from '../output.ts'
import type { TerminalInput } from './terminal-input.ts'

/** Shows the complete command and sends the answer. Anything but a plain o, s or a is a no. */
export async function askInTerminal(
  client: HermaClient,
  request: ApprovalRequest,
  terminal: Pick<TerminalInput, 'ask'>,
  out: Pick<Output, 'note'>,
  signal: AbortSignal,
): Promise<void> {
  out.note('')
  out.note(`${request.tool} wants to run this in ${request.cwd} (${request.reason}):`)
  out.note(`  ${request.subject}`)
  const always = request.always_rule === null ? '' : `, (a)lways as "${request.always_rule}"`
  const typed = await terminal.ask(`Allow (o)nce, for this (s)ession${always}, or (d)eny? [d] `, signal)
  if (signal.aborted) return out.note('No longer asked; it was not run.')
  const answered = await client.call('approval.respond', {
    request_id: request.request_id,
    choice: choiceOf(typed, request),
  })
  if (!answered.ok) out.note(answered.refusal.message)
}

const CHOICES: Readonly<Record<string, ApprovalChoice>> = {
  o: 'once',
  once: 'once',
  s: 'session',
  session: 'session',
  a: 'always',
  always: 'always',
}

function choiceOf(typed: string | null, request: ApprovalRequest): ApprovalChoice {
  const choice = CHOICES[(typed ?? '').trim().toLowerCase()] ?? 'deny'
  // Not offered, so not a yes that was meant for this.
  return choice === 'always' && request.always_rule === null ? 'deny' : choice
}
