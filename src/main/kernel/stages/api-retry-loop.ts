/**
 * Stage 6: call, and try again (kernel 7.4). Only the kernel counts attempts. Text that a person has seen
 * is never asked for again: a stream that breaks after visible text ends the turn with that text kept.
 */

import type { EndReason } from '../../../shared/contract/index.ts'
import { unreachable } from '../../../shared/result.ts'
import type { FailureKind, ModelEvent, ModelRequest, ModelResponse, ProviderFailure } from '../ports.ts'
import { tell } from '../prologue.ts'
import { type Ending, end, interruptedEnding, next, type Stage, type TurnContext, type TurnState } from '../state.ts'

type Attempt =
  | { readonly kind: 'answered'; readonly response: ModelResponse }
  | { readonly kind: 'aborted'; readonly partial: ModelResponse }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly partial: ModelResponse }

export const apiRetryLoop: Stage = async (turn, state) => {
  if (state.request === null) throw new TypeError('the request is assembled before it is sent')
  let calls = state.apiCalls
  for (let attempt = 1; ; attempt++) {
    const outcome = await callOnce(turn, state.request)
    calls++
    const after: TurnState = { ...state, apiCalls: calls }
    if (outcome.kind === 'aborted')
      return keepPartial(turn, after, outcome.partial, interruptedEnding(turn.signal, 'api_call'))
    if (outcome.kind === 'answered') return next({ ...after, response: outcome.response })
    const { failure, partial } = outcome
    await turn.ledger.recordUsage(turn.lease, turn.model.binding, partial.usage)
    if (partial.text !== '')
      return keepPartial(turn, after, partial, {
        reason: 'partial_stream_recovery',
        detail: failure.message,
        failure: { message: failure.message, next: failure.next },
      })
    const verdict = verdictOf(failure.kind)
    if (!verdict.retry || attempt >= turn.limits.apiAttempts)
      return end(after, {
        reason: verdict.retry ? verdict.spent : verdict.reason,
        detail: failure.kind,
        failure: { message: failure.message, next: failure.next },
      })
    const waitMs = backoffMs(failure, attempt, turn.random())
    tell(() =>
      turn.events.status(
        'retrying',
        `${failure.message} Trying again in ${Math.ceil(waitMs / 1000)} s (${attempt} of ${turn.limits.apiAttempts}).`,
      ),
    )
    await turn.clock.sleep(waitMs, turn.signal)
    if (turn.signal.aborted) return end(after, interruptedEnding(turn.signal, 'backoff'))
  }
}

/** One request. The port never throws; its last event says how it went. */
async function callOnce(turn: TurnContext, request: ModelRequest): Promise<Attempt> {
  for await (const event of turn.model.stream(request, turn.signal)) {
    const last = hear(turn, event)
    if (last !== null) return last
  }
  throw new TypeError(`${turn.model.binding.provider}: the stream ended without its last event`)
}

function hear(turn: TurnContext, event: ModelEvent): Attempt | null {
  switch (event.type) {
    case 'text':
      tell(() => turn.events.delta(event.text))
      return null
    case 'reasoning':
      tell(() => turn.events.reasoning(event.text))
      return null
    case 'call':
      tell(() => turn.events.generating(event.name))
      return null
    case 'done':
      return { kind: 'answered', response: event.response }
    case 'aborted':
      return { kind: 'aborted', partial: event.partial }
    case 'failed':
      return { kind: 'failed', failure: event.failure, partial: event.partial }
    default:
      return unreachable(event)
  }
}

/** Visible text is kept as an assistant row, reasoning and unfinished calls are not (kernel 1.6). */
async function keepPartial(
  turn: TurnContext,
  state: TurnState,
  partial: ModelResponse,
  ending: Ending,
): Promise<ReturnType<typeof end>> {
  if (partial.text === '' || ending.reason === 'lease_lost') return end(state, ending)
  const answer = await turn.ledger.recordAnswer(turn.lease, {
    text: partial.text,
    reasoning: null,
    calls: [],
    finishReason: ending.reason === 'partial_stream_recovery' ? 'stream_lost' : 'interrupted',
    usage: partial.usage,
    binding: turn.model.binding,
    countsAsCall: ending.reason !== 'partial_stream_recovery',
  })
  return end({ ...state, answer, rows: [...state.rows, answer] }, ending)
}

/** `Retry-After` when the provider asked, else 2, 4, 8 … 60 s plus up to half (kernel 7.4). */
export const backoffMs = (failure: ProviderFailure, attempt: number, random: number): number =>
  failure.retryAfterMs ?? Math.min(2_000 * 2 ** (attempt - 1), 60_000) * (1 + random / 2)

interface Route {
  readonly retry: boolean
  /** How the turn ends at once. */
  readonly reason: EndReason
  /** How it ends when every attempt is spent. */
  readonly spent: EndReason
}
const transient: Route = { retry: true, reason: 'retries_exhausted', spent: 'retries_exhausted' }
const terminal = (reason: EndReason): Route => ({ retry: false, reason, spent: reason })

/** What follows from a failure's class (kernel 7.3, columns "retry" and the end reason of 1.5). */
const ROUTES: Readonly<Record<FailureKind, Route>> = {
  auth: terminal('auth_failed'),
  billing: terminal('billing_blocked'),
  content_policy_blocked: terminal('content_policy_blocked'),
  provider_policy_blocked: terminal('provider_error'),
  tls_cert: terminal('provider_error'),
  model_not_found: terminal('provider_error'),
  schema_grammar: terminal('provider_error'),
  format_error: terminal('provider_error'),
  context_overflow: terminal('overflow_compaction_disabled'),
  payload_too_large: terminal('overflow_compaction_disabled'),
  rate_limit: transient,
  upstream_rate_limit: transient,
  overloaded: transient,
  server_error: transient,
  timeout: transient,
  unknown: transient,
}
const verdictOf = (kind: FailureKind): Route => ROUTES[kind]
