/**
 * The running turn as its watchers see it: wire events in order, and the part that is not in the ledger yet (`inflight`),
 * which a window that comes late gets with its snapshot. Deltas are grouped to one frame (33 ms, kernel 8.1).
 */
import { type Inflight, statusOf, type Usage } from '../../shared/contract/index.ts'
import { truncate } from '../../shared/text.ts'
import type { Clock } from '../../shared/time.ts'
import type { HistoryRow, TurnEvents, TurnIdentity, UsageCount } from '../kernel/ports.ts'
import { displayRowOf } from '../sessions/index.ts'
import type { ReadableDb } from '../storage/index.ts'
import type { EventStream } from './events.ts'

const DELTA_GROUP_MS = 33
/** What a late window gets of live output: enough for the last screens of it. */
const OUTPUT_TAIL_CHARS = 20_000

export class LiveTurn implements TurnEvents {
  readonly identity: TurnIdentity
  readonly inflight: Inflight & { stopping: boolean }
  readonly #events: EventStream
  readonly #db: ReadableDb
  readonly #clock: Clock
  readonly #owner: {
    conversation: TurnIdentity['conversation']
    session: TurnIdentity['session']
    turn: TurnIdentity['turn']
  }
  #pending: { kind: 'message.delta' | 'reasoning.delta'; text: string } | null = null
  #flushing = false

  constructor(ports: { identity: TurnIdentity; events: EventStream; db: ReadableDb; clock: Clock }) {
    this.identity = ports.identity
    this.#events = ports.events
    this.#db = ports.db
    this.#clock = ports.clock
    this.#owner = {
      conversation: ports.identity.conversation,
      session: ports.identity.session,
      turn: ports.identity.turn,
    }
    this.inflight = {
      turn: ports.identity.turn,
      text: '',
      reasoning: '',
      running: [],
      started_at: ports.clock.now(),
      stopping: false,
      status: null,
    }
  }

  started(inputs: readonly HistoryRow[], binding: { model: string; provider: string }): void {
    this.#emit('message.start', {
      turn: this.identity.turn,
      admission_id: this.identity.admission,
      inputs: inputs.map((row) => displayRowOf(this.#db, this.identity.conversation, row.uid)),
      model: binding.model,
      provider: binding.provider,
    })
  }
  delta(text: string): void {
    this.inflight.text += text
    this.#group('message.delta', text)
  }
  reasoning(text: string): void {
    this.inflight.reasoning += text
    this.#group('reasoning.delta', text)
  }
  generating(name: string): void {
    this.#emit('tool.generating', { name })
  }
  interim(row: HistoryRow): void {
    this.#flush()
    const streamed = this.inflight.text !== ''
    this.inflight.text = ''
    this.inflight.reasoning = ''
    this.#emit('message.interim', {
      text: truncate(row.content, 32_768),
      already_streamed: streamed,
      row: displayRowOf(this.#db, this.identity.conversation, row.uid),
    })
  }
  toolStarted(toolId: string, row: HistoryRow, index: number): void {
    const call = row.calls[index]
    const started_at = this.#clock.now()
    const shown = { tool_id: toolId, name: call?.name ?? '', args: truncate(call?.arguments ?? '', 8_192), started_at }
    this.inflight.running.push({ ...shown, output: '' })
    this.#emit('tool.start', { ...shown, call_uid: row.uid, call_index: index })
  }
  toolProgress(toolId: string, stream: 'stdout' | 'stderr' | 'note', text: string): void {
    const running = this.inflight.running.find((call) => call.tool_id === toolId)
    if (running !== undefined) running.output = (running.output + text).slice(-OUTPUT_TAIL_CHARS)
    this.#emit('tool.progress', { tool_id: toolId, stream, text: truncate(text, 60_000) })
  }
  toolCompleted(
    toolId: string,
    row: HistoryRow,
    outcome: { effect: HistoryRow['effect']; record: { summary: string; duration_ms: number | null } },
  ): void {
    const at = this.inflight.running.findIndex((call) => call.tool_id === toolId)
    if (at >= 0) this.inflight.running.splice(at, 1)
    this.#emit('tool.complete', {
      tool_id: toolId,
      name: row.answers?.name ?? '',
      result: truncate(row.content, 1_500),
      summary: outcome.record.summary,
      duration_s: outcome.record.duration_ms === null ? null : outcome.record.duration_ms / 1000,
      effect: outcome.effect,
      row: displayRowOf(this.#db, this.identity.conversation, row.uid),
    })
  }
  status(kind: Parameters<TurnEvents['status']>[0], text: string): void {
    this.inflight.status = { kind, text }
    this.#emit('status.update', { kind, text })
  }
  completed(result: Parameters<TurnEvents['completed']>[0]): void {
    this.#emit('message.complete', {
      text: truncate(result.text, 32_768),
      end_reason: result.reason,
      status: statusOf(result.reason),
      detail: result.detail,
      usage: toWireUsage(result.usage),
      server_message_id: result.answer?.uid ?? null,
      row: result.answer === null ? null : displayRowOf(this.#db, this.identity.conversation, result.answer.uid),
      undelivered: [...result.undelivered],
      error_surface: result.failure,
      cleanup_errors: [...result.cleanupErrors],
    })
  }

  #emit: EventStreamEmit = (type, payload) => {
    this.#flush()
    this.#events.emit(this.#owner, type, payload)
  }

  #group(kind: 'message.delta' | 'reasoning.delta', text: string): void {
    if (this.#pending !== null && this.#pending.kind !== kind) this.#flush()
    this.#pending = { kind, text: (this.#pending?.text ?? '') + text }
    if (this.#flushing) return
    this.#flushing = true
    void this.#clock.sleep(DELTA_GROUP_MS).then(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = null
    if (pending !== null) this.#events.emit(this.#owner, pending.kind, { text: pending.text })
  }
}

type EventStreamEmit = <T extends Parameters<EventStream['emit']>[1]>(
  type: T,
  payload: Parameters<typeof EventStream.prototype.emit<T>>[2],
) => void

export const toWireUsage = (usage: UsageCount): Usage => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cache_read_tokens: usage.cacheReadTokens,
  reasoning_tokens: usage.reasoningTokens,
  cost_usd: usage.costMicros === null ? null : usage.costMicros / 1_000_000,
})
