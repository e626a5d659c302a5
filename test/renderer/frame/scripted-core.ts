/**
 * A core of a few lines for tests of the frame: it answers by the contract's own schemas, holds conversations, drafts and
 * settings in memory, and does what a test scripts. It stands behind `createClient`, or behind `window.herma` of a page.
 */
import type { BridgeInfo } from '../../../src/shared/bridge.ts'
import type { Transport } from '../../../src/shared/client.ts'
import {
  type ConversationRow,
  type EventPayload,
  type EventType,
  type MethodName,
  methods,
  type Params,
  PROTOCOL,
  type QueuedInput,
  type Refusal,
  type ResultOf,
  type SessionSnapshot,
  toErrorObject,
} from '../../../src/shared/contract/index.ts'
import { type ConversationId, DEFAULT_PROFILE, newConversationId } from '../../../src/shared/ids.ts'
import type { Json } from '../../../src/shared/schema.ts'
import { aConfiguration, aHealth, aRow, someProviders } from './builders.ts'

/** What a test makes of one call: a value, a refusal, or `drop` (the connection breaks instead of answering). */
export type Scripted<M extends MethodName> =
  | { readonly value: ResultOf<M> }
  | { readonly refusal: Refusal }
  | { readonly drop: true }

type Handler<M extends MethodName> = (params: Params<M>) => Scripted<M> | undefined | Promise<Scripted<M> | undefined>

export const info: BridgeInfo = { profile: 'default', platform: 'linux', version: '0.1.0', protocol: PROTOCOL }

export class ScriptedCore {
  readonly calls: { method: MethodName; params: Record<string, unknown> }[] = []
  readonly uiState = new Map<string, Json>()
  readonly snapshots = new Map<string, Partial<SessionSnapshot>>()
  readonly queue: QueuedInput[] = []
  rows: ConversationRow[] = []
  health = aHealth()
  options: ResultOf<'model.options'> = {
    provider: 'demo',
    model: 'demo',
    base_url: 'http://127.0.0.1/v1',
    chosen: true,
    providers: someProviders(),
  }
  private readonly listeners = new Set<(message: string) => void>()
  private readonly scripts = new Map<MethodName, Handler<never>[]>()
  private readonly created = new Map<string, ConversationId>()
  private readonly admitted = new Map<string, ResultOf<'prompt.submit'>>()
  private seq = 0

  /** The next call of `method` is answered by `handler`; undefined falls through to the ordinary answer. */
  once<M extends MethodName>(method: M, handler: Handler<M>): void {
    this.scripts.set(method, [...(this.scripts.get(method) ?? []), handler as Handler<never>])
  }

  /** How often `method` was called. */
  count(method: MethodName): number {
    return this.calls.filter((call) => call.method === method).length
  }

  emit<T extends EventType>(type: T, payload: EventPayload<T>, conversation: ConversationId | null = null): void {
    this.seq += conversation === null ? 0 : 1
    const frame = {
      type,
      profile: DEFAULT_PROFILE,
      session_id: conversation,
      conversation_id: conversation,
      epoch: this.health.epoch,
      seq: conversation === null ? 0 : this.seq,
      payload,
    }
    this.send({ jsonrpc: '2.0', method: 'event', params: frame })
  }

  /** Any frame, as it is. */
  send(frame: object): void {
    for (const listener of this.listeners) listener(JSON.stringify(frame))
  }

  /** Replaces a row and says so, as the core does after each change. */
  change(row: ConversationRow): void {
    this.rows = [...this.rows.filter((other) => other.conversation_id !== row.conversation_id), row]
    this.emit('session.info', { info_revision: row.revision, row }, row.conversation_id)
  }

  transport(): Transport {
    return {
      kind: 'in-process',
      call: (message) => this.answer(message),
      subscribe: (listener) => this.subscribe(listener),
    }
  }

