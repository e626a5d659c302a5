/**
 * Conversations and their segments: made here, titled here. A conversation's id is the id of its segment 0 and never
 * changes (kernel K4); `tip_session_id` names the segment that may be written.
 */
import { type ConversationId, newConversationId, type SessionId } from '../../shared/ids.ts'
import { previewOf, scrubSurrogates } from '../../shared/text.ts'
import { type ReadableDb, sql, type WritableDb } from '../storage/index.ts'
import { RefusalError } from './refusal-error.ts'

export interface NewConversation {
  readonly source: string
  readonly cwd: string | null
  readonly title?: string | undefined
  /** The creating request: the same one gives the same conversation, also after a restart (U-02). */
  readonly request?: string | undefined
}

export interface ConversationRecord {
  readonly id: ConversationId
  readonly tip: SessionId
  readonly source: string
  readonly cwd: string | null
  readonly title: string | null
  readonly model: string | null
  readonly provider: string | null
  readonly promptHash: string | null
  readonly generation: number
  readonly revision: number
  readonly modelConfig: Readonly<Record<string, unknown>>
}

const INSERT_CONVERSATION = sql`
  insert into conversations(id, tip_session_id, source, workspace, title, title_source, created_at, last_activity_at)
  values (:id, :id, :source, :cwd, :title, :titleSource, :now, :now)`
/** `import_ref` is the table's unique "where this came from"; a request is such a place. */
const INSERT_SEGMENT = sql`
  insert into sessions(id, conversation_id, segment_no, source, cwd, started_at, import_ref)
  values (:id, :id, 0, :source, :cwd, :now, :ref)`
const BY_REF = sql`select conversation_id id from sessions where import_ref = :ref`

/** Makes an empty conversation with its first segment. Ids are minted by the caller's clock. */
export function createConversation(db: WritableDb, wanted: NewConversation, nowMs: number): ConversationId {
  const ref = wanted.request === undefined ? null : `request:${wanted.request}`
  const earlier = ref === null ? undefined : db.get<{ id: ConversationId }>(BY_REF, { ref })
  if (earlier !== undefined) return earlier.id
  const id = newConversationId(nowMs)
  const title = wanted.title === undefined ? null : cleanTitle(wanted.title)
  db.run(INSERT_CONVERSATION, {
    id,
    source: wanted.source,
    cwd: wanted.cwd,
    title,
    titleSource: title === null ? null : 'user',
    now: nowMs,
  })
  db.run(INSERT_SEGMENT, { id, source: wanted.source, cwd: wanted.cwd, now: nowMs, ref })
  return id
}

const GET = sql`
  select c.id, c.tip_session_id tip, c.source, s.cwd, c.title, s.model, s.provider, s.system_prompt_hash promptHash,
    c.runtime_generation generation, c.runtime_revision revision, s.model_config modelConfig
  from conversations c join sessions s on s.id = c.tip_session_id where c.id = :id`

/** The conversation with the facts of its tip, or undefined. */
export function findConversation(db: ReadableDb, id: ConversationId): ConversationRecord | undefined {
  const row = db.get<Omit<ConversationRecord, 'modelConfig'> & { modelConfig: string }>(GET, { id })
  return row && { ...row, modelConfig: JSON.parse(row.modelConfig) as Record<string, unknown> }
}

/** @throws RefusalError `not_found` */
export function getConversation(db: ReadableDb, id: ConversationId): ConversationRecord {
  const found = findConversation(db, id)
  if (found === undefined)
    throw new RefusalError('not_found', `There is no conversation ${id}.`, {
      next: 'List them with `herma sessions list`.',
    })
  return found
}

/**
 * Control, zero-width and direction characters removed, white space folded; empty = no title (session-db 5.9).
 * @throws RefusalError `invalid_params` over 100 characters
 */
export function cleanTitle(text: string): string | null {
  const clean = scrubSurrogates(text)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (clean === '') return null
  if ([...clean].length > 100)
    throw new RefusalError('invalid_params', `A title has at most 100 characters; this one has ${[...clean].length}.`)
  return clean
}

const SET_TITLE = sql`
  update conversations set title = :title, title_source = case when :title is null then null else 'user' end,
    runtime_revision = runtime_revision + 1
  where id = :id and runtime_revision = :expected`

/** A person's title; wins over every automatic one. @throws RefusalError `stale_revision` with the current value */
export function setTitle(db: WritableDb, id: ConversationId, title: string, expected: number): void {
  const clean = cleanTitle(title)
  const current = getConversation(db, id)
  if (db.run(SET_TITLE, { id, title: clean, expected }) === 0)
    throw new RefusalError('stale_revision', 'The conversation has changed meanwhile.', {
      next: 'Look at the current title and try again.',
      data: { current: { title: current.title, revision: current.revision } },
    })
}

/** What the list shows when there is no title: the first user text (session-db 5.9). */
export const SET_PREVIEW = sql`update conversations set preview = :preview where id = :id and preview = ''`
export const setPreview = (db: WritableDb, id: ConversationId, firstText: string): void => {
  db.run(SET_PREVIEW, { id, preview: previewOf(firstText) })
}

const BY_PREFIX = sql`
  select id from conversations where id like :pattern escape '\' order by id limit 3`
const BY_TITLE = sql`
  select id from conversations where title = :title collate nocase order by last_activity_at desc, id desc`
const BY_SEGMENT = sql`select conversation_id id from sessions where id = :id`

/**
 * A conversation from what a person typed: a whole id (also of a segment), a unique prefix, or an exact title.
 * @throws RefusalError `not_found`, `invalid_params` (ambiguous; lists the matches)
 */
export function resolveConversation(db: ReadableDb, typed: string): { id: ConversationId; sameTitle: number } {
  const segment = db.get<{ id: ConversationId }>(BY_SEGMENT, { id: typed })
  if (segment !== undefined) return { id: segment.id, sameTitle: 1 }
  const pattern = `${typed.replace(/[\\%_]/g, '\\$&')}%`
  const byPrefix = typed === '' ? [] : db.all<{ id: ConversationId }>(BY_PREFIX, { pattern })
  if (byPrefix.length === 1 && byPrefix[0] !== undefined) return { id: byPrefix[0].id, sameTitle: 1 }
  if (byPrefix.length > 1)
    throw new RefusalError(
      'invalid_params',
      `"${typed}" fits several conversations: ${byPrefix.map((r) => r.id).join(', ')}${byPrefix.length === 3 ? ', …' : ''}.`,
      {
        next: 'Type more of the id.',
      },
    )
  const byTitle = db.all<{ id: ConversationId }>(BY_TITLE, { title: typed })
  if (byTitle[0] !== undefined) return { id: byTitle[0].id, sameTitle: byTitle.length }
  throw new RefusalError('not_found', `There is no conversation "${typed}".`, {
    next: 'List them with `herma sessions list`.',
  })
}
