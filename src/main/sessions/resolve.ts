/**
 * What a person decided about an input of unknown outcome (session-db T14, T15). The open calls get their honest result
 * rows and the admission moves on, in one transaction, under a lease of its own purpose.
 */
import type { AdmissionId, BackendId } from '../../shared/ids.ts'
import type { Lease, ToolOutcome } from '../../shared/ledger.ts'
import type { WritableDb } from '../storage/index.ts'
import { type Admission, assertEpoch, getAdmission } from './admissions.ts'
import { canonicalJson } from './canonical.ts'
import { activeHistory } from './history.ts'
import { acquireLease, releaseLease } from './leases.ts'
import { markEnding, recordResults } from './ledger.ts'
import { RefusalError } from './refusal-error.ts'
import { finishUnknown, requeue } from './unknown-admissions.ts'

export interface Resolution {
  readonly admission: AdmissionId
  readonly decision: 'continue' | 'stop'
  readonly backend: BackendId
  readonly epoch: number
  /** The result an open call gets; says that its outcome is unknown. */
  readonly outcomeFor: (tool: string, nowMs: number) => ToolOutcome
}

/** @throws RefusalError `unknown_execution` when nothing is waiting for a decision, `session_busy`, `stale_epoch` */
export function resolveUnknown(db: WritableDb, resolution: Resolution, nowMs: number): Admission {
  assertEpoch(db, resolution.epoch)
  const admission = getAdmission(db, resolution.admission)
  if (admission.status !== 'unknown' || !admission.needsUser)
    throw new RefusalError('unknown_execution', 'This input is not waiting for a decision any more.', {
      data: { status: admission.status },
    })
  const lease = acquireLease(
    db,
    {
      conversation: admission.conversation,
      holder: `${resolution.backend}:recover:${admission.id}`,
      backend: resolution.backend,
      admission: admission.id,
      purpose: 'recover',
    },
    nowMs,
  )
  closeOpenCalls(db, lease, resolution, nowMs)
  const evidence = canonicalJson({ decision: resolution.decision, at: nowMs })
  if (resolution.decision === 'continue') requeue(db, admission.id, true, evidence)
  else {
    finishUnknown(db, admission.id, { outcome: 'interrupted', endReason: 'shutdown', evidence }, nowMs)
    markEnding(db, admission.conversation, lease.generation, {
      end_reason: 'shutdown',
      status: 'interrupted',
      detail: 'outcome unknown',
    })
  }
  releaseLease(db, lease)
  return getAdmission(db, admission.id)
}

function closeOpenCalls(db: WritableDb, lease: Lease, resolution: Resolution, nowMs: number): void {
  const rows = activeHistory(db, lease.conversation)
  const answered = new Set(
    rows.flatMap((row) => (row.answers ? [`${row.answers.callUid}:${row.answers.callIndex}`] : [])),
  )
  for (const row of rows)
    for (const [callIndex, call] of row.calls.entries())
      if (!answered.has(`${row.uid}:${callIndex}`))
        recordResults(db, lease, row.uid, [{ callIndex, outcome: resolution.outcomeFor(call.name, nowMs) }], nowMs)
}
