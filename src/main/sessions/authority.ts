/**
 * Who speaks for a home (session-db 1.5, 4.3, 4.10, 6). One process per profile holds `run/authority.lock`; each one
 * that writes also holds its own run lock for its whole life, which is the proof that it lives. Every taking of the
 * authority grows the epoch, and a late owner of an older one can settle nothing any more.
 */
import type { BackendId } from '../../shared/ids.ts'
import { ProcessLock, type ReadableDb, sql, type WritableDb } from '../storage/index.ts'

export interface BackendRecord {
  readonly id: BackendId
  readonly kind: 'core' | 'cli' | 'worker' | 'kanban'
  readonly pid: number
  readonly host: string
  readonly runLock: string | null
  readonly lastHeartbeat: number
}

const BEGIN_EPOCH = sql`
  insert into runtime_epoch(singleton, epoch, instance_id, backend_id, begun_at) values (1, 1, :backend, :backend, :now)
  on conflict(singleton) do update set epoch = epoch + 1, instance_id = excluded.instance_id,
    backend_id = excluded.backend_id, begun_at = excluded.begun_at`
const EPOCH = sql`select epoch from runtime_epoch where singleton = 1`

/** A new authority: epoch + 1. Returns the new epoch. */
export function beginEpoch(db: WritableDb, backend: BackendId, nowMs: number): number {
  db.run(BEGIN_EPOCH, { backend, now: nowMs })
  return db.get<{ epoch: number }>(EPOCH)?.epoch ?? 0
}

const REGISTER = sql`
  insert into gateway_heartbeats(backend_id, kind, pid, host, profile, run_lock, app_version, started_at, last_heartbeat)
  values (:id, :kind, :pid, :host, :profile, :runLock, :version, :now, :now)`

export const registerBackend = (
  db: WritableDb,
  backend: Omit<BackendRecord, 'lastHeartbeat'> & { profile: string; version: string },
  nowMs: number,
): void => {
  db.run(REGISTER, { ...backend, now: nowMs })
}

const BACKENDS = sql`
  select backend_id id, kind, pid, host, run_lock runLock, last_heartbeat lastHeartbeat from gateway_heartbeats`
export const backends = (db: ReadableDb): BackendRecord[] => db.all<BackendRecord>(BACKENDS)

const BEAT = sql`update gateway_heartbeats set last_heartbeat = :now where backend_id = :id`
export const beat = (db: WritableDb, id: BackendId, nowMs: number): void => {
  db.run(BEAT, { id, now: nowMs })
}

const FORGET = sql`delete from gateway_heartbeats where backend_id = :id`
const FREE_LEASES = sql`delete from session_turn_leases where backend_id = :id`
const FREE_LOCKS = sql`delete from compression_locks where backend_id = :id`

/** What a dead owner held is free again (session-db 6.1, steps 5 and 6). */
export function forgetBackend(db: WritableDb, id: BackendId): void {
  db.run(FREE_LEASES, { id })
  db.run(FREE_LOCKS, { id })
  db.run(FORGET, { id })
}

/** A beat every 60 s; three missed and no lock file to ask = dead (session-db 6.1 step 4). */
const SILENT_MS = 180_000

/**
 * Whether an owner is proven dead. Busy lock = alive, free lock = dead; without a lock file here only long silence
 * counts, and a foreign host is never judged by our own files.
 * @param lockExists `stat` of the lock file; never opened through `fs`
 */
export function isDead(
  backend: BackendRecord,
  here: { host: string; nowMs: number; lockPath: (name: string) => string; lockExists: (path: string) => boolean },
): boolean {
  if (backend.runLock === null || backend.host !== here.host) return here.nowMs - backend.lastHeartbeat > SILENT_MS
  const path = here.lockPath(backend.runLock)
  if (!here.lockExists(path)) return here.nowMs - backend.lastHeartbeat > SILENT_MS
  const lock = ProcessLock.take(path)
  lock?.release()
  return lock !== null
}

const SET_META = sql`insert into state_meta(key, value) values (:key, :value) on conflict(key) do update set value = excluded.value`
const GET_META = sql`select value from state_meta where key = :key`
export type MetaKey = 'profile_id' | 'min_reader_version' | 'clean_shutdown'

export const setMeta = (db: WritableDb, key: MetaKey, value: string): void => {
  db.run(SET_META, { key, value })
}
export const getMeta = (db: ReadableDb, key: MetaKey): string | undefined =>
  db.get<{ value: string }>(GET_META, { key })?.value
