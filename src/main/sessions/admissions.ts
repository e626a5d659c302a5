/**
 * Accepted input: its identity, its order, its unknowns (session-db 3). An input is committed here before anyone says
 * "accepted" (I1); one identity is one admission (I2).
 *
 * queued → started → terminal, or unknown when a crash left the boundary uncertain. The database itself refuses every
 * other step (trigger `tg_adm_flow`). What reconcile decides stands in `reconcile.ts`.
 */
import { type EndReason, INPUT_PAYLOAD_BYTES } from '../../shared/contract/index.ts'
import { type AdmissionId, type BackendId, type ConversationId, type RequestId, ulid } from '../../shared/ids.ts'
import type { Lease } from '../../shared/ledger.ts'
import { scrubSurrogates } from '../../shared/text.ts'
import { type ReadableDb, sql, type WritableDb } from '../storage/index.ts'
import { canonicalJson, sha256 } from './canonical.ts'
import { findConversation } from './conversations.ts'
import { acquireLease, type LeaseRequest } from './leases.ts'
import { RefusalError } from './refusal-error.ts'

export type Intent = 'queue' | 'steer' | 'redirect'
export type AdmissionStatus = 'queued' | 'started' | 'unknown' | 'terminal'
export type Outcome = 'completed' | 'interrupted' | 'rejected' | 'failed' | 'cancelled' | 'merged'

export interface Admission {
  readonly seq: number
  readonly id: AdmissionId
  readonly principal: string
  readonly conversation: ConversationId
  readonly request: RequestId
  readonly intent: Intent
  readonly status: AdmissionStatus
  readonly outcome: Outcome | null
  readonly endReason: EndReason | null
  readonly text: string
  readonly digest: string
  readonly generation: number | null
  readonly ownerEpoch: number | null
  readonly attempts: number
  /** 1: the user row is there already; the turn goes on after it. */
  readonly resume: boolean
  readonly needsUser: boolean
  readonly submittedAt: number
  readonly settledAt: number | null
}

export interface AdmissionRow extends Omit<Admission, 'text' | 'resume' | 'needsUser'> {
  readonly payload: string
  readonly resume: 0 | 1
  readonly needsUser: 0 | 1
}

export const ADMISSION_COLUMNS = sql`
  seq, admission_id id, principal_id principal, target_session_id conversation, request_id request, intent, status,
  outcome, end_reason endReason, payload, payload_digest digest, generation, owner_epoch ownerEpoch, attempts, resume,
  needs_user needsUser, submitted_at submittedAt, settled_at settledAt`

export const admissionFrom = ({ payload, resume, needsUser, ...row }: AdmissionRow): Admission => {
  const input = JSON.parse(payload) as { text?: string }
  return { ...row, text: input.text ?? '', resume: resume === 1, needsUser: needsUser === 1 }
}

const BY_ID = sql`select ${ADMISSION_COLUMNS} from session_admissions where admission_id = :id`
const BY_IDENTITY = sql`
  select ${ADMISSION_COLUMNS} from session_admissions
  where principal_id = :principal and target_session_id = :conversation and request_id = :request`

export const findAdmission = (db: ReadableDb, id: AdmissionId): Admission | undefined => {
  const row = db.get<AdmissionRow>(BY_ID, { id })
  return row && admissionFrom(row)
}

/** @throws RefusalError `not_found` */
export function getAdmission(db: ReadableDb, id: AdmissionId): Admission {
  const found = findAdmission(db, id)
  if (found === undefined) throw new RefusalError('not_found', `There is no input ${id}.`)
  return found
}

export interface Submission {
  readonly principal: string
  readonly conversation: ConversationId
  readonly request: RequestId
  readonly intent: Intent
  readonly text: string
}

const INSERT = sql`
  insert into session_admissions(admission_id, principal_id, target_session_id, request_id, intent, status, payload, payload_digest, submitted_at)
  values (:id, :principal, :conversation, :request, :intent, 'queued', :payload, :digest, :now)`

/**
 * T1–T3. A new input is queued; the same identity with the same content gives the first admission back as it is now,
 * with other content it is refused and nothing is written.
 * @throws RefusalError `invalid_params` (empty, too large), `not_found`, `admission_conflict`
 */
