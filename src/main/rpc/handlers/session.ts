import { ok } from '../../../shared/result.ts'
import type { Handlers } from '../router.ts'
import type { ConversationServices } from '../services.ts'

type Topic = Pick<
  Handlers,
  | 'session.create'
  | 'session.list'
  | 'session.info'
  | 'session.resume'
  | 'session.history'
  | 'session.message'
  | 'session.title'
  | 'events.since'
>

/** Conversations: parsed params in, the service's answer out. */
export const sessionHandlers = (conversations: ConversationServices): Topic => ({
  'session.create': async ({ request_id, title, cwd }) => {
    const made = await conversations.create({ request: request_id, title, cwd })
    return made.ok ? ok({ session_id: made.value as never, conversation_id: made.value }) : made
  },
  'session.list': (params) => conversations.list(params),
  'session.info': ({ conversation_id }) => conversations.row(conversation_id),
  'session.resume': ({ conversation_id, limit }) => conversations.snapshot(conversation_id, limit),
  'session.history': ({ conversation_id, ...wanted }) => conversations.page(conversation_id, wanted),
  'session.message': ({ conversation_id, call_index, ...wanted }) =>
    conversations.message(conversation_id, { ...wanted, callIndex: call_index }),
  'session.title': ({ conversation_id, title, expected_revision }) =>
    conversations.setTitle(conversation_id, title, expected_revision),
  'events.since': ({ conversation_id, last_seen, epoch }) =>
    conversations.eventsSince(conversation_id, last_seen, epoch),
})
