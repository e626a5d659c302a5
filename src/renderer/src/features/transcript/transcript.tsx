/**
 * The transcript of one conversation: a virtual list with two modes (U-62). *Following* is pinned to the end; any upward
 * movement is *reading*, in which nothing but the person moves the view.
 */
import { ArrowDown } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { type ConversationView, nameOf } from '../../client/conversation.ts'
import type { ConversationStore } from '../../client/conversation-store.ts'
import { Problem } from '../../ui/problem.tsx'
import { type Item, itemsOf, turnSoFar } from './items.ts'
import { OpenRows, openRowsOf } from './open-rows.ts'
import { AnswerRow, ItemRow } from './rows.tsx'
import { useScrollPlace } from './use-scroll-place.ts'
import { TranscriptOf } from './whole-text.ts'

/** What stands below the stored items. */
type Entry = Item | { readonly kind: 'live' | 'problem' | 'foot'; readonly key: string }
const PROBLEM: Entry = { kind: 'problem', key: 'problem' }
const FOOT: Entry = { kind: 'foot', key: 'foot' }

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
  const { items, entries, headed, messages } = useEntries(view)
  const count = entries.length
  const seenMessages = useRef(messages)
  const unseen = Math.max(0, messages - seenMessages.current)
  const log = useRef<HTMLDivElement>(null)
  const lastOffset = useRef(0)
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
    if (following && place.settled && !selects(log.current)) list.current?.scrollToIndex(count - 1, { align: 'end' })
  })
  useEffect(() => {
    if (following) seenMessages.current = messages
  }, [following, messages])

  const onScroll = (offset: number): void => {
    const at = list.current
    if (at === null) return
    const fromEnd = at.scrollSize - at.viewportSize - offset
    // On the way up the end is left, not reached, however near it still is.
    if (fromEnd <= END_PX && offset >= lastOffset.current) setFollowing(true)
    lastOffset.current = offset
    place.remember(offset)
    if (offset < 600 && view.hasBefore && !prepending) {
      setPrepending(true)
      void store.loadOlder().then(() => requestAnimationFrame(() => setPrepending(false)))
    }
  }
  /** A movement up enters reading; where all fits into view there is nothing to read above. */
  const leave = (): void => {
    if ((list.current?.scrollOffset ?? 0) > 0) setFollowing(false)
  }

  return (
    <TranscriptOf value={view.conversation}>
      <OpenRows value={openRowsOf(store)}>
        <div
          ref={log}
          className="transcript"
          // Nothing is seen before its place is known: opening must not show the top first (U-67).
          data-settled={place.settled || items.length === 0}
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
            data={entries}
            className="transcript-list"
            shift={prepending}
            onScroll={onScroll}
            style={{ overflowAnchor: 'none' }}
            bufferSize={600}
          >
            {(entry) => (
              <div
                key={view.streamed.get(entry.key) ?? entry.key}
                className={entry.kind === 'foot' ? 'turn-foot' : 'turn'}
              >
                <EntryView entry={entry} view={view} headed={headed} />
              </div>
            )}
          </VList>
          {following ? null : (
            <button type="button" className="pill" data-needs={view.requests.length > 0} onClick={toEnd}>
              <ArrowDown size={14} aria-hidden />
              {view.requests.length > 0 ? 'Needs you' : unseen > 0 ? `${unseen} new` : 'Jump to latest'}
            </button>
          )}
        </div>
      </OpenRows>
    </TranscriptOf>
  )
}

function EntryView({
  entry,
  view,
  headed,
}: {
  readonly entry: Entry
  readonly view: ConversationView
  readonly headed: boolean
}): ReactNode {
  switch (entry.kind) {
    case 'live':
      return <AnswerRow row={null} live={view.live} head={!headed} />
    case 'assistant':
      return <AnswerRow row={entry.row} live={null} head={entry.head} />
    case 'problem':
      return view.problem === null ? null : (
        <Problem
          failed={view.problem.message}
          safe="The conversation so far is stored."
          next={view.problem.next ?? undefined}
        />
      )
    case 'foot':
      return null
    default:
      return <ItemRow item={entry} />
  }
}

/** Computed anew when rows, calls or questions change, not with each delta of text: a long chat streams like a short one. */
function useEntries(view: ConversationView) {
  const { rows, live, requests } = view
  const running = live?.running
  const name = live === null ? null : nameOf(live)
  const isLive = live !== null
  const hasProblem = view.problem !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the live turn only its calls count here
  const items = useMemo(() => itemsOf(rows, turnSoFar(view)), [rows, running, isLive, requests])
  return useMemo(() => {
    const entries: readonly Entry[] = [
      ...items,
      ...(name === null ? [] : [{ kind: 'live' as const, key: name }]),
      ...(hasProblem ? [PROBLEM] : []),
      FOOT,
    ]
    const last = items.at(-1)
    return {
      items,
      entries,
      headed: last !== undefined && last.kind !== 'user' && last.kind !== 'ending',
      messages: items.filter(({ kind }) => kind === 'user' || kind === 'assistant').length + (name === null ? 0 : 1),
    }
  }, [items, name, hasProblem])
}

/** True while a person has text of the transcript selected: it must not be pulled away (U-69). */
function selects(log: HTMLElement | null): boolean {
  const selection = document.getSelection()
  return log !== null && selection?.isCollapsed === false && log.contains(selection.anchorNode)
}