export function submit(
  db: WritableDb,
  submission: Submission,
  nowMs: number,
): { admission: Admission; duplicate: boolean } {
  const { principal, conversation, request, intent } = submission
  const text = scrubSurrogates(submission.text)
  if (text.trim() === '')
    throw new RefusalError('invalid_params', 'The message is empty.', { next: 'Write something and send it again.' })
  const payload = canonicalJson({ text })
  const bytes = Buffer.byteLength(payload)
  if (bytes > INPUT_PAYLOAD_BYTES)
    throw new RefusalError(
      'invalid_params',
      `The message is too large: ${bytes.toLocaleString('en')} bytes, at most ${INPUT_PAYLOAD_BYTES.toLocaleString('en')} are accepted.`,
      { next: 'Put the long part into a file and name the file, or split the message. Nothing was sent.' },
    )
  const digest = sha256(canonicalJson({ payload: { input: { text }, intent }, target: conversation }))
  const earlier = db.get<AdmissionRow>(BY_IDENTITY, { principal, conversation, request })
  if (earlier !== undefined) {
    if (earlier.digest !== digest)
      throw new RefusalError(
        'admission_conflict',
        'This request id was used before with other content; nothing was written.',
        {
          next: 'Send the new text under a new request id.',
        },
      )
    return { admission: admissionFrom(earlier), duplicate: true }
  }
  if (findConversation(db, conversation) === undefined)
    throw new RefusalError('not_found', `There is no conversation ${conversation}; nothing was accepted.`, {
      next: 'Start a new chat and send the text there.',
    })
  const id = ulid(nowMs) as AdmissionId
  db.run(INSERT, { id, principal, conversation, request, intent, payload, digest, now: nowMs })
  return { admission: getAdmission(db, id), duplicate: false }
}

const WAITING = sql`
  select ${ADMISSION_COLUMNS} from session_admissions
  where target_session_id = :conversation and status in ('queued', 'started', 'unknown')
  order by case when status in ('started', 'unknown') then 0 when intent = 'redirect' then 1 else 2 end, seq`

/** Everything of a conversation that is not settled, in the order in which it will run (session-db 3.3). */
export const waitingAdmissions = (db: ReadableDb, conversation: ConversationId): Admission[] =>
  db.all<AdmissionRow>(WAITING, { conversation }).map(admissionFrom)

const HEAD = sql`
  select ${ADMISSION_COLUMNS} from session_admissions
  where target_session_id = :conversation and status = 'queued' order by intent <> 'redirect', seq limit 1`
const BLOCKER = sql`
  select status from session_admissions
  where target_session_id = :conversation and status in ('started', 'unknown') order by status desc limit 1`
const WITH_QUEUE = sql`select distinct target_session_id id from session_admissions where status = 'queued'`

/** Conversations that have something queued; used once at start. */
export const queuedConversations = (db: ReadableDb): ConversationId[] =>
  db.all<{ id: ConversationId }>(WITH_QUEUE).map((row) => row.id)

const START = sql`
  update session_admissions set status = 'started', generation = :generation, owner_epoch = :epoch,
    attempts = attempts + 1, started_at = :now
  where admission_id = :id and status = 'queued'`

/**
 * T4: the head of the queue becomes started and its turn gets the room, in one transaction. null = nothing to claim.
 * @throws RefusalError `unknown_execution`, `busy` (a started row), `session_busy` (lease elsewhere), `stale_epoch`
 */
export function claimHead(
  db: WritableDb,
  claim: { conversation: ConversationId; backend: BackendId; epoch: number; reclaimable?: LeaseRequest['reclaimable'] },
  nowMs: number,
): { admission: Admission; lease: Lease } | null {
  assertEpoch(db, claim.epoch)
  const head = db.get<AdmissionRow>(HEAD, { conversation: claim.conversation })
  if (head === undefined) return null
  const blocker = db.get<{ status: 'started' | 'unknown' }>(BLOCKER, { conversation: claim.conversation })
  if (blocker?.status === 'unknown')
    throw new RefusalError('unknown_execution', 'An earlier input has an unknown outcome; decide about it first.', {
      next: 'Choose Continue or Stop on that message.',
    })
  if (blocker !== undefined) throw new RefusalError('busy', 'A turn of this conversation is running.')
  const lease = acquireLease(
    db,
    {
      conversation: claim.conversation,
      holder: `${claim.backend}:${head.id}:${head.attempts + 1}`,
      backend: claim.backend,
      admission: head.id,
      purpose: 'turn',
      reclaimable: claim.reclaimable,
    },
    nowMs,
  )
  db.run(START, { id: head.id, generation: lease.generation, epoch: claim.epoch, now: nowMs })
  return { admission: getAdmission(db, head.id), lease }
}

