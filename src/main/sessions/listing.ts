/**
 * The session list (session-db 5.9): one row per conversation whatever its number of segments, pinned first, newest
 * activity first, with a keyset cursor so that a page costs the same in a home of any size.
 */
import type { ConversationRow } from '../../shared/contract/index.ts'
import type { ConversationId, SessionId } from '../../shared/ids.ts'
import { type ReadableDb, type SqlParams, sql } from '../storage/index.ts'
import { RefusalError } from './refusal-error.ts'

export interface ListWanted {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly search?: string | undefined
  readonly source?: string | undefined
  readonly archived: boolean
}

interface StoredRow {
  readonly id: ConversationId
  readonly tip: SessionId
  readonly title: string | null
  readonly preview: string
  readonly source: string
  readonly model: string | null
  readonly provider: string | null
  readonly cwd: string | null
  readonly messages: number
  readonly segments: number
  readonly input: number
  readonly output: number
  readonly cost: number
  readonly unknownCost: number
  readonly calls: number
  readonly createdAt: number
  readonly lastActivityAt: number
  readonly pinned: 0 | 1
  readonly archived: 0 | 1
  readonly lastReadAt: number | null
  readonly revision: number
  /** The outcome of the last settled turn (`settle` keeps it in the row). */
  readonly lastEnd: string | null
}

/** Totals come from the segments of the rows on the page only: never one query per conversation of the home. */
const SELECT = sql`
  select c.id, c.tip_session_id tip, c.title, c.preview, c.source, t.model, t.provider, t.cwd,
    t.message_count messages, t.segment_no + 1 segments, t.input_tokens input, t.output_tokens output,
    t.est_cost_micros cost, t.cost_status = 'unknown' unknownCost, t.api_call_count calls,
    c.created_at createdAt, c.last_activity_at lastActivityAt, c.pinned, c.archived, c.last_read_at lastReadAt,
    c.runtime_revision revision,
    c.activity_note lastEnd
  from conversations c join sessions t on t.id = c.tip_session_id`
const EARLIER_SEGMENTS = sql`
  select sum(message_count) messages, sum(input_tokens) input, sum(output_tokens) output, sum(est_cost_micros) cost,
    max(cost_status = 'unknown') unknownCost, sum(api_call_count) calls
  from sessions where conversation_id = :id and segment_no < :tipNo`

const FILTER = sql`
  c.relation in ('root', 'branch', 'reset') and c.hidden = 0 and c.archived = :archived
  and (:source is null or c.source = :source)
  and (:search is null or c.title like :search escape '\' or c.preview like :search escape '\' or c.id like :search escape '\')`

const PINNED = sql`${SELECT} where c.pinned = 1 and ${FILTER} order by c.last_activity_at desc, c.id desc`
const UNPINNED = sql`
  ${SELECT} where c.pinned = 0 and ${FILTER}
    and (c.last_activity_at < :at or (c.last_activity_at = :at and c.id < :id))
  order by c.last_activity_at desc, c.id desc limit :limit`
const COUNT = sql`select count(*) n from conversations c where ${FILTER}`

/** What is not settled in the whole home: a handful of rows, read once a page instead of once a conversation. */
const OPEN = sql`select target_session_id id, status from session_admissions where status in ('queued', 'started', 'unknown')`
const RANK = { queued: 1, started: 2, unknown: 3 } as const
type OpenStatus = keyof typeof RANK

function openStates(db: ReadableDb): Map<ConversationId, OpenStatus> {
  const states = new Map<ConversationId, OpenStatus>()
  for (const { id, status } of db.all<{ id: ConversationId; status: OpenStatus }>(OPEN)) {
    const known = states.get(id)
    if (known === undefined || RANK[status] > RANK[known]) states.set(id, status)
  }
  return states
}

const OPEN_OF = sql`
  select status from session_admissions where target_session_id = :id and status in ('queued', 'started', 'unknown')
  order by case status when 'unknown' then 0 when 'started' then 1 else 2 end limit 1`
const openStateOf = (db: ReadableDb, id: ConversationId): OpenStatus | undefined =>
  db.get<{ status: OpenStatus }>(OPEN_OF, { id })?.status

