import type { ModelResponse, ToolCall } from '../ports.ts'
import { addUsage, again, answered, end, next, type Stage, type TurnState } from '../state.ts'

/** Three retries of an empty answer, or two equal ones without any output (kernel 1.7, A-18). */
const EMPTY_RETRIES = 3
/** 5, 10, 20 … 60 s between them. */
const emptyWaitMs = (retries: number): number => Math.min(5_000 * 2 ** retries, 60_000)

/** Stage 8: one assistant shape; usage counted; answers that are no answers sent back or ended by their real reason. */
export const normalizeResponse: Stage = async (turn, state) => {
  const received = answered(state)
  const response = { ...received, calls: uniqueIds(received.calls) }
  const counted: TurnState = { ...state, response, usage: addUsage(state.usage, response.usage, state.apiCalls === 1) }
  if (response.finishReason === 'content_filter') {
    await turn.ledger.recordUsage(turn.lease, turn.model.binding, response.usage)
    return end(counted, {
      reason: 'content_policy_blocked',
      detail: null,
      failure: {
        message: `${turn.model.binding.provider} refused this prompt.`,
        next: 'Say it differently, or use another model.',
      },
    })
  }
  if (response.text.trim() !== '' || response.calls.length > 0)
    return next({ ...counted, empty: { retries: 0, signature: null } })

  await turn.ledger.recordUsage(turn.lease, turn.model.binding, response.usage)
  const signature = zeroOutputSignature(response)
  const repeated = signature !== null && signature === state.empty.signature
  if (repeated || state.empty.retries >= EMPTY_RETRIES)
    return end(counted, {
      reason: 'empty_response_exhausted',
      detail: `${state.empty.retries + 1} empty answers`,
      failure: {
        message: `${turn.model.binding.provider} kept answering nothing.`,
        next: 'Send it again, or use another model.',
      },
    })
  await turn.clock.sleep(emptyWaitMs(state.empty.retries), turn.signal)
  return again({ ...counted, iterations: state.iterations - 1, empty: { retries: state.empty.retries + 1, signature } })
}

const zeroOutputSignature = (response: ModelResponse): string | null =>
  response.usage?.outputTokens === 0 ? `${response.finishReason}|${response.model}` : null

/** Ids are unique within a batch: a repeated one becomes `<id>_d2`, `_d3` (kernel 3, C-04). Never random. */
export function uniqueIds(calls: readonly ToolCall[]): ToolCall[] {
  const seen = new Map<string, number>()
  return calls.map((call) => {
    const count = (seen.get(call.id) ?? 0) + 1
    seen.set(call.id, count)
    return count === 1 ? call : { ...call, id: `${call.id}_d${count}` }
  })
}
