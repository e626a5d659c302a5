/**
 * The display projection (session-db 5.8): all segments in order, rows active or compacted, minus hidden, minus what a
 * later segment merely carries over, each uid once. Reads only; takes no lease (U-170).
 */
import {
  type DisplayCall,
  type DisplayPage,
  type DisplayRow,
  ROW_ARGUMENTS_LIMIT,
  ROW_TEXT_LIMIT,
  type RowCursor,
  type ToolRecord,
  type TurnEnding,
} from '../../shared/contract/index.ts'
import type { ConversationId, MessageUid, SessionId } from '../../shared/ids.ts'
import type { ToolCall } from '../../shared/ledger.ts'
import { truncate } from '../../shared/text.ts'
import { type ReadableDb, sql } from '../storage/index.ts'
import { getConversation } from './conversations.ts'
import { RefusalError } from './refusal-error.ts'

interface StoredRow {
  readonly uid: MessageUid
  readonly session: SessionId
  readonly segmentNo: number
  readonly pos: number
  readonly generation: number
  readonly role: DisplayRow['role']
  readonly content: string
  readonly contentSize: number
  readonly reasoning: string | null
  readonly toolCalls: string | null
  readonly toolCallId: string | null
  readonly toolName: string | null
  readonly callUid: MessageUid | null
  readonly callIndex: number | null
  readonly effect: NonNullable<DisplayRow['result']>['effect']
  readonly finishReason: string | null
  readonly displayKind: string | null
  readonly displayMetadata: string | null
  readonly isSummary: 0 | 1
  readonly createdAt: number
}

const SHOWN = sql`
  m.session_id in (select id from sessions where conversation_id = :conversation)
  and (m.active = 1 or m.compacted = 1) and coalesce(m.display_kind, '') <> 'hidden'
  and (s.segment_no = 0 or (m.carried = 0 and m.is_summary = 0))`
const COLUMNS = sql`
  m.uid, m.session_id session, s.segment_no segmentNo, m.pos, m.generation, m.role,
  coalesce(m.content, '') content, length(coalesce(m.content, '')) contentSize, m.reasoning,
  m.tool_calls toolCalls, m.tool_call_id toolCallId, m.tool_name toolName, m.call_uid callUid, m.call_index callIndex,
  m.effect_disposition effect, m.finish_reason finishReason, m.display_kind displayKind, m.display_metadata displayMetadata,
  m.is_summary isSummary, m.created_at createdAt`
/** One segment at a time: the index (session_id, pos) then gives the page without sorting the conversation. */
const PAGE = {
  before: sql`
    select ${COLUMNS} from messages m join sessions s on s.id = m.session_id
    where m.session_id = :session and m.pos < :pos and (m.active = 1 or m.compacted = 1)
      and coalesce(m.display_kind, '') <> 'hidden' and (s.segment_no = 0 or (m.carried = 0 and m.is_summary = 0))
    order by m.pos desc, m.id desc limit :limit`,
  after: sql`
    select ${COLUMNS} from messages m join sessions s on s.id = m.session_id
    where m.session_id = :session and m.pos > :pos and (m.active = 1 or m.compacted = 1)
      and coalesce(m.display_kind, '') <> 'hidden' and (s.segment_no = 0 or (m.carried = 0 and m.is_summary = 0))
    order by m.pos, m.id limit :limit`,
}
const SEGMENTS = sql`select id, segment_no segmentNo from sessions where conversation_id = :conversation order by segment_no`
/** Kept per segment; counting ten thousand rows for every page would cost more than the page. */
const TOTAL = sql`select sum(message_count) n from sessions where conversation_id = :conversation`
const BY_UID = sql`
  select ${COLUMNS} from messages m join sessions s on s.id = m.session_id
  where ${SHOWN} and m.uid = :uid order by s.segment_no limit 1`

const cutCall = (call: ToolCall, index: number): DisplayCall => ({
  index,
  tool_call_id: call.id,
  name: call.name,
  arguments: truncate(call.arguments, ROW_ARGUMENTS_LIMIT),
  arguments_size: call.arguments.length,
})

interface Metadata {
  readonly model?: string
  readonly record?: ToolRecord
  readonly ending?: TurnEnding
}

const KINDS = new Set<string>(['recovery', 'notice', 'command'])

