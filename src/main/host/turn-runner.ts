/**
 * Queues become turns here (session-db 3.3, 4). One lane a conversation: claim the head, run it, release the room, take
 * the next. A conversation that is busy elsewhere is asked again every second, for 1800 s at most; then the input goes
 * back to its writer.
 */
import {
  type AdmissionId,
  type BackendId,
  type ConversationId,
  type SessionId,
  type TurnId,
  ulid,
} from '../../shared/ids.ts'
import type { Lease } from '../../shared/ledger.ts'
import type { Clock } from '../../shared/time.ts'
import type { Interruption, TurnContext, TurnResult } from '../kernel/index.ts'
import { runTurn } from '../kernel/index.ts'
import {
  type Admission,
  asResult,
  claimHead,
  findLease,
  getConversation,
  LEASE_REFRESH_MS,
  LEASE_WAIT_MS,
  rejectBusy,
  releaseLease,
  renewLease,
  waitingAdmissions,
} from '../sessions/index.ts'
import type { Store } from '../storage/index.ts'
import type { EventStream } from './events.ts'
import { LiveTurn } from './turn-events.ts'

const BUSY_POLL_MS = 1_000

export interface RunnerPorts {
  readonly store: Store
  readonly clock: Clock
  readonly events: EventStream
  readonly backend: BackendId
  readonly epoch: () => number
  /** Everything a turn needs beside its lease; refusing (no usable provider) ends the turn with that reason. */
  readonly contextFor: (start: TurnStart) => Promise<TurnContext>
  /** Tells windows that a conversation's row has changed. */
  readonly rowChanged: (conversation: ConversationId) => void
  readonly onFault: (where: string, error: unknown) => void
}

export interface TurnStart {
  readonly admission: Admission
  readonly lease: Lease
  readonly session: SessionId
  readonly turn: TurnId
  readonly live: LiveTurn
  readonly signal: AbortSignal
}

interface Running {
  readonly turn: TurnId
  readonly live: LiveTurn
  readonly abort: AbortController
}

export class TurnRunner {
  readonly #ports: RunnerPorts
  readonly #lanes = new Map<ConversationId, Promise<void>>()
  readonly #wanted = new Set<ConversationId>()
  readonly #running = new Map<ConversationId, Running>()
  readonly #closing = new AbortController()
  /** A one-shot command claims its own admission only (decisions 23); null = everything. */
  readonly #only: ReadonlySet<AdmissionId> | null

  constructor(ports: RunnerPorts, only: ReadonlySet<AdmissionId> | null = null) {
    this.#ports = ports
    this.#only = only
  }

