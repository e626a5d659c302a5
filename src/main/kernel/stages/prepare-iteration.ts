import { next, type Stage } from '../state.ts'

/**
 * Stage 2: the working list in replay order. Results were added as they finished; the request needs them in call order,
 * which is the order of `pos` (S-42).
 */
export const prepareIteration: Stage = (_turn, state) =>
  next({ ...state, rows: state.rows.toSorted((a, b) => a.pos - b.pos) })
