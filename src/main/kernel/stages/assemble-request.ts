import { next, type Stage } from '../state.ts'
import { buildRequest } from '../wire/build.ts'

/** Stage 3: the wire copy of this request, from committed rows alone. */
export const assembleRequest: Stage = (turn, state) =>
  next({
    ...state,
    request: buildRequest(state.prompt, state.rows, turn.tools.definitions, (name) => turn.tools.isReadOnly(name)),
  })
