/**
 * `herma chat`: with -q one turn and an exit code, without it a chat in the terminal. When no other Herma has the home,
 * this process is its authority for the time (decisions 23).
 */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Config } from '../../main/host/config/config.ts'
import { unknownProvider } from '../../main/host/provider-names.ts'
import { listConversations, resolveConversation } from '../../main/host/reading.ts'
import { type ConversationId, type RequestId, ulid } from '../../shared/ids.ts'
import type { Json } from '../../shared/schema.ts'
import { oneTurn } from '../chat/one-turn.ts'
import { readQuery } from '../chat/read-query.ts'
import { terminalChat } from '../chat/terminal-chat.ts'
import { openTerminalInput } from '../chat/terminal-input.ts'
import { CommandFailure, EXIT, type ExitCode, failureOf } from '../exit.ts'
import { type LocalCore, startCore } from '../local-core.ts'
import { homeOf } from '../place.ts'
import type { Invocation } from '../program.ts'
import { noConversations, reading, wholeNumber } from './sessions.ts'

export interface ChatFlags {
  readonly query?: string
  readonly session?: string
  readonly continue?: boolean
  readonly model?: string
  readonly provider?: string
  readonly baseUrl?: string
  readonly cwd?: string
  readonly maxTurns?: string
  readonly yolo?: boolean
  readonly quiet?: boolean
}

export async function chat(it: Invocation, flags: ChatFlags): Promise<ExitCode> {
  // Everything that can be wrong with the input is found before a home is touched (CLI-11).
  const values = configFlags(flags, new Config(homeOf(it), {}, it.env).get('model.provider'))
  const attended = process.stdin.isTTY === true && process.stderr.isTTY === true && !it.out.json
  if (flags.query === undefined && !attended)
    throw new CommandFailure(
      EXIT.usage,
      'A terminal chat needs a terminal.',
      'Give the message with -q, or pipe it in with -q -.',
    )
  const text = flags.query === undefined ? null : await readQuery(flags.query, process.stdin)
  const cwd = await workingFolder(flags.cwd)
  const existing = await existingConversation(it, flags)
  const core = await startCore(it, {
    kind: 'cli',
    attended: () => attended,
    flags: values as never,
    defaultCwd: cwd,
  })
  try {
    if (text !== null) {
      const conversation = existing ?? (await newConversation(core, cwd))
      const terminal = attended && flags.query !== '-' ? 'open' : null
      return await oneTurn(core, it.out, { conversation, text, quiet: flags.quiet === true, terminal })
    }
    const terminal = openTerminalInput(process.stdin, process.stderr)
    try {
      return await terminalChat(core, it.out, terminal, existing, () => newConversation(core, cwd))
    } finally {
      terminal.close()
    }
  } finally {
    await core.host.close()
  }
}

async function workingFolder(typed: string | undefined): Promise<string> {
  const folder = resolve(typed ?? process.cwd())
  const found = await stat(folder).catch(() => null)
  if (found?.isDirectory() !== true)
    throw new CommandFailure(EXIT.usage, `${folder} is not a folder.`, 'Choose an existing one with --cwd.')
  return folder
}

async function existingConversation(it: Invocation, flags: ChatFlags): Promise<ConversationId | null> {
  const { session } = flags
  if (session !== undefined)
    return reading<ConversationId>(it, (db) => resolveConversation(db, session).id, noConversations)
  if (flags.continue !== true) return null
  // Pinned ones come first in the list, whatever their age.
  const rows = await reading(
    it,
    (db) => listConversations(db, { limit: 1, archived: false }).rows,
    () => [],
  )
  return rows.toSorted((a, b) => b.last_activity_at - a.last_activity_at)[0]?.conversation_id ?? noConversations()
}

/**
 * Values of the flags by configuration key. With another provider than the configured one, the configured address and
 * model do not go along: they belong to that one, and an input must not reach a server that nobody meant.
 * @throws CommandFailure usage
 */
function configFlags(flags: ChatFlags, configured: string): Record<string, Json> {
  if (flags.session !== undefined && flags.continue === true)
    throw new CommandFailure(EXIT.usage, '--session and --continue each name a conversation; give one of them.')
  const provider = flags.provider ?? (flags.baseUrl === undefined ? undefined : 'custom')
  const unknown = provider === undefined ? null : unknownProvider(provider)
  if (unknown !== null) throw failureOf(unknown)
  const elsewhere = provider !== undefined && provider !== configured
  return {
    ...(elsewhere && { 'model.default': '', 'model.base_url': '' }),
    ...(provider !== undefined && { 'model.provider': provider }),
    ...(flags.model !== undefined && { 'model.default': flags.model }),
    ...(flags.baseUrl !== undefined && { 'model.base_url': flags.baseUrl }),
    ...(flags.maxTurns !== undefined && { 'agent.max_turns': wholeNumber('--max-turns', flags.maxTurns, 1_000_000) }),
    ...(flags.yolo === true && { 'approvals.mode': 'off' }),
  }
}

async function newConversation(core: LocalCore, cwd: string): Promise<ConversationId> {
  const made = await core.client.call('session.create', { request_id: ulid(Date.now()) as RequestId, cwd })
  if (!made.ok) throw failureOf(made.refusal)
  return made.value.conversation_id
}
