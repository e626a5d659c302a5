/**
 * Inputs whose outcome a crash left uncertain (session-db T9, T11–T15): how they become unknown, and the only ways out,
 * each with its evidence (I8). What is decided stands in `reconcile.ts` and, for a person, in `resolve.ts`.
 */
import type { EndReason } from '../../shared/contract/index.ts'
import type { AdmissionId } from '../../shared/ids.ts'
import { type ReadableDb, sql, type WritableDb } from '../storage/index.ts'
import { ADMISSION_COLUMNS, type Admission, type AdmissionRow, admissionFrom, type Outcome } from './admissions.ts'

const LOSE_OWNERS = sql`
  update session_admissions set status = 'unknown' where status = 'started' and owner_epoch <> :epoch`

/** T9: whatever an older epoch had started is unknown now, never straight queued or terminal. Returns how many. */
export const loseOlderEpochs = (db: WritableDb, epoch: number): number => db.run(LOSE_OWNERS, { epoch })

const UNKNOWN = sql`select ${ADMISSION_COLUMNS} from session_admissions where status = 'unknown' order by seq`
export const unknownAdmissions = (db: ReadableDb): Admission[] => db.all<AdmissionRow>(UNKNOWN).map(admissionFrom)

const REQUEUE = sql`
  update session_admissions set status = 'queued', generation = null, owner_epoch = null, resume = :resume,
    needs_user = 0, evidence = :evidence
  where admission_id = :id and status = 'unknown'`
const FINISH = sql`
  update session_admissions set status = 'terminal', outcome = :outcome, end_reason = :endReason, needs_user = 0,
    evidence = :evidence, settled_at = :now
  where admission_id = :id and status = 'unknown'`
const ASK = sql`
  update session_admissions set needs_user = 1, evidence = :evidence where admission_id = :id and status = 'unknown'`

/** T11, T14: an unknown input goes back to its own place in the queue. */
export const requeue = (db: WritableDb, id: AdmissionId, resume: boolean, evidence: string): void => {
  db.run(REQUEUE, { id, resume: resume ? 1 : 0, evidence })
}
/** T12, T15: an unknown input is known to have ended. */
export const finishUnknown = (
  db: WritableDb,
  id: AdmissionId,
  ended: { outcome: Outcome; endReason: EndReason; evidence: string },
  nowMs: number,
): void => {
  db.run(FINISH, { id, ...ended, now: nowMs })
}
/** T13: it cannot be known; a person decides. */
export const askPerson = (db: WritableDb, id: AdmissionId, evidence: string): void => {
  db.run(ASK, { id, evidence })
}
