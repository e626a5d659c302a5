import { ok } from '../../../shared/result.ts'
import type { Handlers } from '../router.ts'
import type { TurnServices } from '../services.ts'

type Topic = Pick<
  Handlers,
  | 'prompt.submit'
  | 'turn.interrupt'
  | 'queue.list'
  | 'queue.cancel'
  | 'queue.resolve'
  | 'approval.pending'
  | 'approval.respond'
>

/** Work for the agent, stops, answers. */
export const turnHandlers = (turns: TurnServices): Topic => ({
  'prompt.submit': ({ conversation_id, request_id, text, intent }) =>
    turns.submit({ conversation: conversation_id, request: request_id, text, intent }),
  'turn.interrupt': async ({ conversation_id, turn }) => ok({ interrupted: turns.interrupt(conversation_id, turn) }),
  'queue.list': async ({ conversation_id }) => ok({ items: turns.queue(conversation_id) }),
  'queue.cancel': async ({ admission_id }) => {
    const cancelled = await turns.cancel(admission_id)
    return cancelled.ok ? ok({ text: cancelled.value }) : cancelled
  },
  'queue.resolve': ({ admission_id, decision }) => turns.resolve(admission_id, decision),
  'approval.pending': async () => ok({ requests: turns.openRequests() }),
  'approval.respond': async ({ request_id, choice, note }) => turns.answer(request_id, choice, note),
})
