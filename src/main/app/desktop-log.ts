/** Diagnostics of the desktop app, one JSON line each, in the home's own folder. Never a fact, never a key. */
import { mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import pino from 'pino'
import type { ShellPorts } from '../host/ports.ts'

/** The log before this start's is kept as well; together they never take more than twice this. */
const LIMIT_BYTES = 5 * 1_048_576

/**
 * Opens the log. Where it cannot be written (a read-only home), what is said goes to standard error.
 * @param file absolute path
 */
export function openLog(file: string): ShellPorts['log'] {
  const logger = pino(
    { base: null, redact: ['key', 'token', 'authorization', '*.key', '*.token', '*.authorization'] },
    destination(file),
  )
  return (level, message, facts) => logger[level](facts ?? {}, message)
}

function destination(file: string): pino.DestinationStream {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LIMIT_BYTES) renameSync(file, `${file}.1`)
    return pino.destination({ dest: file, sync: true, mode: 0o600 })
  } catch {
    return pino.destination({ dest: 2, sync: true })
  }
}