  subscribe(listener: (message: string) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** One request frame in, one response frame out; rejects when a script says `drop`. */
  async answer(message: string): Promise<string> {
    const { id, method, params } = JSON.parse(message) as { id: number; method: MethodName; params: Json }
    const parsed = methods[method].params.safeParse(params)
    if (!parsed.success)
      throw new Error(`the screen sent params of ${method} that the contract refuses: ${parsed.error}`)
    this.calls.push({ method, params: parsed.data as Record<string, unknown> })
    const script = this.scripts.get(method)?.shift()
    const scripted =
      (await script?.(parsed.data as never)) ?? (this.ordinary(method, parsed.data) as Scripted<MethodName>)
    if ('drop' in scripted) throw new Error('the connection broke before the answer came')
    const body =
      'refusal' in scripted
        ? { error: toErrorObject(scripted.refusal) }
        : { result: methods[method].result.parse(scripted.value) }
    return JSON.stringify({ jsonrpc: '2.0', id, ...body })
  }

  private ordinary(method: MethodName, raw: unknown): Scripted<never> {
    const answer = this.handlers[method]
    if (answer === undefined) throw new Error(`the scripted core does not know ${method}`)
    return answer(raw as never) as Scripted<never>
  }

  private find(id: ConversationId): ConversationRow | undefined {
    return this.rows.find((row) => row.conversation_id === id)
  }

  private readonly notFound = (id: string) => ({
    refusal: { code: 'not_found' as const, message: `There is no conversation ${id}.`, retry: false },
  })

  private readonly handlers: { readonly [M in MethodName]?: (params: Params<M>) => Scripted<M> } = {
    'health.get': () => ({ value: this.health }),
    'model.options': () => ({ value: this.options }),
    'config.get': () => ({ value: aConfiguration() }),
    'model.set': ({ provider, model, base_url }) => {
      this.options = { ...this.options, provider, model, chosen: true, base_url: base_url ?? this.options.base_url }
      return { value: { revision: 2 } }
    },
    'model.test': () => ({ value: { outcome: 'ok', detail: 'It listed its models.', models: ['model-a', 'model-b'] } }),
    'model.detect_local': () => ({
      value: { servers: [{ base_url: 'http://127.0.0.1:11434/v1', models: ['llama'] }] },
    }),
    'credentials.add': ({ provider, key, keep }) => {
      const last_four = key.slice(-4)
      this.options = {
        ...this.options,
        providers: this.options.providers.map((other) =>
          other.name === provider
            ? { ...other, key: { state: 'set', last_four, set_at: 1_700_000_000_000, storage: 'memory' } }
            : other,
        ),
      }
      return { value: { storage: keep === 'stored' ? 'file' : 'memory', last_four } }
    },
    'credentials.remove': () => ({ value: { removed: true } }),
    'ui_state.get': ({ keys }) => ({
      value: {
        values: Object.fromEntries(
          keys.flatMap((key) => (this.uiState.has(key) ? [[key, this.uiState.get(key) as never]] : [])),
        ),
      },
    }),
    'ui_state.set': ({ key, value }) => {
      if (value === null) this.uiState.delete(key)
      else this.uiState.set(key, value)
      return { value: { stored: true } }
    },
    'session.list': ({ search, cursor, limit }) => {
      const matching = this.rows
        .filter(
          (row) => search === undefined || `${row.title} ${row.preview}`.toLowerCase().includes(search.toLowerCase()),
        )
        .sort((a, b) => b.last_activity_at - a.last_activity_at)
      const from = cursor === undefined ? 0 : Number(cursor)
      const rows = matching.slice(from, from + limit)
      const next = from + rows.length < matching.length ? String(from + rows.length) : null
      return { value: { rows, next_cursor: next, total: matching.length } }
    },
    'session.info': ({ conversation_id }) => {
      const row = this.find(conversation_id)
      return row === undefined ? this.notFound(conversation_id) : { value: row }
    },
    'session.create': ({ request_id }) => {
      const known = this.created.get(request_id) ?? newConversationId(1_700_000_000_000)
      this.created.set(request_id, known)
      if (this.find(known) === undefined) this.rows.push(aRow({ conversation_id: known, session_id: known as never }))
      return { value: { session_id: known as never, conversation_id: known } }
    },
    'session.title': ({ conversation_id, title }) => {
      const row = this.find(conversation_id)
      if (row === undefined) return this.notFound(conversation_id)
      const next = { ...row, title: title === '' ? null : title, revision: row.revision + 1 }
      this.rows = this.rows.map((other) => (other === row ? next : other))
      return { value: next }
    },
    'session.resume': ({ conversation_id }) => {
      const row = this.find(conversation_id)
      if (row === undefined) return this.notFound(conversation_id)
      return {
        value: {
          conversation: row,
          page: { rows: [], has_before: false, has_after: false, total: 0 },
          inflight: null,
          queued: this.queue,
          open_requests: [],
          latest_seq: this.seq,
          epoch: this.health.epoch,
          ...this.snapshots.get(conversation_id),
        },
      }
    },
    'events.since': ({ epoch }) => ({
      value: { events: [], truncated: true, latest_seq: this.seq, epoch, open_requests: [] },
    }),
    'prompt.submit': ({ request_id }) => {
      const known = this.admitted.get(request_id)
      const answer: ResultOf<'prompt.submit'> = {
        admission_id: `adm-${request_id}` as never,
        delivery: 'streaming',
        position: 1,
        duplicate: known !== undefined,
        status: 'queued',
      }
      this.admitted.set(request_id, answer)
      return { value: answer }
    },
    'turn.interrupt': () => ({ value: { interrupted: true } }),
    'queue.list': () => ({ value: { items: this.queue } }),
    'queue.cancel': ({ admission_id }) => {
      const at = this.queue.findIndex((item) => item.admission_id === admission_id)
      const [item] = at === -1 ? [] : this.queue.splice(at, 1)
      return { value: { text: item?.text ?? '' } }
    },
    'approval.pending': () => ({ value: { requests: [] } }),
    'approval.respond': ({ choice }) => ({ value: { choice } }),
  }
}