const EPOCH = sql`select epoch from runtime_epoch where singleton = 1`

/** The authority of an older epoch may change nothing any more (I5). @throws RefusalError `stale_epoch` */
export function assertEpoch(db: ReadableDb, epoch: number): void {
  const current = db.get<{ epoch: number }>(EPOCH)?.epoch
  if (current !== epoch)
    throw new RefusalError('stale_epoch', `Another Herma took over this home (epoch ${current ?? 0}, ours ${epoch}).`)
}

const SETTLE = sql`
  update session_admissions set status = 'terminal', outcome = :outcome, end_reason = :endReason, result = :result, settled_at = :now
  where admission_id = :id and status = 'started' and generation = :generation`
const MERGE_STEERS = sql`
  update session_admissions set status = 'terminal', outcome = 'merged', end_reason = :endReason, settled_at = :now
  where target_session_id = :conversation and intent = 'steer' and status = 'started' and generation = :generation`
const BUMP_REVISION = sql`update conversations set runtime_revision = runtime_revision + 1 where id = :conversation`
/** The list shows how the last turn ended; kept in the row, so that a list asks nothing per conversation (speed.md 1). */
const NOTE_OUTCOME = sql`
  update conversations set runtime_revision = runtime_revision + 1, activity_note = :outcome where id = :conversation`

/**
 * T6: started → terminal, with the end reason and the compact result; steer rows of the same turn become merged.
 * Settling again with the same facts changes nothing. @throws RefusalError `stale_generation`, `stale_epoch`
 */
export function settle(
  db: WritableDb,
  settled: { lease: Lease; epoch: number; outcome: Outcome; endReason: EndReason; result: { text: string } },
  nowMs: number,
): void {
  assertEpoch(db, settled.epoch)
  const { lease, endReason } = settled
  if (lease.admission === null) return
  const changed = db.run(SETTLE, {
    id: lease.admission,
    generation: lease.generation,
    outcome: settled.outcome,
    endReason,
    result: canonicalJson(settled.result),
    now: nowMs,
  })
  if (changed === 0) {
    const now = getAdmission(db, lease.admission)
    if (now.status === 'terminal' && now.generation === lease.generation) return
    throw new RefusalError(
      'stale_generation',
      `The turn of ${lease.admission} was taken over; its outcome is not forged.`,
    )
  }
  db.run(MERGE_STEERS, { conversation: lease.conversation, generation: lease.generation, endReason, now: nowMs })
  db.run(NOTE_OUTCOME, { conversation: lease.conversation, outcome: settled.outcome })
}

const CANCEL = sql`
  update session_admissions set status = 'terminal', outcome = 'cancelled', settled_at = :now
  where admission_id = :id and status = 'queued'`

/** T7: only what is still queued can be cancelled. @throws RefusalError `stale_generation`, `unknown_execution` */
export function cancel(db: WritableDb, id: AdmissionId, epoch: number, nowMs: number): Admission {
  assertEpoch(db, epoch)
  const before = getAdmission(db, id)
  if (before.status === 'started')
    throw new RefusalError('stale_generation', 'This input is already running; stop the turn instead.')
  if (before.status === 'unknown')
    throw new RefusalError('unknown_execution', 'The outcome of this input is unknown; decide about it first.')
  if (before.status === 'queued') {
    db.run(CANCEL, { id, now: nowMs })
    db.run(BUMP_REVISION, { conversation: before.conversation })
  }
  return getAdmission(db, id)
}

const REJECT = sql`
  update session_admissions set status = 'terminal', outcome = 'rejected', end_reason = 'admission_timeout', settled_at = :now
  where admission_id = :id and status = 'queued'`

/** T5: the conversation stayed busy for the whole wait; the text goes back to its writer. */
export const rejectBusy = (db: WritableDb, id: AdmissionId, nowMs: number): void => {
  db.run(REJECT, { id, now: nowMs })
}
