/**
 * The only file that imports better-sqlite3. A `ReadableDb` can only read; a function that writes takes a `WritableDb`
 * and cannot be called with the former. Statements are prepared once per connection and kept.
 *
 * Never touch an open database file with `fs`: closing any descriptor of it drops this process's locks (speed.md 3).
 */
import Database from 'better-sqlite3'
import type { Clock } from '../../shared/time.ts'
import { type Faults, NO_FAULTS } from './faults.ts'
import { isBusy, StorageError, storageErrorOf } from './storage-error.ts'

export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlParams = Readonly<Record<string, SqlValue>>

export interface ReadableDb {
  get<Row>(sql: string, params?: SqlParams): Row | undefined
  all<Row>(sql: string, params?: SqlParams): Row[]
  /** Rows as arrays in column order: for long reads, where building an object a row is most of the cost. */
  tuples<Tuple extends readonly unknown[]>(sql: string, params?: SqlParams): Tuple[]
  iterate<Row>(sql: string, params?: SqlParams): IterableIterator<Row>
}
export interface WritableDb extends ReadableDb {
  /** Rows changed by an insert, update or delete. */
  run(sql: string, params?: SqlParams): number
  exec(sql: string): void
}

/** How long a write may wait for another process's lock (session-db 2.5). `activity` is dropped without a word. */
export const WRITE_BUDGET_MS = { routine: 20_000, transcript: 60_000, admission: 60_000, activity: 500 } as const
export type WriteBudget = keyof typeof WRITE_BUDGET_MS

/** Marks SQL text for readers and editors; the text is used as it stands. */
export const sql = String.raw

const NO_PARAMS: SqlParams = {}

class Connection implements WritableDb {
  readonly raw: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  constructor(raw: Database.Database) {
    this.raw = raw
  }
  #prepared(text: string, mode = ''): Database.Statement {
    const key = mode + text
    let statement = this.#statements.get(key)
    if (statement === undefined) {
      statement = this.raw.prepare(text)
      this.#statements.set(key, statement)
    }
    return statement
  }
  get<Row>(text: string, params = NO_PARAMS): Row | undefined {
    return this.#prepared(text).get(params) as Row | undefined
  }
  all<Row>(text: string, params = NO_PARAMS): Row[] {
    return this.#prepared(text).all(params) as Row[]
  }
  tuples<Tuple extends readonly unknown[]>(text: string, params = NO_PARAMS): Tuple[] {
    // A mode of the statement, so it gets a statement of its own.
    return this.#prepared(text, 'tuples').raw(true).all(params) as Tuple[]
  }
  iterate<Row>(text: string, params = NO_PARAMS): IterableIterator<Row> {
    return this.#prepared(text).iterate(params) as IterableIterator<Row>
  }
  run(text: string, params = NO_PARAMS): number {
    return this.#prepared(text).run(params).changes
  }
  exec(text: string): void {
    this.raw.exec(text)
  }
}

const COMMON_PRAGMAS = ['foreign_keys=ON', 'trusted_schema=OFF', 'cell_size_check=ON', 'mmap_size=0']
/** 64 MiB, so that one long reader does not leave a huge log behind; 1000 pages, never lower (session-db 2.4). */
const WRITER_PRAGMAS = ['journal_size_limit=67108864', 'wal_autocheckpoint=1000']
/** Linux and macOS sync differently: `fullfsync` makes a commit survive power loss on macOS too. */
const DARWIN_PRAGMAS = ['fullfsync=1', 'checkpoint_fullfsync=1']
/**
 * How long one attempt may block the event loop inside SQLite. The contract's 100 ms assumed a process of its own;
 * in the main process longer waits happen between attempts, asynchronously (docs/decisions/0003).
 */
const ATTEMPT_BLOCK_MS = 20

/** SQLite before 3.51.3 (3.50.7 and 3.44.6 aside) can damage a file when the log is reset (session-db 2.4). */
export function assertSafeSqlite(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const number = major * 1_000_000 + minor * 1_000 + patch
  const backported = (minor === 50 && patch >= 7) || (minor === 44 && patch >= 6)
  if (number < 3_051_003 && !backported)
    throw new StorageError(
      'db_unavailable',
      `SQLite ${version} has a fault that can damage a database; 3.51.3 or newer is needed.`,
    )
}

export const sqliteVersion = (): string => {
  const memory = new Database(':memory:')
  try {
    return (memory.prepare('select sqlite_version() v').get() as { v: string }).v
  } finally {
    memory.close()
  }
}

/** Opens read-only. The file must exist; nothing is written, ever. */
export function openReadable(file: string): ReadableDb & { close(): void } {
  try {
    const raw = new Database(file, { readonly: true, fileMustExist: true, timeout: 2_000 })
    for (const pragma of [...COMMON_PRAGMAS, 'query_only=ON']) raw.pragma(pragma)
    const connection = new Connection(raw)
    return Object.assign(connection, { close: () => raw.close() })
  } catch (error) {
    throw storageErrorOf(error, file)
  }
}

export interface StoreOptions {
  readonly file: string
  readonly clock: Clock
  readonly faults?: Faults
  /** `housekeeping`: heartbeats, activity notes, index work; may lose its last commits on power loss, never a fact. */
  readonly durability?: 'ledger' | 'housekeeping'
  /** Runs once on a new file, before any table (page size, vacuum mode). */
  readonly onCreate?: (db: WritableDb) => void
}

