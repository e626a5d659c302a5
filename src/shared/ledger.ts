/**
 * The nouns of the ledger that kernel and storage share (session-db 1.3): plain data without behaviour. The kernel names
 * what it needs in `kernel/ports.ts`, `sessions` stores it; they meet in `host`.
 */
import type { Effect, ToolRecord } from './contract/index.ts'
import type { AdmissionId, ConversationId, MessageUid } from './ids.ts'

declare const recorded: unique symbol
/** A value that only the ledger can make: "persist before execute" becomes a type error to forget (kernel I3). */
export type Recorded<T> = T & { readonly [recorded]: true }

/** The room card (session-db 4): needed by each ledger write, checked inside it by holder and generation. */
export interface Lease {
  readonly conversation: ConversationId
  readonly holder: string
  readonly generation: number
  readonly admission: AdmissionId | null
}

export interface ToolCall {
  /** The provider's id, made unique within its batch; kept for replay only. */
  readonly id: string
  readonly name: string
  /** JSON text exactly as it will be replayed: number literals keep their digits (C-05). */
  readonly arguments: string
}

/** A canonical row of the active history, in replay order. */
export interface HistoryRow {
  readonly uid: MessageUid
  readonly pos: number
  readonly generation: number
  readonly role: 'user' | 'assistant' | 'tool'
  readonly content: string
  /** Exactly what was sent when it differs from `content`; replay uses `api_content ?? content` (session-db 5.1). */
  readonly apiContent: string | null
  readonly calls: readonly ToolCall[]
  /** For tool rows: the assistant row and call index it answers, and the provider's id of that call. */
  readonly answers: {
    readonly callUid: MessageUid
    readonly callIndex: number
    readonly toolCallId: string
    readonly name: string
  } | null
  readonly effect: Effect | null
  readonly reasoning: string | null
  readonly finishReason: string | null
}

/** The system prompt as stored: bytes that never change while the segment lives (kernel 2). */
export interface FrozenPrompt {
  readonly hash: string
  readonly text: string
  /** UTF-16 units of the stable tier at the front, for cache breakpoints. */
  readonly stableLength: number
}

export interface UsageCount {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cacheReadTokens: number | null
  readonly cacheWriteTokens: number | null
  readonly reasoningTokens: number | null
  /** Micro-USD; null when the price is unknown, never 0 for unknown (U-08). */
  readonly costMicros: number | null
}

export interface Binding {
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
}

export interface AnswerToRecord {
  readonly text: string
  readonly reasoning: string | null
  readonly calls: readonly ToolCall[]
  readonly finishReason: string | null
  readonly usage: UsageCount | null
  readonly binding: Binding
  /** False for a row the kernel closes a turn with: no API call stands behind it, so none is booked. */
  readonly countsAsCall?: boolean
}

export interface ToolOutcome {
  /** What the model reads. */
  readonly content: string
  readonly effect: Effect
  /** What the person sees beside it; never sent to a model. */
  readonly record: ToolRecord
}

export type PlannedCall =
  /** May run, once the round is recorded. */
  | { readonly kind: 'run'; readonly index: number; readonly call: ToolCall; readonly args: unknown }
  /** Answered without running: unknown tool, unreadable arguments, refused. Gets its result row with the calls. */
  | { readonly kind: 'answered'; readonly index: number; readonly call: ToolCall; readonly outcome: ToolOutcome }

export interface ToolPlan {
  readonly answer: AnswerToRecord
  readonly calls: readonly PlannedCall[]
}
export interface RecordedRound {
  readonly row: HistoryRow
  /** Result rows of calls that were answered without running, in call order. */
  readonly answered: readonly HistoryRow[]
  readonly plan: ToolPlan
}

/** Why a ledger write did not happen. Nothing of that write is stored, and nothing after it may run. */
export class LedgerError extends Error {
  readonly cause_: 'lease_lost' | 'locked' | 'disk' | 'readonly' | 'corrupt' | 'closed' | 'prompt_unbound' | 'unknown'
  constructor(cause: LedgerError['cause_'], message: string) {
    super(message)
    this.name = 'LedgerError'
    this.cause_ = cause
  }
}
