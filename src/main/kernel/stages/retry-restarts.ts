import { end, interruptedEnding, next, type Stage } from '../state.ts'

/** Stage 7: without an answer there is nothing to go on with, and after the lease is lost no answer is written (kernel 1.6). */
export const retryRestarts: Stage = (turn, state) => {
  if (state.response === null) return end(state, { reason: 'no_response', detail: null })
  if (turn.signal.aborted && turn.signal.reason === 'lease_lost')
    return end(state, interruptedEnding(turn.signal, 'api_call'))
  return next(state)
}
