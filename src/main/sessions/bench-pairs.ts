/** Rows about the ledger: writing, opening, reading (speed.md 1). Each pair stores or reads the same facts. */
import { join } from 'node:path'
import type { BackendId, ConversationId, MessageUid, RequestId } from '../../shared/ids.ts'
import { ulid } from '../../shared/ids.ts'
import type { AnswerToRecord, Lease } from '../../shared/ledger.ts'
import { systemClock } from '../../shared/time.ts'
import type { Store } from '../storage/index.ts'
import type { Pair } from '../storage/measure.ts'
import { openRaw } from '../storage/raw.ts'
import {
  activeHistory,
  beginEpoch,
  bindPrompt,
  claimHead,
  conversationRow,
  createConversation,
  displayPage,
  freezePrompt,
  listConversations,
  openSessions,
  readSessions,
  recordAnswer,
  recordResults,
  recordUser,
  releaseLease,
  settle,
  submit,
} from './index.ts'

const BACKEND = 'bench' as BackendId
const TEXT = 'The rounding happens twice: once in price.ts and again when the line is printed. '.repeat(6)
const answer = (calls: AnswerToRecord['calls'] = []): AnswerToRecord => ({
  text: TEXT,
  reasoning: null,
  calls,
  finishReason: 'stop',
  usage: {
    inputTokens: 100,
    outputTokens: 20,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    costMicros: 12,
  },
  binding: { provider: 'bench', model: 'bench', baseUrl: '' },
})

interface Filled {
  readonly store: Store
  readonly file: string
  readonly rawFile: string
  readonly epoch: number
  readonly large: ConversationId
  readonly lease: Lease
}

/** A home with one large conversation and many small ones, and a raw file of the same shape. */
async function fill(folder: string, messages: number, conversations: number): Promise<Filled> {
  const file = join(folder, 'state.db')
  const store = await openSessions({ file, clock: systemClock, appVersion: 'bench' })
  const prompt = freezePrompt('You are Herma.', 14)
  const made = await store.write('bench', 'routine', (db) => {
    const now = Date.now()
    const epoch = beginEpoch(db, BACKEND, now)
    const open = (text: string): { conversation: ConversationId; lease: Lease } => {
      const conversation = createConversation(db, { source: 'desktop', cwd: folder }, now)
      submit(db, { principal: 'user:local', conversation, request: ulid(now) as RequestId, intent: 'queue', text }, now)
      const claim = claimHead(db, { conversation, backend: BACKEND, epoch }, now)
      if (claim === null) throw new TypeError('the input just stored is the head')
      bindPrompt(db, claim.lease, { prompt, model: 'bench', provider: 'bench', tools: [], reason: 'created' }, now)
      recordUser(db, claim.lease, { content: text, apiContent: null }, now)
      return { conversation, lease: claim.lease }
    }
    for (let i = 1; i < conversations; i++) {
      const { lease } = open(`question ${i}`)
      recordAnswer(db, lease, answer(), now)
      settle(db, { lease, epoch, outcome: 'completed', endReason: 'text_response', result: { text: '' } }, now)
      releaseLease(db, lease)
    }
    const large = open('the large one')
    for (let i = 1; i < messages; i++) recordAnswer(db, large.lease, answer(), now)
    return { epoch, large: large.conversation, lease: large.lease }
  })
  const rawFile = join(folder, 'raw.db')
  store.vacuumInto(rawFile)
  return { store, file, rawFile, ...made }
}

const RAW_MESSAGE = `insert into messages(uid, session_id, pos, generation, role, content, created_at, finish_reason, token_count,
    display_metadata)
  values (?, ?, ?, 1, 'assistant', ?, ?, 'stop', 20, '{"model":"bench","provider":"bench"}')`
const RAW_COUNTERS =
  'update sessions set message_count = message_count + 1, output_tokens = output_tokens + 20 where id = ?'
const RAW_ACTIVITY = 'update conversations set last_activity_at = ? where id = ?'
const RAW_USAGE = `update session_model_usage set api_call_count = api_call_count + 1, output_tokens = output_tokens + 20 where session_id = ?`
const RAW_RESULT = `insert into messages(uid, session_id, pos, generation, role, content, created_at, call_uid, call_index, tool_call_id, tool_name,
    effect_disposition, display_metadata)
  values (?, ?, ?, 1, 'tool', ?, ?, ?, ?, ?, 'read_file', 'none', ?)`
const RAW_RECORD = JSON.stringify({
  record: { outcome: 'done', summary: 'read', started_at: 1, finished_at: 2, duration_ms: 1 },
})
const RAW_ADMISSION = `insert into session_admissions(admission_id, principal_id, target_session_id, request_id, intent, status, payload, payload_digest, submitted_at)
  values (?, 'user:local', ?, ?, 'queue', 'queued', ?, ?, ?)`

