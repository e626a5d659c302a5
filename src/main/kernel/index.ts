/** The agent kernel: one turn from input to ending. Knows no database, no provider, no screen; see `ports.ts`. */
export * from './ports.ts'
export { runTurn, STAGES } from './run-turn.ts'
export type { TurnContext } from './state.ts'
export { OUTCOME_UNKNOWN } from './wire/build.ts'
