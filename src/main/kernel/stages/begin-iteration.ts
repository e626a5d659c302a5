import { end, interruptedEnding, next, type Stage } from '../state.ts'

/** Stage 1: interrupt exit, then one unit of the iteration budget (kernel 1.4). */
export const beginIteration: Stage = (turn, state) => {
  if (turn.signal.aborted) return end(state, interruptedEnding(turn.signal, 'between'))
  if (state.iterations >= turn.limits.iterations)
    return end(state, { reason: 'budget_exhausted', detail: `${turn.limits.iterations} iterations` })
  return next({ ...state, iterations: state.iterations + 1, response: null, request: null })
}
