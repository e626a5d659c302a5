/**
 * What a screen sees of the transcript (session-db 5.8, display projection). Long texts are cut here and paged by
 * `session.message`, so that no message between core and renderer passes 256 KB (U-234).
 */
import { conversationId, messageUid, sessionId } from '../ids.ts'
import { z } from '../schema.ts'
import { endReason, turnStatus } from './turn-end.ts'

/** UTF-16 units of one text inside a row before it is cut. */
export const ROW_TEXT_LIMIT = 32_768
/** UTF-16 units of one call's arguments inside a row before they are cut. */
export const ROW_ARGUMENTS_LIMIT = 8_192

export const EFFECTS = ['none', 'done', 'unknown', 'not_executed'] as const
export const effect = z.enum(EFFECTS)
export type Effect = z.infer<typeof effect>

export const APPROVAL_CHOICES = ['once', 'session', 'always', 'deny'] as const
export const approvalChoice = z.enum(APPROVAL_CHOICES)
export type ApprovalChoice = z.infer<typeof approvalChoice>

/** The permanent line an approval leaves on its call (U-98). `by`: how the answer came. */
export const approvalRecord = z.strictObject({
  choice: approvalChoice,
  by: z.enum(['person', 'rule', 'session', 'expiry', 'interrupt', 'unattended', 'bypass']),
  at: z.number().int(),
  reason: z.string(),
  note: z.string().optional(),
})
export type ApprovalRecord = z.infer<typeof approvalRecord>

export const TOOL_OUTCOMES = ['done', 'failed', 'refused', 'not_dispatched', 'skipped', 'unknown'] as const

/** Facts about one executed call, stored beside its result row (`display_metadata`), never sent to a model. */
export const toolRecord = z.strictObject({
  outcome: z.enum(TOOL_OUTCOMES),
  summary: z.string(),
  started_at: z.number().int().nullable(),
  finished_at: z.number().int(),
  duration_ms: z.number().nonnegative().nullable(),
  exit_code: z.number().int().nullable().optional(),
  cwd: z.string().optional(),
  files: z.array(z.string()).optional(),
  approval: approvalRecord.optional(),
})
export type ToolRecord = z.infer<typeof toolRecord>

export const displayCall = z.strictObject({
  index: z.number().int().nonnegative(),
  tool_call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  arguments_size: z.number().int(),
})
export type DisplayCall = z.infer<typeof displayCall>

/** The ending of a turn, kept on its last row so that a reload shows the same reason (U-07). */
export const turnEnding = z.strictObject({
  end_reason: endReason,
  status: turnStatus,
  detail: z.string().nullable(),
})
export type TurnEnding = z.infer<typeof turnEnding>

/** One row of the display projection. Rows are ordered by (segment_no, pos). */
export const displayRow = z.strictObject({
  uid: messageUid,
  session_id: sessionId,
  segment_no: z.number().int(),
  pos: z.number().int(),
  /** Which turn wrote it: the fencing generation of its lease. */
  generation: z.number().int(),
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  text: z.string(),
  /** UTF-16 units of the whole text; larger than `text.length` when the row was cut. */
  text_size: z.number().int(),
  reasoning: z.string().nullable(),
  calls: z.array(displayCall),
  /** For a tool row: which call it answers. `state` is absent on rows that came from elsewhere. */
  result: z
    .strictObject({
      call_uid: messageUid,
      call_index: z.number().int(),
      tool_call_id: z.string(),
      name: z.string(),
      effect: effect.nullable(),
      record: toolRecord.nullable(),
    })
    .nullable(),
  kind: z.enum(['normal', 'recovery', 'notice', 'command', 'summary']),
  finish_reason: z.string().nullable(),
  model: z.string().nullable(),
  /** On the last row of a settled turn: how it ended. */
  ending: turnEnding.nullable(),
  created_at: z.number().int(),
})
export type DisplayRow = z.infer<typeof displayRow>

/** A place in the display order; opaque to screens except for comparing equality. */
export const rowCursor = z.strictObject({ segment_no: z.number().int(), pos: z.number().int() })
export type RowCursor = z.infer<typeof rowCursor>

export const displayPage = z.strictObject({
  rows: z.array(displayRow),
  has_before: z.boolean(),
  has_after: z.boolean(),
  total: z.number().int(),
})
export type DisplayPage = z.infer<typeof displayPage>

/** One line of the session list (session-db 5.9): a conversation whatever its number of segments (U-15). */
export const CONVERSATION_STATES = ['idle', 'running', 'queued', 'needs_you', 'unknown', 'failed'] as const
export const conversationRow = z.strictObject({
  conversation_id: conversationId,
  session_id: sessionId,
  title: z.string().nullable(),
  preview: z.string(),
  source: z.string(),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  cwd: z.string().nullable(),
  messages: z.number().int(),
  segments: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  /** Micro-USD; null means unknown, never 0 for unknown (U-08). */
  cost_micros: z.number().int().nullable(),
  started_at: z.number().int(),
  last_activity_at: z.number().int(),
  pinned: z.boolean(),
  archived: z.boolean(),
  unread: z.boolean(),
  state: z.enum(CONVERSATION_STATES),
  revision: z.number().int(),
})
export type ConversationRow = z.infer<typeof conversationRow>
