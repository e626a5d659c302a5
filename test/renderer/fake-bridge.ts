/**
 * A core inside the page: `window.herma` as the preload puts it there, answered by a scripted core, so that nothing but the
 * screens is measured or tested. Bundled and injected before the app's own scripts. Every frame is checked against the
 * contract; rows of held conversations are checked once, when they are handed over.
 */
import './no-text-as-code.ts'
import type { HermaBridge } from '../../src/shared/bridge.ts'
import {
  type DisplayRow,
  displayRow,
  type EventPayload,
  type EventType,
  type MethodName,
  methods,
  parseEvent,
  type RowCursor,
} from '../../src/shared/contract/index.ts'
import { type ConversationId, DEFAULT_PROFILE } from '../../src/shared/ids.ts'
import { info, ScriptedCore } from './frame/scripted-core.ts'

interface Held {
  readonly rows: DisplayRow[]
  /** Each row as it crosses. */
  readonly texts: string[]
  seq: number
}

export class FakeBridge implements HermaBridge {
  readonly core = new ScriptedCore()
  private readonly held = new Map<string, Held>()

  /** Gives a listed conversation its messages; pages of them answer `session.resume` and `session.history`. */
  hold(conversation: ConversationId, rows: readonly DisplayRow[]): void {
    const checked = rows.map((row) => displayRow.parse(row))
    this.held.set(conversation, { rows: checked, texts: checked.map((row) => JSON.stringify(row)), seq: 0 })
  }

  /** The frame of the next event of a held conversation, for `core.send` or for a later `receive`. */
  event<T extends EventType>(type: T, payload: EventPayload<T>, conversation: ConversationId, turn: string): string {
    const frame = this.frame(type, payload, conversation, turn)
    if (parseEvent(frame) === null) throw new Error(`an event of type ${type} that the contract refuses`)
    return JSON.stringify({ jsonrpc: '2.0', method: 'event', params: frame })
  }

  /** The same without the check, for thousands of equal ones; the first of them should go through `event`. */
  unchecked<T extends EventType>(
    type: T,
    payload: EventPayload<T>,
    conversation: ConversationId,
    turn: string,
  ): string {
    return JSON.stringify({ jsonrpc: '2.0', method: 'event', params: this.frame(type, payload, conversation, turn) })
  }

  /** Appends rows that an event has announced, so that a later read agrees with it. */
  append(conversation: ConversationId, row: DisplayRow): void {
    const held = this.of(conversation)
    held.rows.push(row)
    held.texts.push(JSON.stringify(row))
  }

  private readonly listeners = new Set<(message: string) => void>()
  receive(message: string): void {
    for (const listener of this.listeners) listener(message)
  }

  info = (): Promise<string> => Promise.resolve(JSON.stringify(info))

  subscribe = (listener: (message: string) => void): (() => void) => {
    this.listeners.add(listener)
    const stop = this.core.subscribe(listener)
    return () => {
      this.listeners.delete(listener)
      stop()
    }
  }

  call = async (message: string): Promise<string> => {
    const { id, method, params } = JSON.parse(message) as { id: number; method: MethodName; params: object }
    const held = this.held.get((params as { conversation_id?: string }).conversation_id ?? '')
    if (held === undefined || (method !== 'session.resume' && method !== 'session.history'))
      return this.core.answer(message)
    const { conversation_id, limit } = methods[method].params.parse(params)
    if (method === 'session.history') {
      const { before } = methods[method].params.parse(params)
      return `{"jsonrpc":"2.0","id":${id},"result":${pageOf(held, limit, before)}}`
    }
    const page = pageOf(held, limit, undefined)
    const conversation = this.core.rows.find((row) => row.conversation_id === conversation_id)
    const rest = {
      conversation,
      inflight: null,
      queued: [],
      open_requests: [],
      latest_seq: held.seq,
      epoch: this.epoch,
    }
    return `{"jsonrpc":"2.0","id":${id},"result":{"page":${page},${JSON.stringify(rest).slice(1)}}`
  }

  private get epoch(): string {
    return this.core.health.epoch
  }

  private of(conversation: ConversationId): Held {
    const held = this.held.get(conversation)
    if (held === undefined) throw new Error(`the fake bridge holds no conversation ${conversation}`)
    return held
  }

  private frame(type: EventType, payload: unknown, conversation: ConversationId, turn: string): object {
    const held = this.of(conversation)
    held.seq++
    return {
      type,
      profile: DEFAULT_PROFILE,
      session_id: conversation,
      conversation_id: conversation,
      epoch: this.epoch,
      seq: held.seq,
      turn,
      payload,
    }
  }
}

function pageOf({ rows, texts }: Held, limit: number, before: RowCursor | undefined): string {
  const end =
    before === undefined
      ? rows.length
      : rows.findIndex((row) => row.segment_no === before.segment_no && row.pos === before.pos)
  const start = Math.max(0, end - limit)
  const facts = `"has_before":${start > 0},"has_after":${end < rows.length},"total":${rows.length}`
  return `{"rows":[${texts.slice(start, end).join(',')}],${facts}}`
}

/** Puts it behind `window.herma`. Call before the app's scripts run. */
export function installFakeBridge(): FakeBridge {
  const bridge = new FakeBridge()
  Object.assign(window, { herma: bridge })
  return bridge
}
