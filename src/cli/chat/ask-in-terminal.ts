/**
 * Approvals on the command line (decisions 26): asked where a terminal is attached, denied by default; without one the
 * core denies by itself and says so in the result.
 */
import { createInterface } from 'node:readline/promises'
import type { HermaClient } from '../../shared/client.ts'
import type { ApprovalChoice, ApprovalRequest } from '../../shared/contract/index.ts'
import type { Output } from '../output.ts'

const CHOICES: Readonly<Record<string, ApprovalChoice>> = { o: 'once', s: 'session', a: 'always', d: 'deny' }

/** Shows the complete command and sends the answer. Anything but o, s or a is a no. */
export async function askInTerminal(client: HermaClient, request: ApprovalRequest, out: Output): Promise<void> {
  out.note('')
  out.note(`${request.tool} wants to run this in ${request.cwd} (${request.reason}):`)
  out.note(`  ${request.subject}`)
  const always = request.always_rule === null ? '' : `, (a)lways as "${request.always_rule}"`
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const typed = (await terminal.question(`Allow (o)nce, for this (s)ession${always}, or (d)eny? [d] `))
      .trim()
      .toLowerCase()
    const answered = await client.call('approval.respond', {
      request_id: request.request_id,
      choice: CHOICES[typed] ?? 'deny',
    })
    if (!answered.ok) out.note(answered.refusal.message)
  } finally {
    terminal.close()
  }
}
