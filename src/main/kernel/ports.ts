/**
 * What the kernel needs from others. The kernel imports none of its providers: `host` fills these ports with the
 * ledger, the leases, the model and the tools. Every port says what it does on failure.
 */
import type { ApprovalRecord, EndReason } from '../../shared/contract/index.ts'
import type { AdmissionId, ConversationId, SessionId, TurnId } from '../../shared/ids.ts'
import type {
  AnswerToRecord,
  Binding,
  FrozenPrompt,
  HistoryRow,
  Lease,
  Recorded,
  RecordedRound,
  ToolCall,
  ToolOutcome,
  ToolPlan,
  UsageCount,
} from '../../shared/ledger.ts'

export * from '../../shared/ledger.ts'

/**
 * The transcript, through a lease. Every write is one transaction fenced by holder and generation (kernel K9).
 * On failure each method rejects with a `LedgerError` and has stored nothing.
 */
export interface LedgerPort {
  /** Stores the user row, always the turn's first (session-db 3.6). On a resumed turn the row exists: returned as is. */
  recordUser(lease: Lease, input: { content: string; apiContent: string | null }): Promise<HistoryRow>
  recordAnswer(lease: Lease, answer: AnswerToRecord): Promise<HistoryRow>
  /** The assistant row with all calls, plus results of calls that will not run, before anything runs (kernel 5). */
  recordCalls(lease: Lease, plan: ToolPlan): Promise<Recorded<RecordedRound>>
  /** The one result of a committed call, at the place its row reserved. */
  recordResult(lease: Lease, call: { row: HistoryRow; index: number }, outcome: ToolOutcome): Promise<HistoryRow>
  /** Usage of a call that yielded no row. */
  recordUsage(lease: Lease, binding: Binding, usage: UsageCount | null): Promise<void>
  /** The active history of the conversation's tip, repaired in memory (session-db 5.8). Reads committed rows only. */
  history(conversation: ConversationId): Promise<readonly HistoryRow[]>
  /** Settles the admission with its end reason and the compact result (session-db T6). Repeatable. */
  settle(lease: Lease, ending: { reason: EndReason; detail: string | null; text: string }): Promise<void>
}

// ---------------------------------------------------------------- model

export type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly WireCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
export interface WireCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}
/** A tool as a provider sees it: JSON schema, sorted by name, frozen for the session. */
export interface WireTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: Record<string, unknown>
  }
}
export interface ModelRequest {
  readonly messages: readonly WireMessage[]
  /** Empty = the request has no tools at all. */
  readonly tools: readonly WireTool[]
  readonly maxOutputTokens?: number
}
export interface ModelResponse {
  readonly text: string
  readonly reasoning: string | null
  readonly calls: readonly ToolCall[]
  /** null: the stream ended without saying why, which means it was cut off. */
  readonly finishReason: string | null
  readonly usage: UsageCount | null
  readonly model: string
}

/** Classes of kernel 7.3; the table that assigns them lives at the provider's edge. */
export const FAILURE_KINDS = [
  'auth',
  'billing',
  'rate_limit',
  'upstream_rate_limit',
  'overloaded',
  'server_error',
  'timeout',
  'tls_cert',
  'content_policy_blocked',
  'provider_policy_blocked',
  'context_overflow',
  'payload_too_large',
  'model_not_found',
  'schema_grammar',
  'format_error',
  'unknown',
] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]
export interface ProviderFailure {
  readonly kind: FailureKind
  /** One plain sentence that names the provider; no key, no stack trace. */
  readonly message: string
  readonly status: number | null
  /** What the provider asked for, ms; null when it said nothing usable. */
  readonly retryAfterMs: number | null
  /** What a person should do next. */
  readonly next: string
}
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A call is being written; its arguments are not complete. */
  | { readonly type: 'call'; readonly index: number; readonly name: string }
  | { readonly type: 'done'; readonly response: ModelResponse }
  /** Everything that arrived before the failure is in `partial`. */
  | { readonly type: 'failed'; readonly failure: ProviderFailure; readonly partial: ModelResponse }
  /** The signal aborted the request; what had arrived is kept. */
  | { readonly type: 'aborted'; readonly partial: ModelResponse }

