/** `herma sessions export`: JSON lines, streamed; a target file is complete or absent. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { everyConversation, jsonLines, resolveConversation } from '../../main/host/reading.ts'
import { CommandFailure, EXIT, type ExitCode } from '../exit.ts'
import type { Invocation } from '../program.ts'
import { noConversations, reading } from './sessions.ts'

interface Flags {
  readonly sessionId?: readonly string[]
  readonly all?: boolean
  readonly format: string
  readonly segments?: boolean
}

const LATER = ['md', 'html', 'csv']
/** Bytes gathered before they are written: fewer system calls, still little memory. */
const CHUNK_CHARS = 65_536

export async function exportSessions(it: Invocation, target: string, flags: Flags): Promise<ExitCode> {
  if (flags.format !== 'jsonl')
    throw new CommandFailure(
      EXIT.usage,
      LATER.includes(flags.format)
        ? `This version does not export ${flags.format} yet.`
        : `There is no format "${flags.format}".`,
      'Use --format jsonl.',
    )
  if ((flags.sessionId === undefined) === (flags.all !== true))
    throw new CommandFailure(EXIT.usage, 'Say which conversations: --session-id ID (repeatable), or --all.')
  const exported = await reading(
    it,
    async (db) => {
      const ids =
        flags.all === true
          ? everyConversation(db)
          : [...new Set((flags.sessionId ?? []).map((typed) => resolveConversation(db, typed).id))]
      const pieces = jsonLines(db, ids, flags.segments === true)
      if (target === '-') await toStdout(pieces)
      else toFile(target, pieces)
      return ids.length
    },
    flags.all === true ? () => nothing(target) : noConversations,
  )
  if (target === '-') return EXIT.done
  if (it.out.json) it.out.data({ exported, path: target })
  else it.out.note(`Exported ${exported} conversation${exported === 1 ? '' : 's'} to ${target}.`)
  return EXIT.done
}

/** All of nothing is an empty file, not an error. */
function nothing(target: string): number {
  if (target !== '-') toFile(target, [])
  return 0
}

function* chunks(pieces: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length >= CHUNK_CHARS) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk !== '') yield chunk
}

/** Waits for a slow reader instead of holding the whole export in memory. */
async function toStdout(pieces: Iterable<string>): Promise<void> {
  for (const chunk of chunks(pieces)) if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}

/** The target appears when everything in it is on disk; the file that stood there is kept until then. */
function toFile(target: string, pieces: Iterable<string>): void {
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = openSync(temporary, 'wx', 0o600)
    try {
      for (const chunk of chunks(pieces)) writeSync(handle, chunk)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    // Trouble of the database is told by whoever opened it.
    if (code === undefined || syscall === undefined) throw error
    throw new CommandFailure(
      EXIT.failed,
      `${target} could not be written (${code}); what stood there before is as it was.`,
      'Choose another target, or - for standard output.',
    )
  }
}
