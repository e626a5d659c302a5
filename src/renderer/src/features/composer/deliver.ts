/**
 * One message on its way to the core. A chat that does not exist yet is created first; both calls carry request ids made
 * before the first attempt, so a repeat after a broken connection is the same request (U-02).
 */
import type { HermaClient } from '../../../../shared/client.ts'
import type { Refusal } from '../../../../shared/contract/index.ts'
import type { ConversationId } from '../../../../shared/ids.ts'
import type { Send } from './draft.ts'

export type Delivery =
  | {
      readonly kind: 'accepted'
      readonly conversation: ConversationId
      readonly delivery: string
      readonly position: number
    }
  /** It may have arrived; the same call again finds out and acts once. */
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export interface DeliverOptions {
  readonly conversation: ConversationId | null
  /** Where a new chat works; absent means the core's default. */
  readonly cwd?: string | undefined
  /** Told as soon as the new chat exists, before its first message is submitted. */
  readonly onCreated?: (conversation: ConversationId) => void
}

/** Creates the chat if needed and submits. Never rejects. */
export async function deliver(client: HermaClient, send: Send, options: DeliverOptions): Promise<Delivery> {
  let conversation = options.conversation
  if (conversation === null) {
    const created = await client.call('session.create', {
      request_id: send.create ?? send.request,
      ...(options.cwd === undefined || options.cwd === '' ? {} : { cwd: options.cwd }),
    })
    if (!created.ok) return fromRefusal(created.refusal)
    conversation = created.value.conversation_id
    options.onCreated?.(conversation)
  }
  const answer = await client.call('prompt.submit', {
    conversation_id: conversation,
    request_id: send.request,
    text: send.text,
  })
  if (!answer.ok) return fromRefusal(answer.refusal)
  return { kind: 'accepted', conversation, delivery: answer.value.delivery, position: answer.value.position }
}

const fromRefusal = (refusal: Refusal): Delivery =>
  refusal.code === 'disconnected' ? { kind: 'disconnected' } : { kind: 'refused', refusal }

/** What is wrong with a text before it is sent, or null. `limit` in UTF-16 units. */
export function objection(text: string, limit: number): string | null {
  if (text.length <= limit) return null
  const over = (text.length - limit).toLocaleString('en')
  return `${text.length.toLocaleString('en')} characters are ${over} more than one message can hold. Save the text as a file and name the file instead.`
}

/** An empty prompt, also one of white space only, is not sent and nothing is said about it. */
export const isEmpty = (text: string): boolean => text.trim() === ''
