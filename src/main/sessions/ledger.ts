/**
 * What was said and called (session-db 5.2–5.4). Rows are appended under a lease that is checked inside the insert
 * itself, never changed afterwards, and replayed in the order of `pos`.
 *
 * An assistant row with n calls reserves n places after itself; the result of call i takes `pos + 1 + i`. So results
 * can be committed the moment each finishes and still replay in call order (S-42).
 */
import type { Effect, ToolRecord, TurnEnding } from '../../shared/contract/index.ts'
import { type ConversationId, type MessageUid, type SessionId, ulid } from '../../shared/ids.ts'
import type { AnswerToRecord, Lease, ToolCall, ToolOutcome } from '../../shared/ledger.ts'
import { InvariantError } from '../../shared/result.ts'
import { scrubSurrogates } from '../../shared/text.ts'
import { type ReadableDb, sql, type WritableDb } from '../storage/index.ts'
import { getConversation, setPreview } from './conversations.ts'
import { RENEW_IF_EXPIRED } from './leases.ts'
import { RefusalError } from './refusal-error.ts'
import { bookUsage } from './usage.ts'

/** Where the next row goes, and whether the lease has run out: everything an append has to know, in one read. */
const PLACE = sql`
  select c.tip_session_id session, l.expires_at expiresAt, max(
    coalesce((select max(pos) from messages where session_id = c.tip_session_id), 0),
    coalesce((select pos + json_array_length(tool_calls) from messages
      where session_id = c.tip_session_id and tool_calls is not null order by id desc limit 1), 0)) + 1 pos
  from conversations c left join session_turn_leases l on l.conversation_id = c.id where c.id = :conversation`

/** The fence, the open segment and (for assistant rows) the bound prompt are conditions of the insert itself. */
const APPEND = sql`
  insert into messages(uid, session_id, pos, generation, admission_id, role, content, api_content, tool_calls, tool_call_id,
    tool_name, call_uid, call_index, effect_disposition, reasoning, finish_reason, token_count, display_kind, display_metadata, created_at)
  select :uid, s.id, :pos, l.generation, l.admission_id, :role, :content, :apiContent, :toolCalls, :toolCallId,
    :toolName, :callUid, :callIndex, :effect, :reasoning, :finishReason, :tokens, :displayKind, :displayMetadata, :now
  from session_turn_leases l
    join conversations c on c.id = l.conversation_id
    join sessions s on s.id = c.tip_session_id
  where l.conversation_id = :conversation and l.holder = :holder and l.generation = :generation
    and s.id = :session and s.ended_at is null and (:role <> 'assistant' or s.system_prompt_hash is not null)`

const COUNT = sql`
  update sessions set message_count = message_count + :rows, tool_call_count = tool_call_count + :calls where id = :session`
const ACTIVITY = sql`
  update conversations set last_activity_at = max(last_activity_at, :now),
    archived = case when archived_by = 'auto' then 0 else archived end,
    archived_by = case when archived_by = 'auto' then null else archived_by end
  where id = :conversation`

interface NewRow {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly apiContent?: string | null
  readonly calls?: readonly ToolCall[]
  readonly answers?: { callUid: MessageUid; callIndex: number; toolCallId: string; name: string }
  /** Given for results; ordinary rows go to the end. */
  readonly pos?: number
  readonly effect?: Effect | null
  readonly reasoning?: string | null
  readonly finishReason?: string | null
  readonly tokens?: number | null
  readonly displayKind?: string | null
  readonly displayMetadata?: Readonly<Record<string, unknown>> | null
}

interface Place {
  readonly session: SessionId
  readonly pos: number
  readonly expiresAt: number | null
}

function placeOf(db: ReadableDb, lease: Lease): Place {
  const place = db.get<Place>(PLACE, { conversation: lease.conversation })
  if (place === undefined) throw new RefusalError('not_found', `There is no conversation ${lease.conversation}.`)
  return place
}

const clean = (text: string | null | undefined): string | null => (text == null ? null : scrubSurrogates(text))

/** One fenced insert. The counters of its batch follow in `countRows`. */
function append(db: WritableDb, lease: Lease, place: Place, row: NewRow, nowMs: number): MessageUid {
  const uid = ulid(nowMs) as MessageUid
  const calls = row.calls ?? []
  const inserted = db.run(APPEND, {
    conversation: lease.conversation,
    holder: lease.holder,
    generation: lease.generation,
    session: place.session,
    uid,
    pos: row.pos ?? place.pos,
    role: row.role,
    content: scrubSurrogates(row.content),
    apiContent: clean(row.apiContent),
    toolCalls: calls.length === 0 ? null : JSON.stringify(calls),
    toolCallId: row.answers?.toolCallId ?? null,
    toolName: row.answers?.name ?? null,
    callUid: row.answers?.callUid ?? null,
    callIndex: row.answers?.callIndex ?? null,
    effect: row.effect ?? null,
    reasoning: clean(row.reasoning),
    finishReason: row.finishReason ?? null,
    tokens: row.tokens ?? null,
    displayKind: row.displayKind ?? null,
    displayMetadata: row.displayMetadata == null ? null : JSON.stringify(row.displayMetadata),
    now: nowMs,
  })
  if (inserted === 0) throw whyNotAppended(db, lease, place.session, row.role)
  return uid
}

/** Once a batch: counters, activity, and the lease when it has run out without anybody taking it (S-33). */
function countRows(
  db: WritableDb,
  lease: Lease,
  place: Place,
  added: { rows: number; calls: number },
  nowMs: number,
): void {
  db.run(COUNT, { session: place.session, ...added })
  db.run(ACTIVITY, { conversation: lease.conversation, now: nowMs })
  if (place.expiresAt !== null && place.expiresAt <= nowMs)
    db.run(RENEW_IF_EXPIRED, {
      conversation: lease.conversation,
      holder: lease.holder,
      generation: lease.generation,
      now: nowMs,
    })
}

