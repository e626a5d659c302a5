/** `herma sessions list` and `show`: the database read-only, no authority needed (decisions 11). */
import {
  conversationRow,
  lastRows,
  listConversations,
  type ReadableDb,
  readingHome,
  resolveConversation,
} from '../../main/host/reading.ts'
import type { ConversationRow, DisplayRow } from '../../shared/contract/index.ts'
import { labelOf } from '../../shared/contract/turn-end.ts'
import { CommandFailure, EXIT, type ExitCode, failureOf } from '../exit.ts'
import { table } from '../output.ts'
import { homeOf } from '../place.ts'
import type { Invocation } from '../program.ts'
import { plain, plainLine } from '../terminal-text.ts'

/** Runs a read on the home's database; `empty` answers for a home that has none yet. */
export async function reading<T>(it: Invocation, work: (db: ReadableDb) => T | Promise<T>, empty: () => T): Promise<T> {
  const read = await readingHome(homeOf(it), work)
  if (!read.ok) throw failureOf(read.refusal)
  return read.value ?? empty()
}

export const noConversations = (): never => {
  throw new CommandFailure(EXIT.failed, 'There are no conversations in this home yet.', 'Start one with `herma chat`.')
}

/** A positive whole number from a flag. */
export function wholeNumber(flag: string, typed: string, max: number): number {
  const value = Number(typed)
  if (!/^\d+$/.test(typed) || value < 1 || value > max)
    throw new CommandFailure(EXIT.usage, `${flag} takes a whole number from 1 to ${max}, not "${typed}".`)
  return value
}

export async function list(
  it: Invocation,
  flags: { limit: string; source?: string; search?: string; archived?: boolean },
): Promise<ExitCode> {
  const limit = wholeNumber('--limit', flags.limit, 100_000)
  const rows = await reading<ConversationRow[]>(
    it,
    (db) =>
      listConversations(db, {
        limit,
        source: flags.source,
        search: flags.search,
        archived: flags.archived === true,
      }).rows.slice(0, limit),
    () => [],
  )
  if (it.out.json) it.out.data(rows)
  else if (rows.length === 0) it.out.note('No conversations.')
  else for (const line of table(HEAD, rows.map(cells))) it.out.line(line)
  return EXIT.done
}

const HEAD = ['id', 'title', 'source', 'model', 'messages', 'tokens', 'cost', 'started', 'last activity', 'state']
const when = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
const cells = (row: ConversationRow): string[] => [
  row.conversation_id,
  plainLine(row.title ?? row.preview, 40),
  plainLine(row.source, 20),
  row.model === null ? '–' : plainLine(row.model, 40),
  String(row.messages),
  String(row.input_tokens + row.output_tokens),
  row.cost_micros === null ? '–' : `$${(row.cost_micros / 1_000_000).toFixed(4)}`,
  when(row.started_at),
  when(row.last_activity_at),
  row.state,
]

export async function show(it: Invocation, typed: string, flags: { limit: string }): Promise<ExitCode> {
  const limit = wholeNumber('--limit', flags.limit, 100_000)
  const found = await reading(
    it,
    (db) => {
      const { id, sameTitle } = resolveConversation(db, typed)
      return { sameTitle, conversation: conversationRow(db, id), page: lastRows(db, id, limit) }
    },
    noConversations,
  )
  const { sameTitle, conversation, page } = found
  if (sameTitle > 1) it.out.note(`${sameTitle} conversations have this title; this is the newest.`)
  if (it.out.json) it.out.data({ conversation, ...page })
  else {
    if (page.has_before) it.out.note(`(the last ${page.rows.length} of ${page.total} messages; --limit shows more)`)
    for (const row of page.rows) for (const line of asText(it, row)) it.out.line(line)
  }
  return EXIT.done
}

function asText(it: Invocation, row: DisplayRow): string[] {
  const who = row.result === null ? row.role : `tool ${plainLine(row.result.name, 60)}`
  const cut = row.text_size > row.text.length ? [`… (${row.text_size - row.text.length} more characters)`] : []
  return [
    it.out.strong(`${when(row.created_at)} ${who}`),
    ...(row.text === '' ? [] : [plain(row.text)]),
    ...cut,
    ...row.calls.map((call) => `→ ${plainLine(call.name, 60)} ${plainLine(call.arguments, 2_000)}`),
    ...(row.ending === null || row.ending.status === 'complete' ? [] : [`(${labelOf(row.ending.end_reason)})`]),
    '',
  ]
}
