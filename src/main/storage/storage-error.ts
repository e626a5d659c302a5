/** SQLite's failures, classified once, by code and never by message text (session-db 2.5, 7.2). */
import type { RefusalCode } from '../../shared/contract/index.ts'

export type StorageCode = Extract<
  RefusalCode,
  | 'db_locked'
  | 'db_full'
  | 'db_readonly'
  | 'db_corrupt'
  | 'db_unavailable'
  | 'newer_schema'
  | 'transcript_immutable'
  | 'profile_mismatch'
>

/** The store refused; nothing of that write is stored. `message` is a plain sentence, `next` what a person can do. */
export class StorageError extends Error {
  readonly code: StorageCode
  readonly next: string
  constructor(code: StorageCode, message: string, next = NEXT[code]) {
    super(message)
    this.name = 'StorageError'
    this.code = code
    this.next = next
  }
}

const NEXT: Record<StorageCode, string> = {
  db_locked: 'Close the other program that uses this home, then try again. What was stored before is safe.',
  db_full: 'Free some space on the disk, then try again. What was stored before is safe.',
  db_readonly: 'Make the home folder writable, or choose another with --home.',
  db_corrupt: 'Nothing more is written. Run `herma doctor --deep` and restore a copy from the backups folder.',
  db_unavailable: 'Check that the home folder exists and can be opened, or choose another with --home.',
  newer_schema: 'Start the newer Herma that wrote this home, or restore an older copy from its backups folder.',
  transcript_immutable: 'Stored messages are never changed. Nothing was written.',
  profile_mismatch: 'Check --home and --profile. Nothing was written.',
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

/** Which storage fault an error is; null when it is not one of SQLite's own. */
function classify(code: string): StorageCode | null {
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'db_locked'
  if (/^SQLITE_FULL/.test(code) || code === 'ENOSPC') return 'db_full'
  if (/^SQLITE_(READONLY|PERM)/.test(code) || code === 'EROFS' || code === 'EACCES') return 'db_readonly'
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'db_corrupt'
  if (/^SQLITE_(CANTOPEN|IOERR|NOLFS)/.test(code) || code === 'ENOENT' || code === 'ENOTDIR') return 'db_unavailable'
  return null
}

const SENTENCE: Partial<Record<StorageCode, string>> = {
  db_locked: 'is locked by another process',
  db_full: 'could not be written: the disk is full',
  db_readonly: 'cannot be written',
  db_corrupt: 'is damaged or is not a database',
  db_unavailable: 'could not be opened',
}

/** A `StorageError` for SQLite's and the file system's faults; anything else comes back unchanged. */
export function storageErrorOf(error: unknown, file: string): unknown {
  if (error instanceof StorageError) return error
  if (error instanceof TypeError && /directory does not exist/.test(error.message))
    return new StorageError('db_unavailable', `${file} could not be opened: its folder does not exist.`)
  const code = codeOf(error)
  const known = classify(code)
  if (known !== null) return new StorageError(known, `${file} ${SENTENCE[known] ?? 'refused'} (${code}).`)
  if (code === 'SQLITE_CONSTRAINT_TRIGGER' && error instanceof Error && error.message === 'transcript_immutable')
    return new StorageError('transcript_immutable', 'A stored message cannot be changed.')
  return error
}
