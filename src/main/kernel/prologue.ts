/**
 * What happens before the loop (kernel 1.2): history, prompt, user row, in this order, so that no request leaves
 * before its input is committed and no assistant row can exist without its prompt.
 */

import type { FrozenPrompt, PromptReason } from './ports.ts'
import { buildPrompt } from './prompt/build.ts'
import { firstState, type TurnContext, type TurnState } from './state.ts'
import { OUTCOME_UNKNOWN, READ_DID_NOT_FINISH } from './wire/build.ts'

/** Makes the first state. @throws LedgerError when something could not be stored; nothing was sent then. */
export async function beginTurn(turn: TurnContext): Promise<TurnState> {
  const prompt = await ensurePrompt(turn)
  const user = await turn.ledger.recordUser(turn.lease, { content: turn.input.text, apiContent: null })
  if (turn.input.resume) await closeOpenCalls(turn)
  const rows = await turn.ledger.history(turn.identity.conversation)
  tell(() => turn.events.started([user], turn.model.binding))
  return firstState(prompt, rows)
}

/** An event sink may fail; the turn goes on (F9). */
export function tell(say: () => void): void {
  try {
    say()
  } catch {
    // Deliberately nothing: an event is never a fact, and its failure must not change the transcript (H-03).
  }
}

async function ensurePrompt(turn: TurnContext): Promise<FrozenPrompt> {
  const { bound, hadOne } = await turn.prompts.stored(turn.identity.conversation)
  const { model, provider } = turn.model.binding
  if (bound !== null && bound.model === model && bound.provider === provider) return bound.prompt
  const reason: PromptReason =
    bound !== null ? 'runtime_identity_changed' : hadOne ? 'stored_prompt_unusable' : 'created'
  const { text, stableLength } = buildPrompt(await turn.prompts.parts(turn.identity.conversation))
  const prompt = turn.prompts.freeze(text, stableLength)
  const names = turn.tools.definitions.map((tool) => tool.function.name)
  await turn.prompts.bind(turn.lease, prompt, names, reason)
  return prompt
}

/**
 * A resumed turn answers the calls its predecessor left open, before anything else (session-db R4, T14): an unfinished
 * read changed nothing, anything else is of unknown outcome. None of them is run again by itself.
 */
async function closeOpenCalls(turn: TurnContext): Promise<void> {
  const rows = await turn.ledger.history(turn.identity.conversation)
  const answered = new Set(
    rows.flatMap((row) => (row.answers ? [`${row.answers.callUid}:${row.answers.callIndex}`] : [])),
  )
  const now = turn.clock.now()
  for (const row of rows) {
    for (const [index, call] of row.calls.entries()) {
      if (answered.has(`${row.uid}:${index}`)) continue
      const readOnly = turn.tools.isReadOnly(call.name)
      await turn.ledger.recordResult(
        turn.lease,
        { row, index },
        {
          content: readOnly ? READ_DID_NOT_FINISH : OUTCOME_UNKNOWN,
          effect: readOnly ? 'none' : 'unknown',
          record: {
            outcome: readOnly ? 'skipped' : 'unknown',
            summary: readOnly ? 'did not finish' : 'outcome unknown',
            started_at: null,
            finished_at: now,
            duration_ms: null,
          },
        },
      )
    }
  }
}
