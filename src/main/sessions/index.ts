/**
 * SessionDB: one file per fact (architecture 3). Every module here owns its statements; nobody else writes its rows.
 * `openSessions` opens a profile's `state.db` for writing, `readSessions` for reading alone.
 */
import type { Clock } from '../../shared/time.ts'
import { type Faults, migrate, openReadable, type ReadableDb, Store } from '../storage/index.ts'
import { sessionSchema } from './schema.ts'

export * from './admissions.ts'
export * from './authority.ts'
export * from './conversations.ts'
export * from './display.ts'
export * from './export-jsonl.ts'
export * from './history.ts'
export * from './leases.ts'
export * from './ledger.ts'
export * from './listing.ts'
export * from './prompts.ts'
export * from './reconcile.ts'
export * from './refusal-error.ts'
export * from './resolve.ts'
export * from './unknown-admissions.ts'
export * from './usage.ts'
export * from './verify.ts'

/**
 * Opens (and, when new, makes) a session database and brings it to the newest schema.
 * @throws StorageError `newer_schema`, `db_*`
 */
export async function openSessions(options: {
  file: string
  clock: Clock
  appVersion: string
  faults?: Faults
  backup?: (store: Store, version: number) => string | null
}): Promise<Store> {
  const store = new Store({
    file: options.file,
    clock: options.clock,
    ...(options.faults && { faults: options.faults }),
  })
  try {
    await migrate(
      store,
      sessionSchema(options.appVersion),
      options.clock.now(),
      (version) => options.backup?.(store, version) ?? null,
    )
    return store
  } catch (error) {
    store.close()
    throw error
  }
}

/** Opens an existing session database read-only (decisions 11: reading verbs need no authority). */
export const readSessions = (file: string): ReadableDb & { close(): void } => openReadable(file)
