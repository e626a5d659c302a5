/**
 * What can be asked of a home without a core (decisions 11): the database is opened read-only, nothing is made, no
 * authority is needed. For verbs that only show.
 */
import { statSync } from 'node:fs'
import { type DisplayPage, type DisplayRow, type Refusal, refusal } from '../../shared/contract/index.ts'
import type { ConversationId } from '../../shared/ids.ts'
import { ok, type Result, refused } from '../../shared/result.ts'
import {
  displayPage,
  exportLine,
  getMeta,
  listConversations,
  readSessions,
  refusalOf,
  segmentsOf,
} from '../sessions/index.ts'
import { sessionSchema } from '../sessions/schema.ts'
import { type ReadableDb, storageErrorOf } from '../storage/index.ts'
import { type Home, stateFile } from './home.ts'

export { conversationRow, listConversations, resolveConversation } from '../sessions/index.ts'
export type { ReadableDb } from '../storage/index.ts'

/** Runs a read on the home's database; null when the home has none yet. Refused when the file says no. */
export async function readingHome<T>(
  home: Home,
  work: (db: ReadableDb) => T | Promise<T>,
): Promise<Result<T | null, Refusal>> {
  const file = stateFile(home)
  let db: ReturnType<typeof readSessions> | undefined
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return ok(null)
    db = readSessions(file)
    const foreign = whyNotOurs(db, home, file)
    return foreign === null ? ok(await work(db)) : refused(foreign)
  } catch (error) {
    const known = refusalOf(storageErrorOf(error, file))
    if (known === null) throw error
    return refused(known)
  } finally {
    db?.close()
  }
}

/** A file of a newer Herma, of another program or of another profile is not read as if it were ours. */
function whyNotOurs(db: ReadableDb, home: Home, file: string): Refusal | null {
  const known = sessionSchema('').migrations.length
  const version = db.get<{ user_version: number }>('pragma user_version')?.user_version ?? 0
  if (version > known)
    return refusal(
      'newer_schema',
      `${file} was written by a newer Herma (schema ${version}, this one knows ${known}). It was left as it is.`,
      { next: 'Start the newer Herma that wrote this home, or choose another with --home.' },
    )
  if (version === 0)
    return refusal('db_unavailable', `${file} is not a session database of Herma. It was left as it is.`, {
      next: 'Choose another home with --home, or move that file away.',
    })
  const profile = getMeta(db, 'profile_id')
  if (profile !== undefined && profile !== home.profile)
    return refusal('profile_mismatch', `${file} belongs to the profile "${profile}", not to "${home.profile}".`, {
      next: 'Check --home and --profile.',
    })
  return null
}

/** The newest `limit` rows of a conversation, in order, however many pages they take. */
export function lastRows(db: ReadableDb, conversation: ConversationId, limit: number): DisplayPage {
  const rows: DisplayRow[] = []
  for (;;) {
    const first = rows[0]
    const page = displayPage(db, conversation, {
      limit: limit - rows.length,
      before: first === undefined ? undefined : { segment_no: first.segment_no, pos: first.pos },
    })
    rows.unshift(...page.rows)
    if (!page.has_before || page.rows.length === 0 || rows.length >= limit)
      return { rows, has_before: page.has_before, has_after: false, total: page.total }
  }
}

/** Ids of all conversations that a list shows, archived ones last. */
export function everyConversation(db: ReadableDb): ConversationId[] {
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

/** JSON lines of conversations in pieces (session-db 5.10); with `bySegment` one line a segment, exactly as stored. */
export function* jsonLines(db: ReadableDb, ids: readonly ConversationId[], bySegment: boolean): Generator<string> {
  for (const id of ids) {
    for (const segment of bySegment ? segmentsOf(db, id) : [undefined]) {
      yield* exportLine(db, id, segment)
      yield '\n'
    }
  }
}
