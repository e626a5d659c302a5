/**
 * `herma chat`: with -q one turn and an exit code, without it a chat in the terminal. When no other Herma has the home,
 * this process is its authority for the time (decisions 23).
 */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { resolveConversation } from '../../main/sessions/index.ts'
import { INPUT_TEXT_LIMIT } from '../../shared/contract/index.ts'
import { type ConversationId, type RequestId, ulid } from '../../shared/ids.ts'
import type { Json } from '../../shared/schema.ts'
import { askInTerminal } from '../chat/ask-in-terminal.ts'
import { type Following, followTurn } from '../chat/follow-turn.ts'
import { jsonView, textView } from '../chat/show-turn.ts'
import { CommandFailure, EXIT, type ExitCode, exitCodeOf, failureOf } from '../exit.ts'
import { type LocalCore, startCore } from '../local-core.ts'
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
  const query = flags.query === undefined ? null : await readQuery(flags.query)
  const cwd = await workingFolder(flags.cwd)
  const existing = await existingConversation(it, flags)
  const interactive = process.stdin.isTTY === true && !it.out.json && flags.query !== '-'
  const core = await startCore(it, {
    kind: 'cli',
    attended: () => interactive,
    flags: configFlags(flags) as never,
    defaultCwd: cwd,
  })
  try {
    const conversation = existing ?? (await newConversation(core, cwd))
    if (query !== null)
      return await oneTurn(it, core, { conversation, text: query, quiet: flags.quiet === true, interactive })
    return await terminalChat(it, core, conversation, interactive)
  } finally {
    await core.host.close()
  }
}

async function readQuery(typed: string): Promise<string> {
  const text = typed === '-' ? await readAll(process.stdin) : typed
  if (text.trim() === '')
    throw new CommandFailure(EXIT.usage, 'The message is empty.', 'Write something after -q, or pipe it in with -q -.')
  if (text.length > INPUT_TEXT_LIMIT)
    throw new CommandFailure(
      EXIT.usage,
      `The message is too long: ${text.length.toLocaleString('en')} characters, at most ${INPUT_TEXT_LIMIT.toLocaleString('en')} are accepted.`,
      'Put the long part into a file and name the file in the message.',
    )
  return text
}

async function workingFolder(typed: string | undefined): Promise<string> {
  const folder = resolve(typed ?? process.cwd())
  const found = await stat(folder).catch(() => null)
  if (found?.isDirectory() !== true)
    throw new CommandFailure(EXIT.usage, `${folder} is not a folder.`, 'Choose an existing one with --cwd.')
  return folder
}

async function existingConversation(it: Invocation, flags: ChatFlags): Promise<ConversationId | null> {
  if (flags.session !== undefined) {
    const typed = flags.session
    return reading<ConversationId>(it, (db) => resolveConversation(db, typed).id, noConversations)
  }
  if (flags.continue !== true) return null
  const { listConversations } = await import('../../main/sessions/index.ts')
  const newest = await reading(
    it,
    (db) => listConversations(db, { limit: 1, archived: false }).rows,
    () => [],
  )
  return newest.toSorted((a, b) => b.last_activity_at - a.last_activity_at)[0]?.conversation_id ?? noConversations()
}

function configFlags(flags: ChatFlags): Record<string, Json> {
  const provider = flags.provider ?? (flags.baseUrl === undefined ? undefined : 'custom')
  return {
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

interface Turn {
  readonly conversation: ConversationId
  readonly text: string
  readonly quiet: boolean
  readonly interactive: boolean
}

async function oneTurn(it: Invocation, core: LocalCore, turn: Turn): Promise<ExitCode> {
  const view = it.out.json ? jsonView(it.out) : textView(it.out, turn.quiet)
  let stopped = false
  let following: Following | null = null
  const onSignal = (): void => {
    if (stopped) process.exit(EXIT.interrupted)
    stopped = true
    following?.stop()
  }
  process.on('SIGINT', onSignal)
  try {
    following = await followTurn(core.client, turn, (event) => {
      view.show(event)
      if (event.type === 'approval.open' && turn.interactive) void askInTerminal(core.client, event.payload, it.out)
    })
    const { turn: id, session, ending } = await following.ended
    view.finish()
    if (it.out.json)
      it.out.data({
        type: 'result',
        session_id: session,
        conversation_id: turn.conversation,
        turn_id: id,
        end_reason: ending.end_reason,
        status: ending.status,
        text: ending.text,
        usage: ending.usage,
        undelivered: ending.undelivered,
      })
    // Diagnostics never go to stdout, but a script that reads JSON still wants the sentence (cli.md 1).
    if (it.out.json && ending.error_surface !== null)
      it.out.note(
        `herma: ${ending.error_surface.message}${ending.error_surface.next === null ? '' : ` ${ending.error_surface.next}`}`,
      )
    await core.host.idle(turn.conversation)
    return exitCodeOf(ending, stopped)
  } finally {
    process.off('SIGINT', onSignal)
  }
}

const HELP = '/new starts another conversation, /exit leaves. Ctrl+C stops the running turn.'

async function terminalChat(
  it: Invocation,
  core: LocalCore,
  first: ConversationId,
  interactive: boolean,
): Promise<ExitCode> {
  if (!interactive)
    throw new CommandFailure(
      EXIT.usage,
      'A terminal chat needs a terminal.',
      'Give the message with -q, or pipe it in with -q -.',
    )
  it.out.note(`herma · ${core.host.config.get('model.provider')} · ${first}\n${HELP}`)
  let conversation = first
  for (;;) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    const typed = await terminal.question('> ').catch(() => '/exit')
    terminal.close()
    const text = typed.trim()
    if (text === '/exit' || text === '/quit') return EXIT.done
    if (text === '/help') it.out.note(HELP)
    else if (text === '/new') {
      conversation = await newConversation(core, process.cwd())
      it.out.note(`new conversation ${conversation}`)
    } else if (text !== '') await oneTurn(it, core, { conversation, text, quiet: false, interactive })
  }
}