const filterOf = (wanted: Omit<ListWanted, 'limit' | 'cursor'>): SqlParams => {
  const search = wanted.search?.trim()
  return {
    archived: wanted.archived ? 1 : 0,
    source: wanted.source ?? null,
    search: search === undefined || search === '' ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
  }
}

/** How many conversations a list with this filter has. */
export const countConversations = (db: ReadableDb, wanted: Omit<ListWanted, 'limit' | 'cursor'>): number =>
  db.get<{ n: number }>(COUNT, filterOf(wanted))?.n ?? 0

/** @throws RefusalError `invalid_params` for a cursor that is not one of ours */
export function listConversations(
  db: ReadableDb,
  wanted: ListWanted,
): { rows: ConversationRow[]; next_cursor: string | null } {
  const filter = filterOf(wanted)
  const cursor = parseCursor(wanted.cursor)
  // Pinned ones come whole with the first page; a person pins a handful.
  const pinned = cursor === null ? db.all<StoredRow>(PINNED, filter) : []
  const rest = db.all<StoredRow>(UNPINNED, {
    ...filter,
    at: cursor?.at ?? Number.MAX_SAFE_INTEGER,
    id: cursor?.id ?? '',
    limit: wanted.limit + 1,
  })
  const page = rest.slice(0, wanted.limit)
  const last = page.at(-1)
  const open = openStates(db)
  return {
    rows: [...pinned, ...page].map((row) => toRow(db, row, open.get(row.id))),
    next_cursor: rest.length > wanted.limit && last !== undefined ? `${last.lastActivityAt}~${last.id}` : null,
  }
}

const ONE = sql`${SELECT} where c.id = :id`

/** @throws RefusalError `not_found` */
export function conversationRow(db: ReadableDb, id: ConversationId): ConversationRow {
  const row = db.get<StoredRow>(ONE, { id })
  if (row === undefined)
    throw new RefusalError('not_found', `There is no conversation ${id}.`, { next: 'Choose one from the list.' })
  return toRow(db, row, openStateOf(db, id))
}

function toRow(db: ReadableDb, row: StoredRow, open: OpenStatus | undefined): ConversationRow {
  const earlier =
    row.segments === 1
      ? undefined
      : db.get<Pick<StoredRow, 'messages' | 'input' | 'output' | 'cost' | 'unknownCost' | 'calls'>>(EARLIER_SEGMENTS, {
          id: row.id,
          tipNo: row.segments - 1,
        })
  const calls = row.calls + (earlier?.calls ?? 0)
  const unknownCost = row.unknownCost === 1 || earlier?.unknownCost === 1
  return {
    conversation_id: row.id,
    session_id: row.tip,
    title: row.title,
    preview: row.preview,
    source: row.source,
    model: row.model,
    provider: row.provider,
    cwd: row.cwd,
    messages: row.messages + (earlier?.messages ?? 0),
    segments: row.segments,
    input_tokens: row.input + (earlier?.input ?? 0),
    output_tokens: row.output + (earlier?.output ?? 0),
    cost_micros: unknownCost ? null : calls === 0 ? 0 : row.cost + (earlier?.cost ?? 0),
    started_at: row.createdAt,
    last_activity_at: row.lastActivityAt,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    unread: row.lastReadAt !== null && row.lastActivityAt > row.lastReadAt,
    state: stateOf(open, row.lastEnd),
    revision: row.revision,
  }
}

const stateOf = (open: OpenStatus | undefined, lastEnd: string | null): ConversationRow['state'] => {
  if (open === 'unknown') return 'unknown'
  if (open === 'started') return 'running'
  if (open === 'queued') return 'queued'
  return lastEnd === 'failed' || lastEnd === 'rejected' ? 'failed' : 'idle'
}

function parseCursor(text: string | undefined): { at: number; id: string } | null {
  if (text === undefined) return null
  const cut = text.indexOf('~')
  const at = Number(text.slice(0, cut))
  if (cut < 1 || !Number.isSafeInteger(at))
    throw new RefusalError('invalid_params', 'This list cursor is not usable.', {
      next: 'Read the list from its start.',
    })
  return { at, id: text.slice(cut + 1) }
}
