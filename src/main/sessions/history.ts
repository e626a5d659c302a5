/**
 * The model's history (session-db 5.8): active rows of the tip segment in replay order, exactly as stored. Repair happens
 * in the kernel's wire copy, so that two loads give the same bytes (S-47).
 */
import type { Effect } from '../../shared/contract/index.ts'
import type { ConversationId, MessageUid } from '../../shared/ids.ts'
import type { HistoryRow, ToolCall } from '../../shared/ledger.ts'
import { InvariantError } from '../../shared/result.ts'
import { type ReadableDb, sql } from '../storage/index.ts'
import { getConversation } from './conversations.ts'

/** Column order is the order of `StoredTuple`. */
const HISTORY_COLUMNS = sql`
  uid, pos, generation, role, coalesce(content, ''), api_content, tool_calls, tool_call_id, tool_name, call_uid, call_index,
  effect_disposition, reasoning, finish_reason`
const ROWS = sql`
  select ${HISTORY_COLUMNS} from messages
  where session_id = :session and active = 1 and role in ('user', 'assistant', 'tool') order by pos, id`

type StoredTuple = readonly [
  uid: MessageUid,
  pos: number,
  generation: number,
  role: HistoryRow['role'],
  content: string,
  apiContent: string | null,
  toolCalls: string | null,
  toolCallId: string | null,
  toolName: string | null,
  callUid: MessageUid | null,
  callIndex: number | null,
  effect: Effect | null,
  reasoning: string | null,
  finishReason: string | null,
]

const NO_CALLS: readonly ToolCall[] = []

const toHistoryRow = (row: StoredTuple): HistoryRow => ({
  uid: row[0],
  pos: row[1],
  generation: row[2],
  role: row[3],
  content: row[4],
  apiContent: row[5],
  calls: row[6] === null ? NO_CALLS : (JSON.parse(row[6]) as ToolCall[]),
  answers:
    row[9] === null || row[10] === null
      ? null
      : { callUid: row[9], callIndex: row[10], toolCallId: row[7] ?? '', name: row[8] ?? '' },
  effect: row[11],
  reasoning: row[12],
  finishReason: row[13],
})

/** Active rows of the tip segment in replay order, exactly as stored (session-db 5.8); repair is the kernel's. */
export function activeHistory(db: ReadableDb, conversation: ConversationId): HistoryRow[] {
  return db.tuples<StoredTuple>(ROWS, { session: getConversation(db, conversation).tip }).map(toHistoryRow)
}

const ONE = sql`select ${HISTORY_COLUMNS} from messages where session_id = :session and uid = :uid and active = 1`

/** One committed row of the tip, as history sees it. @throws InvariantError when it is not there */
export function historyRow(db: ReadableDb, conversation: ConversationId, uid: MessageUid): HistoryRow {
  const [row] = db.tuples<StoredTuple>(ONE, { session: getConversation(db, conversation).tip, uid })
  if (row === undefined) throw new InvariantError('I7', `row ${uid} of ${conversation} is not committed`)
  return toHistoryRow(row)
}
