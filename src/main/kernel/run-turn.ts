/**
 * The turn as a list of stages (kernel 1.3). A stage answers `next`, `continue` (back to stage 1) or `break`; whatever
 * happens, the turn leaves through `finalizeTurn`, once. A turn is sequential: one function owns the state.
 */
import { InvariantError } from '../../shared/result.ts'
import { finalizeTurn, ledgerEnding } from './finalize-turn.ts'
import { LedgerError, type TurnResult } from './ports.ts'
import { beginTurn } from './prologue.ts'
import { announceCall } from './stages/announce-call.ts'
import { apiRetryLoop } from './stages/api-retry-loop.ts'
import { assembleRequest } from './stages/assemble-request.ts'
import { beginIteration } from './stages/begin-iteration.ts'
import { finishText } from './stages/finish-text.ts'
import { normalizeResponse } from './stages/normalize-response.ts'
import { preflightGate } from './stages/preflight-gate.ts'
import { prepareIteration } from './stages/prepare-iteration.ts'
import { retryRestarts } from './stages/retry-restarts.ts'
import { toolRound } from './stages/tool-round.ts'
import { type Ending, firstState, type Stage, type TurnContext, type TurnState } from './state.ts'

const answerStage: Stage = (turn, state) =>
  (state.response?.calls.length ?? 0) > 0 ? toolRound(turn, state) : finishText(turn, state)

/** Order is part of the contract. A change of provider or a compression re-enters at the top. */
export const STAGES: readonly (readonly [name: string, stage: Stage])[] = [
  ['begin', beginIteration],
  ['prepare', prepareIteration],
  ['assemble', assembleRequest],
  ['preflight', preflightGate],
  ['announce', announceCall],
  ['call', apiRetryLoop],
  ['restarts', retryRestarts],
  ['normalize', normalizeResponse],
  ['answer', answerStage],
]

/** Runs one turn to its end. Never rejects: every failure is an ending with its reason. */
export async function runTurn(turn: TurnContext): Promise<TurnResult> {
  let state: TurnState | null = null
  let ending: Ending
  try {
    turn.reach('stage.prologue.before')
    state = await beginTurn(turn)
    const ended = await loop(turn, state, (latest) => {
      state = latest
    })
    state = ended
    ending = ended.ending
  } catch (error) {
    ending = endingOf(error)
  }
  return finalizeTurn(turn, state ?? NOTHING, ending)
}

async function loop(
  turn: TurnContext,
  first: TurnState,
  keep: (state: TurnState) => void,
): Promise<TurnState & { ending: Ending }> {
  let state = first
  for (;;) {
    for (const [name, stage] of STAGES) {
      turn.reach(`stage.${name}.before`)
      const verdict = await stage(turn, state)
      state = verdict.state
      keep(state)
      if (verdict.action === 'break') return verdict.state
      if (verdict.action === 'continue') break
    }
  }
}

/** A turn that failed before its first row. */
const NOTHING = firstState({ hash: '', text: '', stableLength: 0 }, [])

/** The outermost catch: a refused write by its cause, a broken rule of ours as `local_error` with the reason kept. */
function endingOf(error: unknown): Ending {
  if (error instanceof LedgerError) return ledgerEnding(error)
  const message = error instanceof Error ? error.message : String(error)
  return {
    reason: 'local_error',
    detail: error instanceof InvariantError ? `${error.rule}: ${message}` : message,
    failure: {
      message: `Herma made a mistake: ${message}`,
      next: 'What was stored is safe. Please report this with `herma doctor`.',
    },
  }
}
