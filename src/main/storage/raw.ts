/**
 * A bare connection with the ledger's own pragmas, for `herma bench`: the raw cost of the same durable work, measured in
 * the same run, so that a ratio survives a noisy machine (cli.md 6). Nothing else uses it.
 */
import Database from 'better-sqlite3'

export type RawDatabase = Database.Database

export function openRaw(file: string): RawDatabase {
  const db = new Database(file)
  for (const pragma of [
    'journal_mode=WAL',
    'synchronous=FULL',
    'foreign_keys=ON',
    'wal_autocheckpoint=1000',
    'mmap_size=0',
  ])
    db.pragma(pragma)
  return db
}
