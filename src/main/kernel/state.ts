/**
 * What a turn carries from stage to stage, and how a stage answers (kernel 1.3). Stages receive the state and return
 * the fields they rebind; no stage reaches into another's locals.
 */
import type { EndReason } from '../../shared/contract/index.ts'
import { InvariantError } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type {
  ApprovalQuestion,
  FrozenPrompt,
  HistoryRow,
  Interruption,
  Lease,
  LedgerPort,
  ModelPort,
  ModelRequest,
  ModelResponse,
  PromptPort,
  ToolRunContext,
  ToolsPort,
  TurnEvents,
  TurnIdentity,
  UsageCount,
} from './ports.ts'

export interface TurnLimits {
  /** Iterations of one turn; the host is responsible for the ceiling (kernel 1.4). `Infinity` = unlimited. */
  readonly iterations: number
  /** Attempts per provider binding. */
  readonly apiAttempts: number
  /** Tokens the model can hold; null when unknown. */
  readonly contextTokens: number | null
}

/** Everything one turn needs; made by the host, constant while the turn runs. */
export interface TurnContext {
  readonly identity: TurnIdentity
  readonly lease: Lease
  readonly input: { readonly text: string; readonly resume: boolean }
  readonly cwd: string
  readonly ledger: LedgerPort
  readonly prompts: PromptPort
  readonly model: ModelPort
  readonly tools: ToolsPort
  readonly events: TurnEvents
  readonly clock: Clock
  readonly limits: TurnLimits
  /** Aborted with an `Interruption` as its reason. */
  readonly signal: AbortSignal
  /** `toolRound` binds it to the call that asks. */
  readonly ask: (question: ApprovalQuestion, toolId: string) => ReturnType<ToolRunContext['ask']>
  /** Fault points of stage boundaries (cli.md 5); usually does nothing. */
  readonly reach: (point: string) => void
  /** Uniform in [0, 1): the jitter of back-off, an input like the clock. */
  readonly random: () => number
}

export interface Ending {
  readonly reason: EndReason
  readonly detail: string | null
  readonly failure?: { readonly message: string; readonly next: string | null }
}

export interface TurnState {
  readonly prompt: FrozenPrompt
  /** Committed rows of the active history, in replay order. Only the ledger's answers enter here (I7). */
  readonly rows: readonly HistoryRow[]
  readonly iterations: number
  readonly apiCalls: number
  readonly request: ModelRequest | null
  readonly response: ModelResponse | null
  /** The last assistant row of this turn. */
  readonly answer: HistoryRow | null
  readonly usage: UsageCount
  /** Rounds in a row whose calls named no known tool (third one ends the turn). */
  readonly unknownToolRounds: number
  readonly badArguments: { readonly silentRetries: number; readonly rounds: number }
  readonly empty: { readonly retries: number; readonly signature: string | null }
  readonly warnedOverWindow: boolean
  readonly ending: Ending | null
}

/**
 * `next` proceeds, `continue` restarts at stage 1, `break` and `result` end the loop with `ending` set; either way the
 * turn goes through finalize exactly once (K1).
 */
export type Verdict =
  | { readonly action: 'next'; readonly state: TurnState }
  | { readonly action: 'continue'; readonly state: TurnState }
  | { readonly action: 'break'; readonly state: TurnState & { readonly ending: Ending } }

export type Stage = (turn: TurnContext, state: TurnState) => Verdict | Promise<Verdict>

export const next = (state: TurnState): Verdict => ({ action: 'next', state })
export const again = (state: TurnState): Verdict => ({ action: 'continue', state })
export const end = (state: TurnState, ending: Ending): Verdict => ({ action: 'break', state: { ...state, ending } })

/** The response of this iteration; stage 7 lets nothing pass without one. */
export function answered(state: TurnState): ModelResponse {
  if (state.response === null) throw new InvariantError('kernel 1.3', 'an iteration without a response ended before')
  return state.response
}

/** The ending that belongs to an interruption; `where` is the detail of kernel 1.5. */
export function interruptedEnding(signal: AbortSignal, where: 'between' | 'api_call' | 'tools' | 'backoff'): Ending {
  const by = signal.reason as Interruption
  switch (by) {
    case 'lease_lost':
      return { reason: 'lease_lost', detail: where }
    case 'watchdog':
      return { reason: 'watchdog_stall', detail: where }
    case 'shutdown':
      return { reason: 'shutdown', detail: where }
    default:
      return { reason: 'interrupted_by_user', detail: where }
  }
}

export const NO_USAGE: UsageCount = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  costMicros: null,
}

/** The state of a turn that has done nothing yet. */
export const firstState = (prompt: FrozenPrompt, rows: readonly HistoryRow[]): TurnState => ({
  prompt,
  rows,
  iterations: 0,
  apiCalls: 0,
  request: null,
  response: null,
  answer: null,
  usage: NO_USAGE,
  unknownToolRounds: 0,
  badArguments: { silentRetries: 0, rounds: 0 },
  empty: { retries: 0, signature: null },
  warnedOverWindow: false,
  ending: null,
})

/** Adds counts; unknown plus something stays what is known, except cost, where one unknown call makes all unknown. */
export function addUsage(total: UsageCount, more: UsageCount | null, first: boolean): UsageCount {
  if (more === null) return { ...total, costMicros: null }
  const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b)
  return {
    inputTokens: sum(total.inputTokens, more.inputTokens),
    outputTokens: sum(total.outputTokens, more.outputTokens),
    cacheReadTokens: sum(total.cacheReadTokens, more.cacheReadTokens),
    cacheWriteTokens: sum(total.cacheWriteTokens, more.cacheWriteTokens),
    reasoningTokens: sum(total.reasoningTokens, more.reasoningTokens),
    costMicros: first
      ? more.costMicros
      : total.costMicros === null || more.costMicros === null
        ? null
        : total.costMicros + more.costMicros,
  }
}
