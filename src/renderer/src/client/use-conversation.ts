/** The store of one conversation inside React. Stores stay warm for the last chats, so that switching is instant (U-232). */
import { useEffect, useRef } from 'react'
import type { HermaClient } from '../../../shared/client.ts'
import type { ConversationId } from '../../../shared/ids.ts'
import { useClient, useConnection } from './client-context.tsx'
import { type ConversationStore, createConversationStore } from './conversation-store.ts'

const WARM = 8
const stores = new WeakMap<HermaClient, Map<ConversationId, ConversationStore>>()

function storeOf(client: HermaClient, conversation: ConversationId): ConversationStore {
  const kept = stores.get(client) ?? new Map<ConversationId, ConversationStore>()
  stores.set(client, kept)
  const found =
    kept.get(conversation) ??
    createConversationStore(
      {
        client,
        now: () => performance.now(),
        // A hidden window gets no frames; it must catch up all the same.
        nextFrame: (run) => (document.hidden ? setTimeout(run, 0) : requestAnimationFrame(run)),
      },
      conversation,
    )
  kept.delete(conversation)
  kept.set(conversation, found)
  const oldest = kept.size > WARM ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  return found
}

/** The live store; after a reconnect it reads again. */
export function useConversationStore(conversation: ConversationId): ConversationStore {
  const store = storeOf(useClient(), conversation)
  const { ups } = useConnection()
  const seen = useRef(ups)
  useEffect(() => {
    if (seen.current === ups) return
    seen.current = ups
    store.refresh()
  }, [ups, store])
  return store
}
