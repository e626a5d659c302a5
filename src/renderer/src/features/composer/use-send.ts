/** Sending, and sending again after a reconnect. Both outlive the view: a person may have gone on to another chat. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { create } from 'zustand'
import type { HermaClient } from '../../../../shared/client.ts'
import type { Refusal } from '../../../../shared/contract/index.ts'
import { type ConversationId, type RequestId, ulid } from '../../../../shared/ids.ts'
import type { Keeper } from '../../app/keeper.ts'
import { useKeeper } from '../../app/kept-state.tsx'
import { useNavigation, viewOf } from '../../app/navigation.ts'
import { useClient, useConnection } from '../../client/client-context.tsx'
import { deliver } from './deliver.ts'
import type { Send } from './draft.ts'
import { applyDraft, type DraftKey, draftKeyOf, draftOf, moveDraft, useDrafts } from './drafts.ts'

/** Why the last send of a chat was refused, shown above its composer until the next edit (U-54). */
export const useRefusals = create<{ byKey: Readonly<Record<string, Refusal | null>> }>(() => ({ byKey: {} }))

export const setRefusal = (key: DraftKey, refusal: Refusal | null): void =>
  useRefusals.setState(({ byKey }) =>
    (byKey[key] ?? null) === refusal ? { byKey } : { byKey: { ...byKey, [key]: refusal } },
  )

/** The last text sent from each chat in this window, for Up in an empty composer. */
const lastSent = new Map<DraftKey, string>()
export const lastSentIn = (key: DraftKey): string | undefined => lastSent.get(key)

interface Ports {
  readonly client: HermaClient
  readonly keeper: Keeper
  readonly onCreated: (conversation: ConversationId) => void
  /** A refusal may be the first sign that something is wrong with the core: its health is read again. */
  readonly onRefused: () => void
}

/** One attempt of one send, under its own request id. Never rejects; the draft holds the outcome. */
async function attempt(ports: Ports, from: DraftKey, send: Send, cwd?: string): Promise<void> {
  const { client, keeper } = ports
  let key = from
  const answer = await deliver(client, send, {
    conversation: from === 'new' ? null : from,
    cwd,
    onCreated(conversation) {
      moveDraft(keeper, 'new', conversation)
      key = conversation
      ports.onCreated(conversation)
    },
  })
  const { request } = send
  switch (answer.kind) {
    case 'accepted':
      applyDraft(keeper, key, { kind: 'accepted', request })
      break
    case 'disconnected':
      applyDraft(keeper, key, { kind: 'disconnected', request })
      break
    case 'refused':
      applyDraft(keeper, key, { kind: 'refused', request, reason: answer.refusal.message })
      setRefusal(key, answer.refusal)
      ports.onRefused()
      break
  }
  // An outcome of a send is worth a write of its own: the text must not come back after it was accepted.
  await keeper.flush()
}

function usePorts(): Ports {
  const client = useClient()
  const keeper = useKeeper()
  const cache = useQueryClient()
  const onCreated = useCallback(
    (conversation: ConversationId) => {
      const { replace, ...trail } = useNavigation.getState()
      const front = viewOf(trail)
      // Whoever has moved on is not pulled back (U-05); the new chat waits in the list.
      if (front.kind === 'chat' && front.conversation === null) replace({ kind: 'chat', conversation })
      void cache.invalidateQueries({ queryKey: ['session.list'] })
    },
    [cache],
  )
  const onRefused = useCallback(() => void cache.invalidateQueries({ queryKey: ['health.get'] }), [cache])
  return { client, keeper, onCreated, onRefused }
}

export interface Sending {
  /** Sends what the composer holds now, and empties it. */
  send(): void
  /** Tries one send again, under its old request id. */
  retry(request: RequestId): void
}

/** Sending from one chat. `cwd` is where a chat that is not created yet shall work. */
export function useSend(conversation: ConversationId | null, cwd?: string): Sending {
  const ports = usePorts()
  const key = draftKeyOf(conversation)
  return {
    send() {
      const now = Date.now()
      const draft = draftOf(key)
      // Several sends before the first one has made the chat belong to the same chat.
      const create =
        conversation === null ? (draft.sends.find((send) => send.create !== null)?.create ?? ulid(now)) : null
      const request = ulid(now) as RequestId
      lastSent.set(key, draft.text)
      setRefusal(key, null)
      const next = applyDraft(ports.keeper, key, { kind: 'send', request, create: create as RequestId | null, at: now })
      const send = next.sends.find((other) => other.request === request)
      // On disk with its request id before the first attempt, in order before the call itself.
      void ports.keeper.flush()
      if (send !== undefined) void attempt(ports, key, send, cwd)
    },
    retry(request) {
      const next = applyDraft(ports.keeper, key, { kind: 'retry', request })
      const send = next.sends.find((other) => other.request === request)
      if (send !== undefined) void attempt(ports, key, send, cwd)
    },
  }
}

/** Once, in the shell: after a reconnect, what waited for it goes out again. */
export function useResend(): void {
  const ports = usePorts()
  const { ups, state } = useConnection()
  const now = useRef(ports)
  now.current = ports
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new connection is one occasion
  useEffect(() => {
    if (state !== 'up') return
    for (const [key, draft] of Object.entries(useDrafts.getState().byKey))
      for (const send of draft.sends.filter((other) => other.state === 'waiting')) {
        applyDraft(now.current.keeper, key as DraftKey, { kind: 'retry', request: send.request })
        void attempt(now.current, key as DraftKey, send)
      }
  }, [ups, state])
}
