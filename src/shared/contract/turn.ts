/** Giving the agent work, stopping it, answering its questions. */
import { admissionId, conversationId, requestId, turnId } from '../ids.ts'
import { z } from '../schema.ts'
import { approvalRequest, queuedInput } from './events.ts'
import { method } from './method.ts'
import { approvalChoice } from './transcript.ts'

/** One input, at most 1 MiB as stored JSON (session-db 2.2); the text limit leaves room for escapes. */
export const INPUT_TEXT_LIMIT = 1_000_000
export const INPUT_PAYLOAD_BYTES = 1_048_576

export const turnMethods = {
  /**
   * Answers only after the admission is committed (kernel I1). The same request id and text give the same admission
   * (`duplicate`); the same id with other text is `admission_conflict`.
   */
  'prompt.submit': method(
    {
      conversation_id: conversationId,
      request_id: requestId,
      text: z.string(),
      intent: z.enum(['queue', 'steer', 'redirect']).default('queue'),
    },
    z.strictObject({
      admission_id: admissionId,
      /** What will happen to it: a turn of its own now, or later, or joined to the running one. */
      delivery: z.enum(['streaming', 'queued', 'steered', 'redirected', 'settled']),
      position: z.number().int(),
      duplicate: z.boolean(),
      status: z.enum(['queued', 'started', 'unknown', 'terminal']),
    }),
  ),
  /** Stops the running turn. `turn` guards against a late stop hitting the next one. */
  'turn.interrupt': method(
    { conversation_id: conversationId, turn: turnId.optional() },
    z.strictObject({ interrupted: z.boolean() }),
  ),
  'queue.list': method({ conversation_id: conversationId }, z.strictObject({ items: z.array(queuedInput) })),
  'queue.cancel': method({ admission_id: admissionId }, z.strictObject({ text: z.string() })),
  /** An input whose outcome is unknown after a crash: go on with it, or stop it (session-db T14, T15). */
  'queue.resolve': method(
    { admission_id: admissionId, decision: z.enum(['continue', 'stop']) },
    z.strictObject({ status: z.enum(['queued', 'started', 'unknown', 'terminal']) }),
  ),
  'approval.pending': method({}, z.strictObject({ requests: z.array(approvalRequest) })),
  /** The first answer wins; a later one is refused as `expired` with the outcome in its data (U-100). */
  'approval.respond': method(
    { request_id: z.string().max(200), choice: approvalChoice, note: z.string().max(2000).optional() },
    z.strictObject({ choice: approvalChoice }),
  ),
} as const
