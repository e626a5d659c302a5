/**
 * One conversation kept live for its views: snapshot and cursor first, then events, grouped per display frame (U-55); a
 * new snapshot after a gap or a reconnect. Late answers of an earlier request are dropped (U-05).
 */
import type { HermaClient } from '../../../shared/client.ts'
import type { HermaEvent, Refusal } from '../../../shared/contract/index.ts'
import type { ConversationId } from '../../../shared/ids.ts'
import { type ConversationView, emptyView, reduce } from './conversation.ts'

/** At most 30 updates a second while text streams (U-55). */
const FRAME_MS = 33
const PAGE = 100

export interface ConversationStore {
  view(): ConversationView
  /** The last refusal of reading; null when the view is good. */
  refusal(): Refusal | null
  subscribe(listener: () => void): () => void
  /** Reads everything again; used after a reconnect. */
  refresh(): void
  /** Adds the page above. Resolves when it is there. */
  loadOlder(): Promise<void>
}

export interface StorePorts {
  readonly client: HermaClient
  /** Calls back with the next frame, at once when nothing is drawn (a hidden window catches up in one pass, U-237). */
  readonly nextFrame: (run: () => void) => void
  readonly now: () => number
}

export function createConversationStore(ports: StorePorts, conversation: ConversationId): ConversationStore {
  const { client } = ports
  const listeners = new Set<() => void>()
  let view = emptyView(conversation)
  let refusal: Refusal | null = null
  let buffered: HermaEvent[] = []
  let reading: symbol | null = null
  let loading: Promise<void> | null = null
  let scheduled = false
  let lastFlush = 0
  let queueSeen = 0
  let readingQueue: symbol | null = null
  let unsubscribe: (() => void) | null = null

  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const flush = (): void => {
    scheduled = false
    if (reading !== null) return
    lastFlush = ports.now()
    const before = view
    for (const event of buffered.splice(0)) view = reduce(view, { type: 'event', event })
    if (view.stale) void read()
    else if (view.queueVersion !== queueSeen) void readQueue()
    if (view !== before) tell()
  }
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    // Deltas wait for the frame; the first one after a pause does not wait longer than that.
    const wait = Math.max(0, FRAME_MS - (ports.now() - lastFlush))
    if (wait <= 1) ports.nextFrame(flush)
    else setTimeout(() => ports.nextFrame(flush), wait)
  }
  const read = async (): Promise<void> => {
    const mine = Symbol('read')
    reading = mine
    readingQueue = null
    const answer = await client.call('session.resume', { conversation_id: conversation, limit: PAGE })
    if (reading !== mine) return
    reading = null
    refusal = answer.ok ? null : answer.refusal
    if (answer.ok) {
      view = reduce(view, { type: 'snapshot', snapshot: answer.value })
      queueSeen = view.queueVersion
      flush()
    }
    // A refused read is tried again with the next event or connection, not at once: that would never end.
    tell()
  }
  const readQueue = async (): Promise<void> => {
    const mine = Symbol('queue')
    readingQueue = mine
    queueSeen = view.queueVersion
    const answer = await client.call('queue.list', { conversation_id: conversation })
    if (!answer.ok || readingQueue !== mine) return
    view = reduce(view, { type: 'queue', items: answer.value.items.filter((item) => item.status !== 'started') })
    tell()
  }
  return {
    view: () => view,
    refusal: () => refusal,
    refresh: () => void read(),
    subscribe(listener) {
      listeners.add(listener)
      if (unsubscribe === null) {
        unsubscribe = client.subscribe((event) => {
          if (event.conversation_id !== conversation) return
          buffered.push(event)
          schedule()
        })
        void read()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        unsubscribe?.()
        unsubscribe = null
        buffered = []
      }
    },
    loadOlder() {
      loading ??= (async () => {
        const first = view.rows[0]
        if (!view.hasBefore || first === undefined) return
        const answer = await client.call('session.history', {
          conversation_id: conversation,
          limit: PAGE,
          before: { segment_no: first.segment_no, pos: first.pos },
        })
        // A snapshot that came in between may begin elsewhere; this page would then leave a hole.
        if (!answer.ok || view.rows[0]?.uid !== first.uid) return
        view = reduce(view, { type: 'older', page: answer.value })
        tell()
      })().finally(() => {
        loading = null
      })
      return loading
    },
  }
}
