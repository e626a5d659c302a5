/** Conversations: make, list, read, follow. Reading never starts a turn and takes no lease (U-170). */
import { conversationId, messageUid, requestId, sessionId } from '../ids.ts'
import { z } from '../schema.ts'
import { approvalRequest, eventFrame, events, queuedInput } from './events.ts'
import { method } from './method.ts'
import { conversationRow, displayPage, rowCursor } from './transcript.ts'

const limit = z.number().int().min(1).max(500)

/** What the assistant has said in the running turn so far; vanishes when its row is recorded. */
export const inflight = z.strictObject({
  turn: z.string(),
  text: z.string(),
  reasoning: z.string(),
  /** Calls that have started and have no recorded result yet. */
  running: z.array(
    z.strictObject({
      tool_id: z.string(),
      name: z.string(),
      args: z.string(),
      started_at: z.number().int(),
      output: z.string(),
    }),
  ),
  started_at: z.number().int(),
  stopping: z.boolean(),
  /** What is awaited right now, as the last `status.update` said it. */
  status: events['status.update'].nullable(),
})
export type Inflight = z.infer<typeof inflight>

export const sessionSnapshot = z.strictObject({
  conversation: conversationRow,
  page: displayPage,
  inflight: inflight.nullable(),
  queued: z.array(queuedInput),
  open_requests: z.array(approvalRequest),
  latest_seq: z.number().int(),
  epoch: z.string(),
})
export type SessionSnapshot = z.infer<typeof sessionSnapshot>

export const sessionMethods = {
  /** Makes an empty conversation. The same request id gives the same conversation (U-02). */
  'session.create': method(
    { request_id: requestId, title: z.string().max(100).optional(), cwd: z.string().max(4096).optional() },
    z.strictObject({ session_id: sessionId, conversation_id: conversationId }),
  ),
  'session.list': method(
    {
      limit: limit.default(50),
      cursor: z.string().max(200).optional(),
      search: z.string().max(200).optional(),
      source: z.string().max(40).optional(),
      archived: z.boolean().default(false),
    },
    z.strictObject({ rows: z.array(conversationRow), next_cursor: z.string().nullable(), total: z.number().int() }),
  ),
  'session.info': method({ conversation_id: conversationId }, conversationRow),
  /** Snapshot and cursor in one answer (U-03): apply events with `seq > latest_seq` of the same `epoch` after it. */
  'session.resume': method({ conversation_id: conversationId, limit: limit.default(100) }, sessionSnapshot),
  'session.history': method(
    {
      conversation_id: conversationId,
      limit: limit.default(100),
      before: rowCursor.optional(),
      after: rowCursor.optional(),
    },
    displayPage,
  ),
  /** One long text of a row, paged: what a cut row left out. Offsets and sizes in UTF-16 units. */
  'session.message': method(
    {
      conversation_id: conversationId,
      uid: messageUid,
      part: z.enum(['text', 'reasoning', 'arguments']).default('text'),
      call_index: z.number().int().min(0).default(0),
      offset: z.number().int().min(0).default(0),
    },
    z.strictObject({
      text: z.string(),
      offset: z.number().int(),
      size: z.number().int(),
      next_offset: z.number().int().nullable(),
    }),
  ),
  'session.title': method(
    { conversation_id: conversationId, title: z.string().max(400), expected_revision: z.number().int() },
    conversationRow,
  ),
  /** Events after `last_seen`; `truncated` means the ring no longer holds them: take a new snapshot. */
  'events.since': method(
    { conversation_id: conversationId, last_seen: z.number().int().min(0), epoch: z.string() },
    z.strictObject({
      events: z.array(eventFrame),
      truncated: z.boolean(),
      latest_seq: z.number().int(),
      epoch: z.string(),
      open_requests: z.array(approvalRequest),
    }),
  ),
} as const
