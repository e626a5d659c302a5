/**
 * The loaded pages of the session list as a value. A row that comes in an event takes its place without the list being
 * fetched again. The order is the core's: pinned first, then last activity, then id, newest first.
 */
import type { ConversationRow } from '../../../../shared/contract/index.ts'

export interface ListPage {
  readonly rows: readonly ConversationRow[]
  readonly next_cursor: string | null
  readonly total: number
}

/** Negative when `a` stands above `b`. */
export function compareRows(a: ConversationRow, b: ConversationRow): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1
  if (a.last_activity_at !== b.last_activity_at) return b.last_activity_at - a.last_activity_at
  return a.conversation_id < b.conversation_id ? 1 : a.conversation_id > b.conversation_id ? -1 : 0
}

/** Every loaded row once, in order. A row that two pages hold (it moved between the two answers) counts once. */
export function rowsOf(pages: readonly ListPage[]): ConversationRow[] {
  const seen = new Set<string>()
  return pages.flatMap(({ rows }) =>
    rows.filter(({ conversation_id }) => {
      if (seen.has(conversation_id)) return false
      seen.add(conversation_id)
      return true
    }),
  )
}

/** Whether `incoming` is older news than what is shown: events and answers may overtake each other. */
const isStale = (incoming: ConversationRow, shown: ConversationRow): boolean =>
  incoming.revision < shown.revision ||
  (incoming.revision === shown.revision && incoming.last_activity_at < shown.last_activity_at)

/**
 * The pages with one row replaced, moved or added.
 * @param row the row as an event or an answer brought it
 * @param search the filter of this list: a row that is not shown is only added when there is none, because the core
 *   alone knows what matches
 */
export function mergeRow(pages: readonly ListPage[], row: ConversationRow, search: string): readonly ListPage[] {
  const shown = rowsOf(pages).find(({ conversation_id }) => conversation_id === row.conversation_id)
  if (shown !== undefined && isStale(row, shown)) return pages
  if (shown === undefined && (search !== '' || row.archived)) return pages
  const without = pages.map((page) => ({
    ...page,
    rows: page.rows.filter(({ conversation_id }) => conversation_id !== row.conversation_id),
    total: page.total + (shown === undefined ? 1 : row.archived ? -1 : 0),
  }))
  if (row.archived) return without
  const at = without.findIndex(({ rows }) => rows.some((other) => compareRows(row, other) < 0))
  const last = without.length - 1
  // Below everything loaded: it belongs here only when there is nothing more to load.
  if (at === -1 && (without[last]?.next_cursor ?? null) !== null) return without
  return without.map((page, index) =>
    index === (at === -1 ? last : at) ? { ...page, rows: [...page.rows, row].sort(compareRows) } : page,
  )
}

/** What a row is called: its title, else what was said first, else a new chat. */
export const nameOf = (row: Pick<ConversationRow, 'title' | 'preview'>): string =>
  row.title ?? (row.preview === '' ? 'New chat' : row.preview)
