/**
 * Stage 9a (kernel 5): plan, record all calls, run, record each result the moment it is there, and only then go on.
 * Nothing runs before its row is committed, and nothing that was not committed reaches the model (I3, I7).
 */
import type { HistoryRow, PlannedCall, Recorded, RecordedRound, ToolOutcome, ToolPlan } from '../ports.ts'
import { tell } from '../prologue.ts'
import {
  again,
  answered,
  end,
  interruptedEnding,
  type Stage,
  type TurnContext,
  type TurnState,
  type Verdict,
} from '../state.ts'
import { type BatchFault, planCalls, segmentsOf } from '../tool-round/plan.ts'

/** At most this many handlers at once (kernel 5). */
const WORKERS = 8
const UNKNOWN_ROUNDS = 3
const SILENT_RETRIES = 2
const BAD_ARGUMENT_ROUNDS = 2

export const toolRound: Stage = async (turn, state) => {
  const response = answered(state)
  const batch = planCalls(response.calls, (call) => turn.tools.prepare(call))

  if (batch.fault === 'bad_arguments' && state.badArguments.silentRetries < SILENT_RETRIES) {
    await turn.ledger.recordUsage(turn.lease, turn.model.binding, response.usage)
    const silentRetries = state.badArguments.silentRetries + 1
    return again({ ...state, badArguments: { ...state.badArguments, silentRetries } })
  }

  // One broken call stops the batch: its neighbours were said in the same breath and are answered "not run".
  const runs = batch.fault !== 'truncated_arguments' && batch.fault !== 'bad_arguments'
  const calls = runs ? batch.calls : batch.calls.map((call) => notRun(call, turn.clock.now()))
  const plan: ToolPlan = {
    answer: {
      text: response.text,
      reasoning: response.reasoning,
      calls: response.calls,
      finishReason: response.finishReason,
      usage: response.usage,
      binding: turn.model.binding,
    },
    calls,
  }
  const round = await turn.ledger.recordCalls(turn.lease, plan)
  tell(() => turn.events.interim(round.row))
  for (const row of round.answered) tellResult(turn, round, row)
  const rows: HistoryRow[] = [...state.rows, round.row, ...round.answered]
  for (const segment of segmentsOf(round.plan.calls, (name) => turn.tools.isParallel(name)))
    rows.push(...(await runSegment(turn, round, segment)))
  return verdictAfter(turn, { ...state, rows, answer: round.row }, batch.fault)
}

function verdictAfter(turn: TurnContext, state: TurnState, fault: BatchFault): Verdict {
  if (turn.signal.aborted) return end(state, interruptedEnding(turn.signal, 'tools'))
  if (fault === 'truncated_arguments')
    return end(state, {
      reason: 'tool_args_truncated',
      detail: null,
      failure: {
        message: 'The model was cut off while it wrote a tool call; the call was not run.',
        next: 'Send it again.',
      },
    })
  const unknownToolRounds = fault === 'all_unknown' ? state.unknownToolRounds + 1 : 0
  if (unknownToolRounds >= UNKNOWN_ROUNDS)
    return end(state, {
      reason: 'invalid_tool_calls',
      detail: null,
      failure: {
        message: 'The model kept calling tools that do not exist.',
        next: 'Say which tool to use, or use another model.',
      },
    })
  const rounds = fault === 'bad_arguments' ? state.badArguments.rounds + 1 : 0
  if (rounds > BAD_ARGUMENT_ROUNDS)
    return end(state, {
      reason: 'malformed_tool_args',
      detail: null,
      failure: { message: 'The model kept sending tool arguments that cannot be read.', next: 'Use another model.' },
    })
  return again({ ...state, unknownToolRounds, badArguments: { silentRetries: 0, rounds } })
}

/** Runs the calls of one segment side by side, at most eight at once, and commits each result as it comes. */
async function runSegment(
  turn: TurnContext,
  round: Recorded<RecordedRound>,
  segment: readonly PlannedCall[],
): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = []
  const waiting = [...segment]
  const worker = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      const outcome = turn.signal.aborted ? skipped(turn.clock.now()) : await runOne(turn, round, call)
      const row = await turn.ledger.recordResult(turn.lease, { row: round.row, index: call.index }, outcome)
      tell(() => turn.events.toolCompleted(toolId(round, call.index), row, outcome))
      rows.push(row)
    }
  }
  // A failed append must end the turn, but only after its siblings have unwound: an orphaned handler could still act.
  const settled = await Promise.allSettled(Array.from({ length: Math.min(WORKERS, segment.length) }, worker))
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return rows
}

async function runOne(turn: TurnContext, round: Recorded<RecordedRound>, call: PlannedCall): Promise<ToolOutcome> {
  const id = toolId(round, call.index)
  tell(() => turn.events.toolStarted(id, round.row, call.index))
  tell(() => turn.events.status('waiting_tool', call.call.name))
  return turn.tools.run(round, call.index, {
    conversation: turn.identity.conversation,
    session: turn.identity.session,
    toolId: id,
    cwd: turn.cwd,
    signal: turn.signal,
    progress: (stream, text) => tell(() => turn.events.toolProgress(id, stream, text)),
    ask: (question) => turn.ask(question, id),
  })
}

const toolId = (round: Recorded<RecordedRound>, index: number): string => `${round.row.uid}:${index}`

function tellResult(turn: TurnContext, round: Recorded<RecordedRound>, row: HistoryRow): void {
  const index = row.answers?.callIndex ?? 0
  const call = round.plan.calls[index]
  if (call?.kind === 'answered') tell(() => turn.events.toolCompleted(toolId(round, index), row, call.outcome))
}

/** A call that an interrupt overtook before it began: known to have changed nothing. */
const skipped = (nowMs: number): ToolOutcome => ({
  content: 'Skipped: the turn was stopped before this call began. It changed nothing.',
  effect: 'none',
  record: {
    outcome: 'skipped',
    summary: 'skipped after stop',
    started_at: null,
    finished_at: nowMs,
    duration_ms: null,
  },
})

const notRun = (planned: PlannedCall, nowMs: number): PlannedCall =>
  planned.kind === 'answered'
    ? planned
    : {
        kind: 'answered',
        index: planned.index,
        call: planned.call,
        outcome: {
          content: 'Not run: another call of the same batch could not be read. Send the batch again.',
          effect: 'not_executed',
          record: {
            outcome: 'not_dispatched',
            summary: 'not run',
            started_at: null,
            finished_at: nowMs,
            duration_ms: null,
          },
        },
      }
