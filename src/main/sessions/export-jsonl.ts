/**
 * JSONL export (session-db 5.10, cli.md 2): one line per conversation, deterministic, rows streamed one by one so that
 * a conversation of any size needs no more memory than its largest row.
 */
import type { ConversationId, MessageUid } from '../../shared/ids.ts'
import type { ToolCall } from '../../shared/ledger.ts'
import { type ReadableDb, sql } from '../storage/index.ts'
import { getConversation } from './conversations.ts'

interface SegmentRow {
  readonly id: string
  readonly segmentNo: number
  readonly parent: string | null
  readonly model: string | null
  readonly provider: string | null
  readonly startedAt: number
  readonly endedAt: number | null
  readonly endReason: string | null
  readonly cwd: string | null
  readonly hash: string | null
}
interface MessageRow {
  readonly uid: MessageUid
  readonly role: string
  readonly content: string | null
  readonly contentType: 'text' | 'parts'
  readonly toolCalls: string | null
  readonly toolCallId: string | null
  readonly toolName: string | null
  readonly effect: string | null
  readonly reasoning: string | null
  readonly finishReason: string | null
  readonly createdAt: number
}

const SEGMENTS = sql`
  select id, segment_no segmentNo, parent_session_id parent, model, provider, started_at startedAt, ended_at endedAt,
    end_reason endReason, cwd, system_prompt_hash hash
  from sessions where conversation_id = :conversation order by segment_no`
const MESSAGES = sql`
  select uid, role, content, content_type contentType, tool_calls toolCalls, tool_call_id toolCallId, tool_name toolName,
    effect_disposition effect, reasoning, finish_reason finishReason, created_at createdAt
  from messages m where session_id = :session and (active = 1 or compacted = 1)
    and (:whole = 1 or (carried = 0 and is_summary = 0)) order by pos, id`

/** Ids of a conversation's segments, oldest first. */
export const segmentsOf = (db: ReadableDb, conversation: ConversationId): string[] =>
  db.all<SegmentRow>(SEGMENTS, { conversation }).map((row) => row.id)

/** Milliseconds to the seconds that exports use. */
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

/**
 * The line of a conversation, in pieces that join to one JSON object without a newline. With `segment` given, the line
 * of that segment alone, exactly as stored.
 */
export function* exportLine(db: ReadableDb, id: ConversationId, segment?: string): Generator<string> {
  const conversation = getConversation(db, id)
  const all = db.all<SegmentRow>(SEGMENTS, { conversation: id })
  const segments = segment === undefined ? all : all.filter((row) => row.id === segment)
  const first = segments[0]
  const last = segments.at(-1)
  const head = {
    id: last?.id ?? id,
    conversation_id: id,
    lineage_session_ids: segments.map((row) => row.id),
    title: conversation.title,
    source: conversation.source,
    parent_session_id: first?.parent ?? null,
    model: last?.model ?? null,
    provider: last?.provider ?? null,
    cwd: last?.cwd ?? null,
    system_prompt_hash: last?.hash ?? null,
    started_at: seconds(first?.startedAt ?? null),
    ended_at: seconds(last?.endedAt ?? null),
    end_reason: last?.endReason ?? null,
  }
  yield `${JSON.stringify(head).slice(0, -1)},"messages":[`
  let separator = ''
  for (const row of segments) {
    const whole = segment !== undefined || row.segmentNo === 0
    for (const message of db.iterate<MessageRow>(MESSAGES, { session: row.id, whole: whole ? 1 : 0 })) {
      yield separator + JSON.stringify(toMessage(message))
      separator = ','
    }
  }
  yield ']}'
}

function toMessage(row: MessageRow): Record<string, unknown> {
  const calls = row.toolCalls === null ? null : (JSON.parse(row.toolCalls) as ToolCall[])
  return {
    role: row.role,
    content: row.contentType === 'parts' ? JSON.parse(row.content ?? '[]') : row.content,
    ...(calls && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
    ...(row.toolCallId !== null && { tool_call_id: row.toolCallId }),
    ...(row.toolName !== null && { tool_name: row.toolName }),
    ...(row.effect !== null && { effect_disposition: row.effect }),
    ...(row.reasoning !== null && { reasoning: row.reasoning }),
    ...(row.finishReason !== null && { finish_reason: row.finishReason }),
    uid: row.uid,
    timestamp: seconds(row.createdAt),
  }
}
