/**
 * What is happening (kernel 8.1). An event is a hint or a provisional delta; it never announces a row that is not
 * committed, except the deltas, which the recorded row replaces. Clients ignore types they do not know.
 */
import { admissionId, conversationId, messageUid, profileName, sessionId, turnId } from '../ids.ts'
import { z } from '../schema.ts'
import { approvalRecord, conversationRow, displayRow, effect, turnEnding } from './transcript.ts'

export const usage = z.strictObject({
  input_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  cache_read_tokens: z.number().int().nullable(),
  reasoning_tokens: z.number().int().nullable(),
  /** null = unknown (U-08). */
  cost_usd: z.number().nullable(),
})
export type Usage = z.infer<typeof usage>

/** A question to a person (kernel 8.3). Silence until `deadline` is a no. */
export const approvalRequest = z.strictObject({
  request_id: z.string(),
  kind: z.literal('approval'),
  conversation_id: conversationId,
  session_id: sessionId,
  tool_id: z.string(),
  tool: z.string(),
  /** The complete command or arguments; control and direction characters already made visible (U-251). */
  subject: z.string(),
  cwd: z.string(),
  /** Why it was stopped, in words, and the key of the rule that `always` would store. */
  reason: z.string(),
  rule: z.string(),
  /** The exact line that *Always allow* stores (U-95); null = not offered. */
  always_rule: z.string().nullable(),
  asked_at: z.number().int(),
  deadline: z.number().int(),
})
export type ApprovalRequest = z.infer<typeof approvalRequest>
/** Questions of every kind; approvals are the only one yet. */
export type OpenRequest = ApprovalRequest

export const queuedInput = z.strictObject({
  admission_id: admissionId,
  intent: z.enum(['queue', 'steer', 'redirect']),
  text: z.string(),
  position: z.number().int(),
  status: z.enum(['queued', 'started', 'unknown']),
  needs_user: z.boolean(),
  submitted_at: z.number().int(),
})
export type QueuedInput = z.infer<typeof queuedInput>

export const STATUS_KINDS = [
  'waiting_model',
  'waiting_tool',
  'waiting_approval',
  'waiting_lease',
  'retrying',
  'notice',
] as const

/** Payloads by type. A turn-scoped event carries `turn` in its frame. */
export const events = {
  'gateway.ready': z.strictObject({ epoch: z.string(), protocol: z.number().int(), capabilities: z.array(z.string()) }),
  'turn.queued': z.strictObject({ admission_id: admissionId, position: z.number().int(), text: z.string() }),
  'message.start': z.strictObject({
    turn: turnId,
    admission_id: admissionId.nullable(),
    /** The user rows of this turn, already committed. */
    inputs: z.array(displayRow),
    model: z.string(),
    provider: z.string(),
  }),
  'message.delta': z.strictObject({ text: z.string() }),
  'reasoning.delta': z.strictObject({ text: z.string() }),
  /** An assistant row was committed in mid-turn (text beside calls, or the calls alone). Replaces the deltas so far. */
  'message.interim': z.strictObject({ text: z.string(), already_streamed: z.boolean(), row: displayRow }),
  'tool.generating': z.strictObject({ name: z.string() }),
  'tool.start': z.strictObject({
    /** `<assistant uid>:<call index>`: unique for ever, unlike provider call ids. */
    tool_id: z.string(),
    call_uid: messageUid,
    call_index: z.number().int(),
    name: z.string(),
    args: z.string(),
    started_at: z.number().int(),
  }),
  'tool.progress': z.strictObject({
    tool_id: z.string(),
    stream: z.enum(['stdout', 'stderr', 'note']),
    text: z.string(),
  }),
  'tool.approval': z.strictObject({ tool_id: z.string(), record: approvalRecord }),
  'tool.complete': z.strictObject({
    tool_id: z.string(),
    name: z.string(),
    result: z.string(),
    summary: z.string(),
    duration_s: z.number().nullable(),
    effect: effect.nullable(),
    row: displayRow,
  }),
  'message.complete': z.strictObject({
    text: z.string(),
    ...turnEnding.shape,
    usage,
    server_message_id: messageUid.nullable(),
    /** The last assistant row, or null when none was written. */
    row: displayRow.nullable(),
    undelivered: z.array(z.string()),
    error_surface: z.strictObject({ message: z.string(), next: z.string().nullable() }).nullable(),
    cleanup_errors: z.array(z.string()),
  }),
  'status.update': z.strictObject({ kind: z.enum(STATUS_KINDS), text: z.string() }),
  'session.info': z.strictObject({ info_revision: z.number().int(), row: conversationRow }),
  'approval.open': approvalRequest,
  'request.cancel': z.strictObject({
    id: z.string(),
    reason: z.enum(['answered', 'expired', 'interrupted', 'shutdown']),
  }),
  error: z.strictObject({ message: z.string(), code: z.string() }),
  'sessions.changed': z.strictObject({ conversation_id: conversationId.nullable() }),
  'config.changed': z.strictObject({ revision: z.number().int() }),
} as const

export type EventType = keyof typeof events
export type EventPayload<T extends EventType> = z.infer<(typeof events)[T]>

/**
 * The `params` of an event frame. Session events have a conversation and a contiguous `seq` from 1 within an `epoch`;
 * home-wide ones (`sessions.changed`, `config.changed`, `gateway.ready`) have neither and `seq` 0.
 */
export const eventFrame = z.strictObject({
  type: z.string(),
  profile: profileName,
  session_id: sessionId.nullable(),
  conversation_id: conversationId.nullable(),
  epoch: z.string(),
  seq: z.number().int().nonnegative(),
  turn: turnId.optional(),
  payload: z.json(),
})
type Frame = z.infer<typeof eventFrame>
export type EventOf<T extends EventType> = Omit<Frame, 'type' | 'payload'> & {
  readonly type: T
  readonly payload: EventPayload<T>
}
/** Discriminated by `type`: a switch over it narrows the payload. */
export type HermaEvent = { [T in EventType]: EventOf<T> }[EventType]

/** An event frame from outside: null for a type this build does not know or a payload that does not parse. */
export function parseEvent(raw: unknown): HermaEvent | null {
  const frame = eventFrame.safeParse(raw)
  if (!frame.success || !Object.hasOwn(events, frame.data.type)) return null
  const payload = events[frame.data.type as EventType].safeParse(frame.data.payload)
  return payload.success ? ({ ...frame.data, payload: payload.data } as HermaEvent) : null
}
