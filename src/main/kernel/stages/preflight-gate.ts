import { tell } from '../prologue.ts'
import { next, type Stage } from '../state.ts'
import { estimateTokens } from '../wire/estimate.ts'

/**
 * Stage 4, before each call: is the request too large for the window? Without a compressor it is sent all the same,
 * with one warning a turn (kernel 4.1, "disabled and over the window"): the estimate is rough, and the provider knows.
 */
export const preflightGate: Stage = (turn, state) => {
  const window = turn.limits.contextTokens
  if (window === null || state.request === null || state.warnedOverWindow) return next(state)
  const estimate = estimateTokens(state.request)
  if (estimate <= window) return next(state)
  tell(() =>
    turn.events.status(
      'notice',
      `This conversation is about ${estimate.toLocaleString('en')} tokens; the model's window is ${window.toLocaleString('en')}. It is sent anyway; a new chat would be safer.`,
    ),
  )
  return next({ ...state, warnedOverWindow: true })
}
