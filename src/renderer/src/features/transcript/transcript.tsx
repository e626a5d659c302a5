/**
 * The transcript of one conversation: a virtual list with two modes (U-62). *Following* is pinned to the end; any upward
 * movement is *reading*, in which nothing but the person moves the view.
 */
import { ArrowDown } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { ConversationView } from '../../client/conversation.ts'
import type { ConversationStore } from '../../client/conversation-store.ts'
import { Problem } from '../../ui/problem.tsx'
import { itemsOf } from './items.ts'
import { ItemRow, LiveRow } from './rows.tsx'
import { useScrollPlace } from './use-scroll-place.ts'
import { TranscriptOf } from './whole-text.ts'

/** Within this distance of the end a person is "at the end" (U-64). */
const END_PX = 8

export function Transcript({
  store,
  view,
}: {
  readonly store: ConversationStore
  readonly view: ConversationView
}): ReactNode {
  const list = useRef<VListHandle>(null)
  const [following, setFollowing] = useState(true)
  const [prepending, setPrepending] = useState(false)
  const items = useMemo(() => itemsOf({ rows: view.rows, live: view.live }), [view.rows, view.live])
  const headed = items.at(-1)?.kind !== 'user' && items.length > 0
  const count = items.length + (view.live === null ? 0 : 1) + (view.problem === null ? 0 : 1) + 1
  const seenCount = useRef(count)
  const unseen = Math.max(0, count - seenCount.current)
  const place = useScrollPlace(view.conversation, list, items, setFollowing)

  const toEnd = useCallback(() => {
    setFollowing(true)
    list.current?.scrollToIndex(count - 1, { align: 'end' })
  }, [count])

  // Sending brings the new message into view once, wherever the person was (U-64).
  const lastUser = items.findLast((item) => item.kind === 'user')?.key
  const knownUser = useRef(lastUser)
  // The end moves with new text; following means staying there. Before paint, so that nothing is seen to jump.
  useLayoutEffect(() => {
    if (lastUser !== knownUser.current) {
      const sent = knownUser.current !== undefined || view.live !== null
      knownUser.current = lastUser
      if (sent) return toEnd()
    }
    if (following && place.settled) list.current?.scrollToIndex(count - 1, { align: 'end' })
  })
  useEffect(() => {
    if (following) seenCount.current = count
  }, [following, count])

  const onScroll = (offset: number): void => {
    const at = list.current
    if (at === null) return
    const fromEnd = at.scrollSize - at.viewportSize - offset
    if (fromEnd <= END_PX) setFollowing(true)
    place.remember(offset)
    if (offset < 600 && view.hasBefore && !prepending) {
      setPrepending(true)
      void store.loadOlder().then(() => requestAnimationFrame(() => setPrepending(false)))
    }
  }
  const leave = (): void => setFollowing(false)

  return (
    <TranscriptOf value={view.conversation}>
      <div
        className="transcript"
        role="log"
        aria-live="off"
        aria-label="Transcript"
        onWheel={({ deltaY }) => {
          if (deltaY < 0) leave()
        }}
        onTouchMove={leave}
        onPointerDown={({ target, currentTarget, nativeEvent }) => {
          // A press on the scrollbar itself: the list's own box is wider than its content there.
          if (target === currentTarget.firstElementChild && nativeEvent.offsetX > (target as HTMLElement).clientWidth)
            leave()
        }}
        onKeyDown={({ key }) => {
          if (key === 'PageUp' || key === 'Home' || key === 'ArrowUp') leave()
          if (key === 'End') toEnd()
        }}
      >
        <VList
          ref={list}
          className="transcript-list"
          shift={prepending}
          onScroll={onScroll}
          style={{ overflowAnchor: 'none' }}
          bufferSize={600}
        >
          {items.map((item) => (
            <div key={item.key} className="turn">
              <ItemRow item={item} />
            </div>
          ))}
          {view.live === null ? null : (
            <div key="live" className="turn">
              <LiveRow live={view.live} headed={headed} />
            </div>
          )}
          {view.problem === null ? null : (
            <div key="problem" className="turn">
              <Problem
                failed={view.problem.message}
                safe="The conversation so far is stored."
                next={view.problem.next ?? undefined}
              />
            </div>
          )}
          <div key="foot" className="turn-foot" />
        </VList>
        {following ? null : (
          <button type="button" className="pill" data-needs={view.requests.length > 0} onClick={toEnd}>
            <ArrowDown size={14} aria-hidden />
            {view.requests.length > 0 ? 'Needs you' : unseen > 0 ? `${unseen} new` : 'Jump to latest'}
          </button>
        )}
      </div>
    </TranscriptOf>
  )
}
