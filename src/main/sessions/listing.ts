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
  readonly started: number
  readonly queued: number
  readonly unknown: number
  readonly lastEnd: string | null
}

/** Totals come from the segments of the rows on the page only: never one query per conversation of the home. */
const SELECT = sql`
  select c.id, c.tip_session_id tip, c.title, c.preview, c.source, t.model, t.provider, t.cwd,
    t.message_count messages, t.segment_no + 1 segments, t.input_tokens input, t.output_tokens output,
    t.est_cost_micros cost, t.cost_status = 'unknown' unknownCost, t.api_call_count calls,
    c.created_at createdAt, c.last_activity_at lastActivityAt, c.pinned, c.archived, c.last_read_at lastReadAt,
    c.runtime_revision revision,
    exists(select 1 from session_admissions a where a.target_session_id = c.id and a.status = 'started') started,
    exists(select 1 from session_admissions a where a.target_session_id = c.id and a.status = 'queued') queued,
    exists(select 1 from session_admissions a where a.target_session_id = c.id and a.status = 'unknown') unknown,
    (select a.outcome from session_admissions a where a.target_session_id = c.id and a.status = 'terminal' order by a.seq desc limit 1) lastEnd
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

/** @throws RefusalError `invalid_params` for a cursor that is not one of ours */
export function listConversations(
  db: ReadableDb,
  wanted: ListWanted,
): { rows: ConversationRow[]; next_cursor: string | null; total: number } {
  const search = wanted.search?.trim()
  const filter: SqlParams = {
    archived: wanted.archived ? 1 : 0,
    source: wanted.source ?? null,
    search: search === undefined || search === '' ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
  }
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
  return {
    rows: [...pinned, ...page].map((row) => toRow(db, row)),
    next_cursor: rest.length > wanted.limit && last !== undefined ? `${last.lastActivityAt}~${last.id}` : null,
    total: db.get<{ n: number }>(COUNT, filter)?.n ?? 0,
  }
}

const ONE = sql`${SELECT} where c.id = :id`

/** @throws RefusalError `not_found` */
export function conversationRow(db: ReadableDb, id: ConversationId): ConversationRow {
  const row = db.get<StoredRow>(ONE, { id })
  if (row === undefined)
    throw new RefusalError('not_found', `There is no conversation ${id}.`, { next: 'Choose one from the list.' })
  return toRow(db, row)
}

function toRow(db: ReadableDb, row: StoredRow): ConversationRow {
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
    state:
      row.unknown === 1
        ? 'unknown'
        : row.started === 1
          ? 'running'
          : row.queued === 1
            ? 'queued'
            : row.lastEnd === 'failed' || row.lastEnd === 'rejected'
              ? 'failed'
              : 'idle',
    revision: row.revision,
  }
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
