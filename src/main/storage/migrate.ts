/**
 * Forward-only, numbered steps, one transaction each (session-db 2.6). Two files at one version have one shape:
 * columns are never added by looking at a live file.
 */
import type { Store } from './database.ts'
import { StorageError } from './storage-error.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

export interface MigrationTarget {
  /** `application_id` of the file; another program's database is never touched. */
  readonly applicationId: number
  readonly migrations: readonly Migration[]
  /** Written into `schema_version` rows. */
  readonly appVersion: string
}

/** Numbering from 1 without holes, each step once: checked before anything runs. */
export function checkMigrations(migrations: readonly Migration[]): void {
  migrations.forEach((migration, index) => {
    if (migration.version !== index + 1)
      throw new TypeError(`migration ${migration.name} has number ${migration.version}, ${index + 1} was expected`)
  })
}

/**
 * Brings the file to the newest version. A file of a newer Herma or of another program is refused untouched.
 * @param backup makes a copy before the first step on a file that has content; its result is recorded. It may throw,
 *   then nothing is migrated.
 */
export async function migrate(
  store: Store,
  target: MigrationTarget,
  nowMs: number,
  backup: (version: number) => string | null,
): Promise<{ from: number; to: number }> {
  checkMigrations(target.migrations)
  const { user, application } = store.userVersion()
  const newest = target.migrations.length
  if (application !== 0 && application !== target.applicationId)
    throw new StorageError(
      'db_unavailable',
      `${store.file} belongs to another program (application id ${application}); it was left as it is.`,
    )
  if (application === 0 && hasTables(store))
    throw new StorageError(
      'db_unavailable',
      `${store.file} is a database of another program; it was left as it is.`,
      'Choose another home with --home, or move that file away.',
    )
  if (user > newest)
    throw new StorageError(
      'newer_schema',
      `${store.file} was written by a newer Herma (schema ${user}, this one knows ${newest}).`,
    )
  if (user === newest) return { from: user, to: newest }
  const saved = user === 0 ? null : backup(user)
  for (const migration of target.migrations.slice(user)) {
    await store.write(`migrate.${migration.version}`, 'routine', (db) => {
      // Another process may have done this step while we waited for the lock.
      if (db.get<{ user_version: number }>('pragma user_version')?.user_version !== migration.version - 1) return
      db.exec(migration.sql)
      db.run(
        'insert into schema_version(version, applied_at, app_version, backup_file) values (:version, :nowMs, :app, :saved)',
        { version: migration.version, nowMs, app: target.appVersion, saved },
      )
      db.exec(`pragma user_version=${migration.version}; pragma application_id=${target.applicationId}`)
    })
  }
  return { from: user, to: newest }
}

const hasTables = (store: Store): boolean =>
  store.read.get("select 1 from sqlite_schema where type='table' limit 1") !== undefined
