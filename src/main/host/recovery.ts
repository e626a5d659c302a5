/**
 * What a new authority does before it claims anything (session-db 6.1). Facts are gathered first (which owners are
 * dead); what follows from them is one transaction. Nothing here runs a tool or calls a model.
 */
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { BackendId } from '../../shared/ids.ts'
import {
  applyVerdict,
  backends,
  beginEpoch,
  forgetBackend,
  gatherFacts,
  isDead,
  loseOlderEpochs,
  queuedConversations,
  reconcile,
  registerBackend,
  setMeta,
  unknownAdmissions,
} from '../sessions/index.ts'
import type { Store } from '../storage/index.ts'

export interface Recovered {
  readonly epoch: number
  /** Conversations that have something to run. */
  readonly waiting: readonly ReturnType<typeof queuedConversations>[number][]
  readonly reconciled: number
}

export async function recover(
  store: Store,
  me: { id: BackendId; kind: 'core' | 'cli'; runFolder: string; profile: string; version: string },
  nowMs: number,
  isReadOnly: (tool: string) => boolean,
): Promise<Recovered> {
  const host = hostname()
  const dead = backends(store.read).filter((backend) =>
    isDead(backend, {
      host,
      nowMs,
      lockPath: (name) => join(me.runFolder, name),
      lockExists: (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
    }),
  )
  return store.write('recovery.begin', 'admission', (db) => {
    const epoch = beginEpoch(db, me.id, nowMs)
    for (const backend of dead) forgetBackend(db, backend.id)
    registerBackend(
      db,
      {
        id: me.id,
        kind: me.kind,
        pid: process.pid,
        host,
        runLock: lockName(me.id),
        profile: me.profile,
        version: me.version,
      },
      nowMs,
    )
    setMeta(db, 'clean_shutdown', '0')
    loseOlderEpochs(db, epoch)
    const unknown = unknownAdmissions(db)
    for (const admission of unknown)
      applyVerdict(db, admission.id, reconcile(gatherFacts(db, admission, nowMs, isReadOnly)), nowMs)
    return { epoch, waiting: queuedConversations(db), reconciled: unknown.length }
  })
}

export const lockName = (id: BackendId): string => `${id}.lock`
