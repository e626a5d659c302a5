/**
 * One turn followed to its end over the typed client: what the one-shot command, the terminal chat and `--json` all do.
 * Submits with a request id of its own, hears the events of that turn, resolves with its last one.
 */
import type { HermaClient } from '../../shared/client.ts'
import type { EventPayload, HermaEvent } from '../../shared/contract/index.ts'
import { type AdmissionId, type ConversationId, type RequestId, type TurnId, ulid } from '../../shared/ids.ts'
import { failureOf } from '../exit.ts'

export interface FollowedTurn {
  readonly turn: TurnId
  readonly session: string
  readonly ending: EventPayload<'message.complete'>
}

export interface Following {
  /** Resolves when the turn has ended. */
  readonly ended: Promise<FollowedTurn>
  /** Stops it, also when it has not begun yet; the partial answer is kept. */
  stop(): void
}

/** @throws CommandFailure when the input is refused: nothing was stored then */
export async function followTurn(
  client: HermaClient,
  input: { conversation: ConversationId; text: string },
  onEvent: (event: HermaEvent) => void,
): Promise<Following> {
  let admission: AdmissionId | null = null
  let turn: TurnId | null = null
  let stopping = false
  const early: HermaEvent[] = []
  const { promise, resolve } = Promise.withResolvers<FollowedTurn>()

  const interrupt = (): void =>
    void client.call('turn.interrupt', { conversation_id: input.conversation, ...(turn === null ? {} : { turn }) })
  /** Events of other turns of the same conversation pass by; the first `message.start` of our admission says which is ours. */
  const hear = (event: HermaEvent): void => {
    if (event.conversation_id !== input.conversation) return
    if (admission === null) {
      early.push(event)
      return
    }
    if (event.type === 'message.start' && event.payload.admission_id === admission) {
      turn = event.payload.turn
      // A stop that came before there was something to stop.
      if (stopping) interrupt()
    }
    if (event.turn !== undefined && turn !== null && event.turn !== turn) return
    onEvent(event)
    // A turn that ends before its first row has no start: its ending is the first thing heard.
    if (event.type === 'message.complete' && (turn === null || event.turn === turn)) {
      unsubscribe()
      resolve({ turn: event.turn as TurnId, session: event.session_id ?? input.conversation, ending: event.payload })
    }
  }
  const unsubscribe = client.subscribe(hear)
  const accepted = await client.call('prompt.submit', {
    conversation_id: input.conversation,
    request_id: ulid(Date.now()) as RequestId,
    text: input.text,
  })
  if (!accepted.ok) {
    unsubscribe()
    throw failureOf(accepted.refusal)
  }
  admission = accepted.value.admission_id
  for (const event of early.splice(0)) hear(event)
  return {
    ended: promise,
    stop: () => {
      stopping = true
      interrupt()
    },
  }
}