  /** Makes sure that what is queued for a conversation runs. Returns at once. */
  wake(conversation: ConversationId): void {
    if (this.#closing.signal.aborted) return
    this.#wanted.add(conversation)
    if (this.#lanes.has(conversation)) return
    const lane = this.#lane(conversation)
      .catch((error: unknown) => this.#ports.onFault(`lane ${conversation}`, error))
      .finally(() => {
        this.#lanes.delete(conversation)
        if (this.#wanted.has(conversation)) this.wake(conversation)
      })
    this.#lanes.set(conversation, lane)
  }

  running(conversation: ConversationId): Running | undefined {
    return this.#running.get(conversation)
  }
  get runningTurns(): number {
    return this.#running.size
  }

  /** A late stop never hits the next turn: it carries the turn it means (kernel 1.6). */
  interrupt(conversation: ConversationId, turn: TurnId | undefined, by: Interruption): boolean {
    const running = this.#running.get(conversation)
    if (running === undefined || (turn !== undefined && running.turn !== turn)) return false
    running.live.inflight.stopping = true
    running.abort.abort(by)
    return true
  }

  /** Stops claiming, ends what runs, waits until every lane has put its facts down. */
  async drain(): Promise<void> {
    this.#closing.abort()
    this.#wanted.clear()
    for (const running of this.#running.values()) running.abort.abort('shutdown' satisfies Interruption)
    await Promise.all(this.#lanes.values())
  }

  /** Resolves when nothing of the conversation runs any more; for a one-shot command. */
  async idle(conversation: ConversationId): Promise<void> {
    await this.#lanes.get(conversation)
  }

  async #lane(conversation: ConversationId): Promise<void> {
    const waitingSince = this.#ports.clock.monotonic()
    for (;;) {
      this.#wanted.delete(conversation)
      if (this.#closing.signal.aborted) return
      if (!this.#mayClaim(conversation)) return
      const claim = await asResult(
        this.#ports.store.write('admission.claim', 'admission', (db) =>
          claimHead(
            db,
            {
              conversation,
              backend: this.#ports.backend,
              epoch: this.#ports.epoch(),
              reclaimable: this.#ownLeftover(conversation),
            },
            this.#ports.clock.now(),
          ),
        ),
      )
      if (claim.ok && claim.value === null) return
      if (claim.ok && claim.value !== null) {
        await this.#turn(claim.value.admission, claim.value.lease)
        continue
      }
      if (claim.ok) continue
      if (claim.refusal.code !== 'session_busy') return
      if (!(await this.#waitForRoom(conversation, waitingSince))) return
    }
  }

  #mayClaim(conversation: ConversationId): boolean {
    if (this.#only === null) return true
    const head = waitingAdmissions(this.#ports.store.read, conversation)[0]
    return head !== undefined && this.#only.has(head.id)
  }

  /** A lease of this very process whose lane is gone: only a fault leaves one, and nobody else would free it. */
  #ownLeftover(conversation: ConversationId): { holder: string; generation: number } | undefined {
    const lease = findLease(this.#ports.store.read, conversation)
    return lease?.backend === this.#ports.backend && !this.#running.has(conversation) ? lease : undefined
  }

  /** @returns false when the wait is over and the input was given back */
  async #waitForRoom(conversation: ConversationId, since: number): Promise<boolean> {
    const { clock, store, events } = this.#ports
    const waited = clock.monotonic() - since
    const head = waitingAdmissions(store.read, conversation).find((admission) => admission.status === 'queued')
    if (head === undefined) return false
    if (waited >= LEASE_WAIT_MS) {
      await store.write('admission.reject', 'admission', (db) => rejectBusy(db, head.id, clock.now()))
      this.#ports.rowChanged(conversation)
      return true
    }
    if (Math.round(waited / 1000) % 15 === 0)
      events.emit({ conversation, session: getConversation(store.read, conversation).tip }, 'status.update', {
        kind: 'waiting_lease',
        text: 'Another process is using this conversation.',
      })
    await clock.sleep(BUSY_POLL_MS, this.#closing.signal)
    return true
  }

  async #turn(admission: Admission, lease: Lease): Promise<void> {
    const { store, clock, events, rowChanged } = this.#ports
    const { conversation } = lease
    const turn = ulid(clock.now()) as TurnId
    const session = getConversation(store.read, conversation).tip
    const live = new LiveTurn({
      identity: { turn, conversation, session, admission: admission.id },
      events,
      db: store.read,
      clock,
    })
    const abort = new AbortController()
    this.#running.set(conversation, { turn, live, abort })
    rowChanged(conversation)
    const over = new AbortController()
    const keeper = this.#keep(lease, abort, over.signal)
    try {
      await this.#run({ admission, lease, session, turn, live, signal: abort.signal })
    } finally {
      // Release order (session-db 4.7): settled and published above; keeper joined, then the room given back.
      over.abort()
      await keeper
      this.#running.delete(conversation)
      await store.write('lease.release', 'routine', (db) => releaseLease(db, lease))
      rowChanged(conversation)
    }
  }

  async #run(start: TurnStart): Promise<TurnResult> {
    return runTurn(await this.#ports.contextFor(start))
  }

  /** Renews until the turn is over; a lost or failing lease interrupts the turn (session-db 4.5). */
  async #keep(lease: Lease, abort: AbortController, over: AbortSignal): Promise<void> {
    const { clock, store, onFault } = this.#ports
    for (;;) {
      await clock.sleep(LEASE_REFRESH_MS, over)
      if (over.aborted) return
      try {
        const held = await store.write('lease.renew', 'routine', (db) => renewLease(db, lease, clock.now()))
        if (!held) return abort.abort('lease_lost' satisfies Interruption)
      } catch (error) {
        onFault('lease.renew', error)
        return abort.abort('lease_lost' satisfies Interruption)
      }
    }
  }
}
