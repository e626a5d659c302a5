/**
 * The event stream (kernel 8): per conversation a contiguous `seq` from 1 within an epoch, the last ones kept in a ring
 * for a client that lost its connection. Memory only; an event is never read back as history (I19).
 */
import { type EventPayload, type EventType, type eventFrame, PROTOCOL } from '../../shared/contract/index.ts'
import type { ConversationId, Profile, SessionId, TurnId } from '../../shared/ids.ts'
import type { z } from '../../shared/schema.ts'

/** 512 events and 4 MiB a conversation, 64 conversations (kernel 8.3). */
const RING_EVENTS = 512
const RING_CHARS = 4 * 1_048_576
const RINGS = 64
/** What this core can do beyond the protocol's minimum; a client hides what is missing. */
const CAPABILITIES = ['approvals', 'queue', 'screen-state'] as const

export type EventFrame = z.infer<typeof eventFrame>

interface Ring {
  latest: number
  chars: number
  readonly kept: { readonly seq: number; readonly frame: EventFrame; readonly chars: number }[]
}

export class EventStream {
  readonly epoch: string
  readonly #profile: Profile
  readonly #rings = new Map<ConversationId, Ring>()
  readonly #listeners = new Set<(message: string) => void>()
  readonly #onListenerFault: (error: unknown) => void

  constructor(profile: Profile, epoch: string, onListenerFault: (error: unknown) => void) {
    this.#profile = profile
    this.epoch = epoch
    this.#onListenerFault = onListenerFault
  }

  /** The first thing a listener hears is `gateway.ready` with the epoch, so that it knows whose events follow. */
  subscribe(listener: (message: string) => void): () => void {
    this.#listeners.add(listener)
    queueMicrotask(() => {
      if (this.#listeners.has(listener)) this.#tell(listener, this.#readyMessage())
    })
    return () => this.#listeners.delete(listener)
  }

  /** A home-wide hint: no conversation, `seq` 0, not kept. */
  announce<T extends EventType>(type: T, payload: EventPayload<T>): void {
    this.#send({
      type,
      profile: this.#profile,
      session_id: null,
      conversation_id: null,
      epoch: this.epoch,
      seq: 0,
      payload: payload as EventFrame['payload'],
    })
  }

  /** An event of a conversation; gets the next number and is kept for resuming clients. */
  emit<T extends EventType>(
    owner: { conversation: ConversationId; session: SessionId; turn?: TurnId | undefined },
    type: T,
    payload: EventPayload<T>,
  ): void {
    const ring = this.#ring(owner.conversation)
    const frame: EventFrame = {
      type,
      profile: this.#profile,
      session_id: owner.session,
      conversation_id: owner.conversation,
      epoch: this.epoch,
      seq: ++ring.latest,
      ...(owner.turn === undefined ? {} : { turn: owner.turn }),
      payload: payload as EventFrame['payload'],
    }
    const chars = this.#send(frame)
    ring.kept.push({ seq: frame.seq, frame, chars })
    ring.chars += chars
    while (ring.kept.length > RING_EVENTS || ring.chars > RING_CHARS) ring.chars -= ring.kept.shift()?.chars ?? 0
  }

  latest(conversation: ConversationId): number {
    return this.#rings.get(conversation)?.latest ?? 0
  }

  /**
   * What a client missed. A watermark of another epoch, ahead of the stream, or older than the ring counts as
   * truncated: the client then takes a new snapshot.
   */
  since(conversation: ConversationId, lastSeen: number, epoch: string): { events: EventFrame[]; truncated: boolean } {
    const ring = this.#rings.get(conversation)
    const latest = ring?.latest ?? 0
    if (epoch !== this.epoch || lastSeen > latest) return { events: [], truncated: true }
    const oldest = ring?.kept[0]?.seq ?? latest + 1
    if (lastSeen + 1 < oldest && lastSeen < latest) return { events: [], truncated: true }
    return {
      events: (ring?.kept ?? []).filter((kept) => kept.seq > lastSeen).map((kept) => kept.frame),
      truncated: false,
    }
  }

  /** A ring in use moves to the end; the longest unused one goes. Its numbering survives, so `seq` never restarts. */
  #ring(conversation: ConversationId): Ring {
    const found = this.#rings.get(conversation) ?? { latest: 0, chars: 0, kept: [] }
    this.#rings.delete(conversation)
    this.#rings.set(conversation, found)
    const full = [...this.#rings.values()].filter((ring) => ring.kept.length > 0)
    if (full.length > RINGS && full[0] !== undefined) {
      full[0].kept.length = 0
      full[0].chars = 0
    }
    return found
  }

  #send(frame: EventFrame): number {
    const message = JSON.stringify({ jsonrpc: '2.0', method: 'event', params: frame })
    for (const listener of this.#listeners) this.#tell(listener, message)
    return message.length
  }

  #tell(listener: (message: string) => void, message: string): void {
    try {
      listener(message)
    } catch (error) {
      this.#onListenerFault(error)
    }
  }

  #readyMessage(): string {
    const payload = {
      epoch: this.epoch,
      protocol: PROTOCOL,
      capabilities: [...CAPABILITIES],
    } satisfies EventPayload<'gateway.ready'>
    const frame = {
      type: 'gateway.ready',
      profile: this.#profile,
      session_id: null,
      conversation_id: null,
      epoch: this.epoch,
      seq: 0,
      payload,
    }
    return JSON.stringify({ jsonrpc: '2.0', method: 'event', params: frame })
  }
}
