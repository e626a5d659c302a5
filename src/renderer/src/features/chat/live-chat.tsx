/**
 * The live part of an open chat. The transcript follows every delta; what the dock needs (is a turn running, what is
 * queued, what is asked) changes seldom and is handed up, so that typing never waits for streaming (U-226).
 */
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import type { OpenRequest, QueuedInput, Refusal } from '../../../../shared/contract/index.ts'
import type { ConversationId, TurnId } from '../../../../shared/ids.ts'
import type { ConversationView } from '../../client/conversation.ts'
import type { ConversationStore } from '../../client/conversation-store.ts'
import { useConversationStore } from '../../client/use-conversation.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'

const load = () => import('../transcript/transcript.tsx')
const Transcript = lazy(() => load().then(({ Transcript }) => ({ default: Transcript })))

/** Fetches the transcript and its Markdown while nothing else happens, so that opening the first chat does not wait. */
export const preloadTranscript = (): void => void load()

export interface LiveFacts {
  /** The running turn; null when the chat is idle. */
  readonly turn: TurnId | null
  readonly stopping: boolean
  readonly queued: readonly QueuedInput[]
  readonly requests: readonly OpenRequest[]
  /** The text of the newest message of the person, for Up in an empty composer. */
  readonly lastText: string | undefined
}

export const NO_FACTS: LiveFacts = { turn: null, stopping: false, queued: [], requests: [], lastText: undefined }

interface LiveChatProps {
  readonly conversation: ConversationId
  readonly onFacts: (facts: LiveFacts) => void
}

/** Fills the space between head and dock. Keyed by conversation: a switch mounts another one. */
export function LiveChat({ conversation, onFacts }: LiveChatProps): ReactNode {
  const store = useConversationStore(conversation)
  const turn = useFact(store, (view) => view.live?.turn ?? null)
  const stopping = useFact(store, (view) => view.live?.stopping ?? false)
  const queued = useFact(store, (view) => view.queued)
  const requests = useFact(store, (view) => view.requests)
  const lastText = useFact(store, (view) => view.rows.findLast(({ role }) => role === 'user')?.text)
  useEffect(
    () => onFacts({ turn, stopping, queued, requests, lastText }),
    [turn, stopping, queued, requests, lastText, onFacts],
  )
  useEffect(() => () => onFacts(NO_FACTS), [onFacts])
  return <Shown store={store} />
}

/** Follows every delta. Nothing is drawn before the first snapshot: a flash of an empty chat would be a lie. */
function Shown({ store }: { readonly store: ConversationStore }): ReactNode {
  const view = useSyncExternalStore(store.subscribe, store.view)
  const refusal = useSyncExternalStore(store.subscribe, store.refusal)
  const empty = <div className="transcript" aria-busy />
  if (view.epoch === '' && refusal !== null) return <NotRead refusal={refusal} retry={store.refresh} />
  return view.epoch === '' ? (
    empty
  ) : (
    <Suspense fallback={empty}>
      <Transcript store={store} view={view} />
    </Suspense>
  )
}

/** Re-renders only when the fact itself changes. `pick` must return a stable value for the same view. */
function useFact<T>(store: ConversationStore, pick: (view: ConversationView) => T): T {
  return useSyncExternalStore(store.subscribe, () => pick(store.view()))
}

/** A chat that could not be read says so where it would stand (U-209), never as an empty page. */
const NotRead = ({ refusal, retry }: { readonly refusal: Refusal; readonly retry: () => void }): ReactNode => (
  <div className="mx-auto w-full max-w-(--measure) flex-1 p-24">
    <Problem
      failed={refusal.message}
      safe="What is stored is untouched."
      next={refusal.next}
      actions={
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      }
    />
  </div>
)