function toDisplayRow(row: StoredRow): DisplayRow {
  const metadata = (row.displayMetadata === null ? {} : JSON.parse(row.displayMetadata)) as Metadata
  const calls = row.toolCalls === null ? [] : (JSON.parse(row.toolCalls) as ToolCall[])
  return {
    uid: row.uid,
    session_id: row.session,
    segment_no: row.segmentNo,
    pos: row.pos,
    generation: row.generation,
    role: row.role,
    text: truncate(row.content, ROW_TEXT_LIMIT),
    text_size: row.content.length,
    reasoning: row.reasoning === null ? null : truncate(row.reasoning, ROW_TEXT_LIMIT),
    calls: calls.map(cutCall),
    result:
      row.callUid === null || row.callIndex === null
        ? null
        : {
            call_uid: row.callUid,
            call_index: row.callIndex,
            tool_call_id: row.toolCallId ?? '',
            name: row.toolName ?? '',
            effect: row.effect,
            record: metadata.record ?? null,
          },
    kind:
      row.isSummary === 1
        ? 'summary'
        : KINDS.has(row.displayKind ?? '')
          ? (row.displayKind as DisplayRow['kind'])
          : 'normal',
    finish_reason: row.finishReason,
    model: metadata.model ?? null,
    ending: metadata.ending ?? null,
    created_at: row.createdAt,
  }
}

/**
 * A chronological page. Without a cursor: the latest rows. `before` and `after` are exclusive.
 * Rows count against a byte budget too, so that a page of large rows stays under the frame limit (U-234).
 */
export function displayPage(
  db: ReadableDb,
  conversation: ConversationId,
  wanted: { limit: number; before?: RowCursor | undefined; after?: RowCursor | undefined },
): DisplayPage {
  getConversation(db, conversation)
  const segments = db.all<{ id: SessionId; segmentNo: number }>(SEGMENTS, { conversation })
  const forward = wanted.after !== undefined
  const cursor = wanted.after ?? wanted.before
  const inOrder = forward ? segments : segments.toReversed()
  const rows: DisplayRow[] = []
  let more = false
  let bytes = 0
  for (const segment of inOrder) {
    if (
      cursor !== undefined &&
      (forward ? segment.segmentNo < cursor.segment_no : segment.segmentNo > cursor.segment_no)
    )
      continue
    const pos = cursor?.segment_no === segment.segmentNo ? cursor.pos : forward ? -1 : Number.MAX_SAFE_INTEGER
    const limit = wanted.limit - rows.length + 1
    for (const row of db.all<StoredRow>(forward ? PAGE.after : PAGE.before, { session: segment.id, pos, limit })) {
      const shown = toDisplayRow(row)
      bytes += sizeOf(shown)
      if (rows.length === wanted.limit || (rows.length > 0 && bytes > PAGE_BYTES)) {
        more = true
        break
      }
      rows.push(shown)
    }
    if (more) break
  }
  if (!forward) rows.reverse()
  return {
    rows,
    has_before: forward ? true : more,
    has_after: forward ? more : wanted.before !== undefined,
    total: db.get<{ n: number }>(TOTAL, { conversation })?.n ?? 0,
  }
}

/** No frame between core and screen is over 256 KB (U-234): leaves room in it for the envelope and for characters that take several bytes. */
const PAGE_BYTES = 200_000
const sizeOf = (row: DisplayRow): number =>
  600 +
  Buffer.byteLength(row.text) +
  Buffer.byteLength(row.reasoning ?? '') +
  row.calls.reduce((sum, call) => sum + Buffer.byteLength(call.arguments) + 100, 0)

/** One row as a screen sees it; what an event carries when the row has been committed. */
export function displayRowOf(db: ReadableDb, conversation: ConversationId, uid: MessageUid): DisplayRow {
  const row = db.get<StoredRow>(BY_UID, { conversation, uid })
  if (row === undefined) throw new RefusalError('not_found', `There is no message ${uid} in this conversation.`)
  return toDisplayRow(row)
}

/** A piece of one long text. Offsets and sizes in UTF-16 units; a piece never splits a surrogate pair. */
export function messageText(
  db: ReadableDb,
  conversation: ConversationId,
  wanted: { uid: MessageUid; part: 'text' | 'reasoning' | 'arguments'; callIndex: number; offset: number },
): { text: string; offset: number; size: number; next_offset: number | null } {
  const row = db.get<StoredRow>(BY_UID, { conversation, uid: wanted.uid })
  if (row === undefined) throw new RefusalError('not_found', `There is no message ${wanted.uid} in this conversation.`)
  const calls = row.toolCalls === null ? [] : (JSON.parse(row.toolCalls) as ToolCall[])
  const whole =
    wanted.part === 'text'
      ? row.content
      : wanted.part === 'reasoning'
        ? (row.reasoning ?? '')
        : (calls[wanted.callIndex]?.arguments ?? '')
  const text = truncate(whole.slice(wanted.offset), MESSAGE_PIECE)
  const end = wanted.offset + text.length
  return { text, offset: wanted.offset, size: whole.length, next_offset: end < whole.length ? end : null }
}
/** Units a call; at most four bytes each stays under the frame limit. */
const MESSAGE_PIECE = 60_000