/** A database that this process writes. Reads go through `read`, writes through `write` and through nothing else. */
export class Store {
  readonly read: ReadableDb
  readonly file: string
  readonly #connection: Connection
  readonly #clock: Clock
  readonly #faults: Faults
  #writes = 0

  constructor(options: StoreOptions) {
    this.file = options.file
    this.#clock = options.clock
    this.#faults = options.faults ?? NO_FAULTS
    let raw: Database.Database | undefined
    try {
      raw = new Database(options.file, { timeout: ATTEMPT_BLOCK_MS })
      const connection = new Connection(raw)
      const isNew = raw.pragma('page_count', { simple: true }) === 0
      if (isNew) {
        raw.pragma('auto_vacuum=INCREMENTAL')
        options.onCreate?.(connection)
      }
      const mode = raw.pragma(isNew ? 'journal_mode=WAL' : 'journal_mode', { simple: true })
      // A file system without shared memory answers something else: then a rollback journal, still FULL (7.2).
      raw.pragma(options.durability === 'housekeeping' && mode === 'wal' ? 'synchronous=NORMAL' : 'synchronous=FULL')
      for (const pragma of [
        ...COMMON_PRAGMAS,
        ...WRITER_PRAGMAS,
        ...(process.platform === 'darwin' ? DARWIN_PRAGMAS : []),
      ])
        raw.pragma(pragma)
      this.#connection = connection
      this.read = connection
    } catch (error) {
      raw?.close()
      throw storageErrorOf(error, options.file)
    }
  }

  /**
   * One named write: `BEGIN IMMEDIATE`, the function, `COMMIT`. The function does no I/O, awaits nothing and may run
   * several times; if it throws, nothing is stored. A locked database is tried again until the budget ends.
   * @throws StorageError when the database refuses; whatever `work` throws, unchanged.
   */
  async write<T>(name: string, budget: WriteBudget, work: (db: WritableDb) => T): Promise<T> {
    // An async function would commit at its first await and write the rest outside the transaction (F-23).
    if (work.constructor.name === 'AsyncFunction') throw new TypeError(`${name}: a transaction must not be async`)
    this.#faults.reach(`${name}.before`)
    const started = this.#clock.monotonic()
    for (;;) {
      try {
        const value = this.#attempt(work)
        this.#faults.reach(`${name}.after`)
        this.#checkpointSometimes()
        return value
      } catch (error) {
        const waited = this.#clock.monotonic() - started
        if (!isBusy(error)) throw storageErrorOf(error, this.file)
        if (waited >= WRITE_BUDGET_MS[budget])
          throw new StorageError(
            'db_locked',
            `${name}: another process kept the database locked for ${Math.round(waited / 1000)} s.`,
          )
        await this.#clock.sleep(waited < 2_000 ? 20 + Math.random() * 130 : 250 + Math.random() * 750)
      }
    }
  }

  #attempt<T>(work: (db: WritableDb) => T): T {
    const db = this.#connection
    db.raw.exec('begin immediate')
    try {
      const value = work(db)
      if (value instanceof Promise) throw new TypeError('a transaction must not return a promise')
      db.raw.exec('commit')
      return value
    } catch (error) {
      if (db.raw.inTransaction) db.raw.exec('rollback')
      throw error
    }
  }

  /** Passive: takes what it can without making anyone wait. */
  #checkpointSometimes(): void {
    if (++this.#writes % 50 === 0) this.#connection.raw.pragma('wal_checkpoint(PASSIVE)')
  }

  /** A number that changes when another connection has committed. */
  dataVersion(): number {
    return this.#connection.raw.pragma('data_version', { simple: true }) as number
  }

  /** `quick_check`: null when sound, else the first problems. Reads the whole file: never on the main loop of a large one. */
  quickCheck(): string | null {
    const rows = this.#connection.raw.pragma('quick_check(5)') as { quick_check: string }[]
    const text = rows.map((row) => row.quick_check).join('; ')
    return text === 'ok' ? null : text
  }

  /** Only migrations set these. */
  userVersion(): { user: number; application: number } {
    return {
      user: this.#connection.raw.pragma('user_version', { simple: true }) as number,
      application: this.#connection.raw.pragma('application_id', { simple: true }) as number,
    }
  }

  /** A consistent copy into a file that does not exist yet. */
  vacuumInto(target: string): void {
    this.#connection.run('vacuum into :target', { target })
  }

  /** Repeatable. Truncates the log when nobody else is reading it. */
  close(): void {
    if (!this.#connection.raw.open) return
    try {
      this.#connection.raw.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      this.#connection.raw.close()
    }
  }
}

/**
 * A lock that lasts as long as this process and that no crash can leave behind: an exclusive transaction on a tiny
 * file (session-db 4.3). A prober that can begin one has proof that the owner is dead; a stopped process stays busy.
 */
export class ProcessLock {
  readonly #raw: Database.Database
  private constructor(raw: Database.Database) {
    this.#raw = raw
  }
  /** null: somebody else holds it. The file is created when missing. */
  static take(file: string): ProcessLock | null {
    let raw: Database.Database | undefined
    try {
      raw = new Database(file, { timeout: 0 })
      raw.exec('begin exclusive')
      return new ProcessLock(raw)
    } catch (error) {
      raw?.close()
      if (isBusy(error)) return null
      throw storageErrorOf(error, file)
    }
  }
  release(): void {
    if (!this.#raw.open) return
    if (this.#raw.inTransaction) this.#raw.exec('rollback')
    this.#raw.close()
  }
}
