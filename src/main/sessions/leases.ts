/**
 * The turn lease (session-db 4): who may advance a conversation now. A lease is a fact of ownership across processes;
 * the generation is a fencing number that only grows, so a late owner can never write over a new one.
 *
 * TTL 300 s covers an owner that stopped renewing; 60 s between renewals gives four tries before that; 1800 s is how
 * long an input waits for a busy conversation before it is given back (kernel 1.1, numbers of the contract).
 */
import type { AdmissionId, BackendId, ConversationId } from '../../shared/ids.ts'
import type { Lease } from '../../shared/ledger.ts'
import { type ReadableDb, sql, type WritableDb } from '../storage/index.ts'
import { RefusalError } from './refusal-error.ts'

export const LEASE_TTL_MS = 300_000
export const LEASE_REFRESH_MS = 60_000
export const LEASE_WAIT_MS = 1_800_000

export type LeasePurpose = 'turn' | 'compress' | 'rewind' | 'delete' | 'import' | 'recover'

export interface LeaseRecord {
  readonly holder: string
  readonly backend: BackendId
  readonly generation: number
  readonly admission: AdmissionId | null
  readonly purpose: LeasePurpose
  readonly acquiredAt: number
  readonly renewedAt: number
  readonly expiresAt: number
}

const FIND = sql`
  select holder, backend_id backend, generation, admission_id admission, purpose, acquired_at acquiredAt,
    renewed_at renewedAt, expires_at expiresAt
  from session_turn_leases where conversation_id = :conversation`

export const findLease = (db: ReadableDb, conversation: ConversationId): LeaseRecord | undefined =>
  db.get<LeaseRecord>(FIND, { conversation })

const NEXT_GENERATION = sql`
  update conversations set runtime_generation = runtime_generation + 1 where id = :conversation`
const GENERATION = sql`select runtime_generation generation from conversations where id = :conversation`
const TAKE = sql`
  insert into session_turn_leases(conversation_id, holder, backend_id, generation, admission_id, purpose, acquired_at, renewed_at, expires_at)
  values (:conversation, :holder, :backend, :generation, :admission, :purpose, :now, :now, :now + :ttl)
  on conflict(conversation_id) do update set holder = excluded.holder, backend_id = excluded.backend_id,
    generation = excluded.generation, admission_id = excluded.admission_id, purpose = excluded.purpose,
    acquired_at = excluded.acquired_at, renewed_at = excluded.renewed_at, expires_at = excluded.expires_at`

export interface LeaseRequest {
  readonly conversation: ConversationId
  readonly holder: string
  readonly backend: BackendId
  readonly admission: AdmissionId | null
  readonly purpose: LeasePurpose
  /**
   * The lease row that was probed and found reclaimable outside this transaction (owner proven dead, or expiry
   * confirmed). It is taken only if the row is still exactly that one.
   */
  readonly reclaimable?: Pick<LeaseRecord, 'holder' | 'generation'> | undefined
}

/** Takes the room, inside the caller's transaction. @throws RefusalError `session_busy` naming the holder's facts */
export function acquireLease(db: WritableDb, request: LeaseRequest, nowMs: number): Lease {
  const current = findLease(db, request.conversation)
  const mayTake =
    current === undefined ||
    (request.reclaimable !== undefined &&
      request.reclaimable.holder === current.holder &&
      request.reclaimable.generation === current.generation)
  if (!mayTake)
    throw new RefusalError('session_busy', 'Another process is using this conversation.', {
      next: 'It runs as soon as the other one is finished.',
      data: { holder: current.holder, since: current.acquiredAt, generation: current.generation },
    })
  if (db.run(NEXT_GENERATION, { conversation: request.conversation }) === 0)
    throw new RefusalError('not_found', `There is no conversation ${request.conversation}.`)
  const generation = db.get<{ generation: number }>(GENERATION, { conversation: request.conversation })?.generation ?? 0
  db.run(TAKE, {
    conversation: request.conversation,
    holder: request.holder,
    backend: request.backend,
    generation,
    admission: request.admission,
    purpose: request.purpose,
    now: nowMs,
    ttl: LEASE_TTL_MS,
  })
  return { conversation: request.conversation, holder: request.holder, generation, admission: request.admission }
}

const HOLDS = sql`
  select 1 from session_turn_leases
  where conversation_id = :conversation and holder = :holder and generation = :generation`

/** The fence of session-db 4.4: mismatch or absence means the authority is lost. @throws RefusalError `lease_lost` */
export function assertFence(db: ReadableDb, lease: Lease): void {
  const held = db.get(HOLDS, { conversation: lease.conversation, holder: lease.holder, generation: lease.generation })
  if (held === undefined)
    throw new RefusalError('lease_lost', 'Another process took over this conversation; nothing more was written here.')
}

const RENEW = sql`
  update session_turn_leases set renewed_at = max(renewed_at, :now), expires_at = max(expires_at, :now + :ttl)
  where conversation_id = :conversation and holder = :holder and generation = :generation`

/** Extends the lease. False = it is somebody else's now. */
export const renewLease = (db: WritableDb, lease: Lease, nowMs: number): boolean =>
  db.run(RENEW, {
    conversation: lease.conversation,
    holder: lease.holder,
    generation: lease.generation,
    now: nowMs,
    ttl: LEASE_TTL_MS,
  }) === 1

/** An expired lease that nobody took is still ours: the write renews it (session-db 4.4, S-33). */
export const RENEW_IF_EXPIRED = sql`
  update session_turn_leases set renewed_at = :now, expires_at = :now + ${String(LEASE_TTL_MS)}
  where conversation_id = :conversation and holder = :holder and generation = :generation and expires_at <= :now`

const RELEASE = sql`
  delete from session_turn_leases
  where conversation_id = :conversation and holder = :holder and generation = :generation`

/** Gives the room back; repeatable, and never removes a successor's lease. */
export const releaseLease = (db: WritableDb, lease: Lease): void => {
  db.run(RELEASE, { conversation: lease.conversation, holder: lease.holder, generation: lease.generation })
}
