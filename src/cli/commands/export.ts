/** `herma sessions export`: JSON lines, streamed; a target file is complete or absent. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { exportLine, listConversations, resolveConversation, segmentsOf } from '../../main/sessions/index.ts'
import type { ReadableDb } from '../../main/storage/index.ts'
import type { ConversationId } from '../../shared/ids.ts'
import { CommandFailure, EXIT, type ExitCode } from '../exit.ts'
import type { Invocation } from '../program.ts'
import { noConversations, reading } from './sessions.ts'

interface Flags {
  readonly sessionId?: readonly string[]
  readonly all?: boolean
  readonly format: string
  readonly segments?: boolean
}

/** Bytes gathered before they are written: fewer system calls, still little memory. */
const CHUNK_CHARS = 65_536

export async function exportSessions(it: Invocation, target: string, flags: Flags): Promise<ExitCode> {
  if (flags.format !== 'jsonl')
    throw new CommandFailure(EXIT.usage, `The format "${flags.format}" is not available; jsonl is.`)
  if ((flags.sessionId === undefined) === (flags.all !== true))
    throw new CommandFailure(EXIT.usage, 'Say which conversations: --session-id ID (repeatable), or --all.')
  await reading<void>(
    it,
    async (db) => {
      const ids =
        flags.all === true
          ? everyConversation(db)
          : (flags.sessionId ?? []).map((typed) => resolveConversation(db, typed).id)
      const pieces = lines(db, ids, flags.segments === true)
      if (target === '-') await toStdout(pieces)
      else toFile(target, pieces)
      if (target !== '-') it.out.note(`Exported ${ids.length} conversation${ids.length === 1 ? '' : 's'} to ${target}.`)
    },
    noConversations,
  )
  return EXIT.done
}

function everyConversation(db: ReadableDb): ConversationId[] {
  const ids: ConversationId[] = []
  for (const archived of [false, true]) {
    let cursor: string | undefined
    do {
      const page = listConversations(db, { limit: 500, cursor, archived })
      ids.push(...page.rows.map((row) => row.conversation_id))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }
  return ids
}

function* lines(db: ReadableDb, ids: readonly ConversationId[], bySegment: boolean): Generator<string> {
  for (const id of ids) {
    for (const segment of bySegment ? segmentsOf(db, id) : [undefined]) {
      yield* exportLine(db, id, segment)
      yield '\n'
    }
  }
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
    const code = (error as NodeJS.ErrnoException).code
    if (code === undefined) throw error
    throw new CommandFailure(EXIT.failed, `${target} could not be written (${code}); nothing was left there.`)
  }
}