/** One provider binding. `stream` never throws: its last event is `done`, `failed` or `aborted`, exactly one of them. */
export interface ModelPort {
  readonly binding: Binding
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

// ---------------------------------------------------------------- tools

export interface ApprovalQuestion {
  readonly tool: string
  /** The complete command or arguments, as it would run. */
  readonly subject: string
  readonly cwd: string
  readonly reason: string
  /** Key of the pattern that stopped it. */
  readonly rule: string
  /** What *Always allow* would store; null = not offered. */
  readonly alwaysRule: string | null
}

export interface ToolRunContext {
  readonly conversation: ConversationId
  readonly session: SessionId
  /** `<assistant uid>:<call index>` */
  readonly toolId: string
  readonly cwd: string
  readonly signal: AbortSignal
  /** Live output; provisional, never the result. */
  progress(stream: 'stdout' | 'stderr' | 'note', text: string): void
  /**
   * Asks a person and waits. Never rejects: no person, silence until the deadline, an interrupt and a fault all come
   * back as `deny` with the way it happened (kernel K7). The wait does not count against the tool's time limit.
   */
  ask(question: ApprovalQuestion): Promise<ApprovalRecord>
}

export type Prepared =
  | { readonly kind: 'run'; readonly args: unknown }
  | {
      readonly kind: 'answered'
      readonly outcome: ToolOutcome
      readonly why: 'unknown_tool' | 'bad_arguments' | 'truncated_arguments'
    }

/** The tools of one session, frozen when the turn begins. */
export interface ToolsPort {
  readonly definitions: readonly WireTool[]
  /** Parses and checks one call; pure, and decides nothing about permission. */
  prepare(call: ToolCall): Prepared
  /** Whether calls of this tool may run beside others of their kind. */
  isParallel(name: string): boolean
  /** Whether the tool only reads: an unfinished call of it changed nothing. */
  isReadOnly(name: string): boolean
  /**
   * Gates, runs, limits. Never rejects: a handler that throws, times out or is interrupted gives an outcome with the
   * honest effect. Takes only a recorded round, so nothing runs before its row is committed.
   */
  run(round: Recorded<RecordedRound>, index: number, context: ToolRunContext): Promise<ToolOutcome>
}

// ---------------------------------------------------------------- around the turn

export interface TurnIdentity {
  readonly turn: TurnId
  readonly conversation: ConversationId
  readonly session: SessionId
  readonly admission: AdmissionId | null
}

/** What changed between two turns of one conversation and forces other prompt bytes (kernel 2, closed list). */
export type PromptReason = 'created' | 'compression' | 'runtime_identity_changed' | 'stored_prompt_unusable'

/** The stored prompt of the tip, with what it was made for. */
export interface BoundPrompt {
  readonly prompt: FrozenPrompt
  readonly model: string | null
  readonly provider: string | null
}

export interface PromptPort {
  /** null: none is bound, or the stored one is unusable (`hadOne` says which). */
  stored(conversation: ConversationId): Promise<{ bound: BoundPrompt | null; hadOne: boolean }>
  /** Reads persona, context files, workspace facts. Only called when a prompt has to be made. Never rejects. */
  parts(conversation: ConversationId): Promise<PromptParts>
  freeze(text: string, stableLength: number): FrozenPrompt
  /** Stores and binds in one fenced transaction, before any assistant row. Rejects with `LedgerError`. */
  bind(lease: Lease, prompt: FrozenPrompt, tools: readonly string[], reason: PromptReason): Promise<void>
}

/** Contents of the three tiers (kernel 2), each part already capped and screened; empty parts are dropped. */
export interface PromptParts {
  readonly stable: readonly string[]
  readonly context: readonly string[]
  readonly volatile: readonly string[]
}

/**
 * Where the turn tells what is happening. Implementations may throw; the kernel ignores it (fault F9): an event is
 * never a fact.
 */
export interface TurnEvents {
  started(inputs: readonly HistoryRow[], binding: Binding): void
  delta(text: string): void
  reasoning(text: string): void
  generating(name: string): void
  /** An assistant row with calls is committed. */
  interim(row: HistoryRow): void
  toolStarted(toolId: string, row: HistoryRow, index: number): void
  toolProgress(toolId: string, stream: 'stdout' | 'stderr' | 'note', text: string): void
  /** The result row is committed. */
  toolCompleted(toolId: string, row: HistoryRow, outcome: ToolOutcome): void
  status(kind: 'waiting_model' | 'waiting_tool' | 'retrying' | 'notice', text: string): void
  /** Exactly one per started turn, after its rows are durable; nothing of the turn follows. */
  completed(result: TurnResult): void
}

/** How and with what a turn ended. */
export interface TurnResult {
  readonly reason: EndReason
  readonly detail: string | null
  /** The visible answer, possibly partial. */
  readonly text: string
  /** The last assistant row of the turn. */
  readonly answer: HistoryRow | null
  readonly usage: UsageCount
  readonly undelivered: readonly string[]
  readonly failure: { readonly message: string; readonly next: string | null } | null
  /** Steps of the ending that failed without losing the reply (kernel 1.8). */
  readonly cleanupErrors: readonly string[]
}

/** Why a running turn is told to stop. */
export type Interruption = 'user' | 'lease_lost' | 'watchdog' | 'shutdown'