/** The pairs of this file; `close` frees what they hold. */
export async function sessionPairs(
  folder: string,
  sizes: { messages: number; conversations: number },
): Promise<{ pairs: Pair[]; close(): void }> {
  const filled = await fill(folder, sizes.messages, sizes.conversations)
  const { store, file, rawFile, large, lease } = filled
  const raw = openRaw(rawFile)
  const reader = readSessions(file)
  let pos = 1_000_000
  const rawTransaction = (work: () => void) => {
    raw.exec('begin immediate')
    work()
    raw.exec('commit')
  }
  const insert = raw.prepare(RAW_MESSAGE)
  const counters = raw.prepare(RAW_COUNTERS)
  const activity = raw.prepare(RAW_ACTIVITY)
  const usage = raw.prepare(RAW_USAGE)
  const insertResult = raw.prepare(RAW_RESULT)
  const insertAdmission = raw.prepare(RAW_ADMISSION)
  const last = raw.prepare(
    'select * from messages where session_id = ? and pos < 1000000 order by pos desc, id desc limit 100',
  )
  const whole = raw.prepare(
    'select uid, pos, generation, role, content, api_content, tool_calls, tool_call_id, tool_name, call_uid, call_index, effect_disposition, reasoning, finish_reason from messages where session_id = ? and active = 1 order by pos, id',
  )
  const page = raw.prepare(
    'select * from conversations where archived = 0 and hidden = 0 order by last_activity_at desc, id desc limit 40',
  )
  const all = raw.prepare(
    'select * from conversations where archived = 0 and hidden = 0 order by last_activity_at desc, id desc limit 5000',
  )
  const one = raw.prepare('select * from conversations c join sessions s on s.id = c.tip_session_id where c.id = ?')
  const outcome = {
    content: TEXT,
    effect: 'none',
    record: { outcome: 'done', summary: 'read', started_at: 1, finished_at: 2, duration_ms: 1 },
  } as const
  const eightCalls = Array.from({ length: 8 }, (_, i) => ({ id: `c${i}`, name: 'read_file', arguments: '{}' }))
  const eightResults = eightCalls.map((_call, callIndex) => ({ callIndex, outcome }))
  let callUid: MessageUid | null = null

  const pairs: Pair[] = [
    {
      id: 'message.append',
      runs: 300,
      goal: 1.3,
      ours: () => store.write('bench', 'transcript', (db) => recordAnswer(db, lease, answer(), Date.now())),
      raw: () =>
        rawTransaction(() => {
          insert.run(ulid(Date.now()), large, ++pos, TEXT, Date.now())
          counters.run(large)
          activity.run(Date.now(), large)
          usage.run(large)
        }),
    },
    {
      id: 'admission.commit',
      runs: 300,
      goal: 1.3,
      ours: () =>
        store.write('bench', 'admission', (db) =>
          submit(
            db,
            {
              principal: 'user:local',
              conversation: large,
              request: ulid(Date.now()) as RequestId,
              intent: 'queue',
              text: 'hello',
            },
            Date.now(),
          ),
        ),
      raw: () =>
        rawTransaction(() => {
          insertAdmission.run(ulid(Date.now()), large, ulid(Date.now()), '{"text":"hello"}', '0'.repeat(64), Date.now())
        }),
    },
    {
      id: 'round.commit8',
      runs: 100,
      goal: 1.5,
      ours: async () => {
        callUid = await store.write('bench', 'transcript', (db) =>
          recordAnswer(db, lease, answer(eightCalls), Date.now()),
        )
        const caller = callUid
        await store.write('bench', 'transcript', (db) => {
          recordResults(db, lease, caller, eightResults, Date.now())
        })
      },
      raw: () => {
        const caller = ulid(Date.now())
        rawTransaction(() => {
          insert.run(caller, large, ++pos, TEXT, Date.now())
          counters.run(large)
          activity.run(Date.now(), large)
          usage.run(large)
        })
        rawTransaction(() => {
          for (let i = 0; i < 8; i++) {
            insertResult.run(ulid(Date.now()), large, ++pos, TEXT, Date.now(), caller, i, `c${i}`, RAW_RECORD)
            counters.run(large)
            activity.run(Date.now(), large)
          }
        })
      },
    },
    {
      id: 'store.open',
      runs: 40,
      goal: 2,
      ours: async () => (await openSessions({ file, clock: systemClock, appVersion: 'bench' })).close(),
      raw: () => {
        const db = openRaw(rawFile)
        db.prepare('select count(*) from state_meta').get()
        db.close()
      },
    },
    {
      id: 'session.last100',
      runs: 200,
      goal: 5,
      ours: () => displayPage(reader, large, { limit: 100 }),
      raw: () => last.all(large),
    },
    {
      id: 'session.load_10000',
      runs: 10,
      goal: 1.3,
      ours: () => activeHistory(reader, large),
      raw: () => whole.all(large),
    },
    {
      id: 'session.page40',
      runs: 200,
      goal: 6,
      ours: () => listConversations(reader, { limit: 40, archived: false }),
      raw: () => page.all(),
    },
    {
      id: 'session.list_5000',
      runs: 10,
      goal: 1.9,
      ours: () => listConversations(reader, { limit: 5_000, archived: false }),
      raw: () => all.all(),
    },
    { id: 'session.get', runs: 500, goal: 2.5, ours: () => conversationRow(reader, large), raw: () => one.get(large) },
  ]
  return {
    pairs,
    close: () => {
      reader.close()
      raw.close()
      store.close()
    },
  }
}
