/**
 * The one exit (kernel 1.8, K1). Every ending passes here exactly once, in this order: budget summary, closing row for
 * an open tool tail, settle, `message.complete`. Each step is guarded, so that the reply is never lost to a later
 * one; what failed is listed. The host releases the lease afterwards (I4).
 */
import type { EndReason } from '../../shared/contract/index.ts'
import { labelOf } from '../../shared/contract/index.ts'
import { type HistoryRow, LedgerError, type ModelResponse, type TurnResult } from './ports.ts'
import { tell } from './prologue.ts'
import { addUsage, type Ending, type TurnContext, type TurnState } from './state.ts'
import { buildRequest } from './wire/build.ts'

export async function finalizeTurn(turn: TurnContext, state: TurnState, ending: Ending): Promise<TurnResult> {
  const cleanupErrors: string[] = []
  const step = async (name: string, work: () => Promise<TurnState>): Promise<void> => {
    try {
      turn.reach(`finalize.${name}.before`)
      state = await work()
    } catch (error) {
      cleanupErrors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      if (error instanceof LedgerError) ending = ledgerEnding(error)
    }
  }
  // After the lease is gone this process writes nothing more (kernel 1.6).
  if (ending.reason === 'budget_exhausted') await step('budget-summary', () => budgetSummary(turn, state))
  if (mayWrite(ending)) await step('close-tail', () => closeToolTail(turn, state, ending))
  if (ending.reason !== 'lease_lost')
    await step('settle', async () => {
      await turn.ledger.settle(turn.lease, {
        reason: ending.reason,
        detail: ending.detail,
        text: state.answer?.content ?? '',
      })
      return state
    })
  const result: TurnResult = {
    reason: ending.reason,
    detail: ending.detail,
    text: state.answer?.content ?? '',
    answer: state.answer,
    usage: state.usage,
    undelivered: [],
    failure: ending.failure ?? null,
    cleanupErrors,
  }
  tell(() => turn.events.completed(result))
  return result
}

/** A refused write ends the turn by its cause; it is not safe to try again by itself (kernel 1.5). */
export const ledgerEnding = (error: LedgerError): Ending =>
  error.cause_ === 'lease_lost'
    ? { reason: 'lease_lost', detail: error.message }
    : {
        reason: 'session_persistence_failed',
        detail: error.cause_,
        failure: {
          message: error.message,
          next: 'What was stored before is safe. Nothing of this step was run or shown as done.',
        },
      }

const mayWrite = (ending: Ending): boolean =>
  ending.reason !== 'lease_lost' && ending.reason !== 'session_persistence_failed'

/** Exactly one request without tools (kernel 1.4); its words become the answer. */
async function budgetSummary(turn: TurnContext, state: TurnState): Promise<TurnState> {
  if (turn.signal.aborted) return state
  const request = buildRequest(state.prompt, state.rows, [], (name) => turn.tools.isReadOnly(name), [
    {
      role: 'user',
      content:
        'The work budget of this turn is used up. Do not call tools. Say briefly what was done, what is left, and what to do next.',
    },
  ])
  let response: ModelResponse | null = null
  for await (const event of turn.model.stream(request, turn.signal)) {
    if (event.type === 'text') tell(() => turn.events.delta(event.text))
    if (event.type === 'done') response = event.response
    if (event.type === 'failed' || event.type === 'aborted') response = event.partial
  }
  if (response === null || response.text.trim() === '') return state
  const answer = await turn.ledger.recordAnswer(turn.lease, {
    text: response.text,
    reasoning: response.reasoning,
    calls: [],
    finishReason: response.finishReason,
    usage: response.usage,
    binding: turn.model.binding,
  })
  return withAnswer(
    { ...state, apiCalls: state.apiCalls + 1, usage: addUsage(state.usage, response.usage, false) },
    answer,
  )
}

/**
 * If the tail is a tool row, the next turn would be tool → user, which some servers refuse: one closing row follows.
 * It says why the turn ended in words a model and a person both understand.
 */
async function closeToolTail(turn: TurnContext, state: TurnState, ending: Ending): Promise<TurnState> {
  const last = state.rows.toSorted((a, b) => a.pos - b.pos).at(-1)
  if (last === undefined || (last.role === 'assistant' && last.calls.length === 0) || last.role === 'user') return state
  const answer = await turn.ledger.recordAnswer(turn.lease, {
    text: closingWords(ending.reason),
    reasoning: null,
    calls: [],
    finishReason: 'closed_by_herma',
    usage: null,
    binding: turn.model.binding,
    countsAsCall: false,
  })
  return withAnswer(state, answer)
}

const closingWords = (reason: EndReason): string => `(The turn ended here: ${labelOf(reason)}.)`

const withAnswer = (state: TurnState, answer: HistoryRow): TurnState => ({
  ...state,
  answer,
  rows: [...state.rows, answer],
})
