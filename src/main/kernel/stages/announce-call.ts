import { tell } from '../prologue.ts'
import { next, type Stage } from '../state.ts'

/** Stage 5: says what is awaited, and nothing else (U-59). */
export const announceCall: Stage = (turn, state) => {
  tell(() => turn.events.status('waiting_model', `${turn.model.binding.provider} · ${turn.model.binding.model}`))
  return next(state)
}