const SEGMENT = sql`select ended_at endedAt, system_prompt_hash hash from sessions where id = :session`
const HOLDER = sql`select holder, generation from session_turn_leases where conversation_id = :conversation`

function whyNotAppended(db: ReadableDb, lease: Lease, session: SessionId, role: string): RefusalError {
  const held = db.get<{ holder: string; generation: number }>(HOLDER, { conversation: lease.conversation })
  if (held?.holder !== lease.holder || held.generation !== lease.generation)
    return new RefusalError('lease_lost', 'Another process took over this conversation; nothing more was written here.')
  const segment = db.get<{ endedAt: number | null; hash: string | null }>(SEGMENT, { session })
  if (segment?.endedAt != null)
    return new RefusalError('compression_closed', `This segment is closed; the conversation goes on in ${session}.`, {
      data: { tip: session },
    })
  if (role === 'assistant' && segment?.hash == null)
    return new RefusalError(
      'prompt_unbound',
      'No system prompt is bound yet; an answer cannot be stored before its prompt.',
    )
  throw new InvariantError('S-append', `a row of ${session} was not stored and no reason was found`)
}

const USER_OF_ADMISSION = sql`
  select uid from messages where admission_id = :admission and role = 'user' and active = 1 order by id limit 1`

/** The user's words, always the turn's first row. A resumed turn finds its row and appends none (session-db 3.8). */
export function recordUser(
  db: WritableDb,
  lease: Lease,
  input: { content: string; apiContent: string | null },
  nowMs: number,
): MessageUid {
  const existing =
    lease.admission === null
      ? undefined
      : db.get<{ uid: MessageUid }>(USER_OF_ADMISSION, { admission: lease.admission })
  if (existing !== undefined) return existing.uid
  const place = placeOf(db, lease)
  const uid = append(db, lease, place, { role: 'user', content: input.content, apiContent: input.apiContent }, nowMs)
  countRows(db, lease, place, { rows: 1, calls: 0 }, nowMs)
  setPreview(db, lease.conversation, input.content)
  return uid
}

/** One model answer with its usage, in one transaction; calls, if any, are committed with it before any of them runs. */
export function recordAnswer(db: WritableDb, lease: Lease, answer: AnswerToRecord, nowMs: number): MessageUid {
  const place = placeOf(db, lease)
  const uid = append(
    db,
    lease,
    place,
    {
      role: 'assistant',
      content: answer.text,
      calls: answer.calls,
      reasoning: answer.reasoning,
      finishReason: answer.finishReason,
      tokens: answer.usage?.outputTokens ?? null,
      displayMetadata: { model: answer.binding.model, provider: answer.binding.provider },
    },
    nowMs,
  )
  countRows(db, lease, place, { rows: 1, calls: answer.calls.length }, nowMs)
  if (answer.countsAsCall !== false)
    bookUsage(db, { session: place.session, binding: answer.binding, task: '', usage: answer.usage }, nowMs)
  return uid
}

const CALL_ROW = sql`
  select pos, tool_calls toolCalls from messages where session_id = :session and uid = :uid and role = 'assistant' and active = 1`

/**
 * Results of calls of one assistant row, each at the place its call reserved; one for each call, ever (S-45).
 * @throws InvariantError when there is no such call
 */
export function recordResults(
  db: WritableDb,
  lease: Lease,
  callUid: MessageUid,
  results: readonly { callIndex: number; outcome: ToolOutcome }[],
  nowMs: number,
): MessageUid[] {
  const place = placeOf(db, lease)
  const found = db.get<{ pos: number; toolCalls: string | null }>(CALL_ROW, { session: place.session, uid: callUid })
  const calls = JSON.parse(found?.toolCalls ?? '[]') as ToolCall[]
  const uids = results.map(({ callIndex, outcome }) => {
    const call = calls[callIndex]
    if (found === undefined || call === undefined)
      throw new InvariantError('I6', `no call ${callIndex} in ${callUid}: a result needs its call`)
    return append(
      db,
      lease,
      place,
      {
        role: 'tool',
        content: outcome.content,
        answers: { callUid, callIndex, toolCallId: call.id, name: call.name },
        pos: found.pos + 1 + callIndex,
        effect: outcome.effect,
        displayKind: outcome.record.outcome === 'unknown' ? 'recovery' : null,
        displayMetadata: { record: outcome.record satisfies ToolRecord },
      },
      nowMs,
    )
  })
  countRows(db, lease, place, { rows: uids.length, calls: 0 }, nowMs)
  return uids
}

const LAST_OF_TURN = sql`
  select uid from messages where session_id = :session and generation = :generation and active = 1
  order by pos desc, id desc limit 1`
const MARK_ENDING = sql`
  update messages set display_metadata = json_set(coalesce(display_metadata, '{}'), '$.ending', json(:ending))
  where session_id = :session and uid = :uid and active = 1`

/** Keeps how a turn ended on its last row, so that a reload shows the same reason (U-07). Display only; never replayed. */
export function markEnding(db: WritableDb, conversation: ConversationId, generation: number, ending: TurnEnding): void {
  const session = getConversation(db, conversation).tip
  const last = db.get<{ uid: string }>(LAST_OF_TURN, { session, generation })
  if (last !== undefined) db.run(MARK_ENDING, { session, uid: last.uid, ending: JSON.stringify(ending) })
}
