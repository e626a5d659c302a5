/** A real session database for one test, with builders in the words of the domain. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  beginEpoch,
  bindPrompt,
  claimHead,
  createConversation,
  freezePrompt,
  openSessions,
  recordAnswer,
  recordUser,
  submit,
} from '../../src/main/sessions/index.ts'
import type { Store } from '../../src/main/storage/index.ts'
import type { BackendId, ConversationId, MessageUid, RequestId } from '../../src/shared/ids.ts'
import type { AnswerToRecord, Binding, Lease, ToolCall, ToolOutcome } from '../../src/shared/ledger.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { tempFolder } from './temp-home.ts'

export const BACKEND = '01TESTBACKEND' as BackendId
export const BINDING: Binding = { provider: 'scripted', model: 'model-a', baseUrl: '' }

export interface Bench {
  readonly store: Store
  readonly clock: FakeClock
  readonly file: string
  readonly epoch: number
}

export async function aStore(folder = tempFolder()): Promise<Bench> {
  const clock = fakeClock()
  const file = join(folder, 'state.db')
  const store = await openSessions({ file, clock, appVersion: 'test' })
  onTestFinished(() => store.close())
  const epoch = await store.write('epoch', 'routine', (db) => beginEpoch(db, BACKEND, clock.now()))
  return { store, clock, file, epoch }
}

export const aConversation = ({ store, clock }: Bench, title?: string): Promise<ConversationId> =>
  store.write('make', 'routine', (db) => createConversation(db, { source: 'desktop', cwd: '/tmp', title }, clock.now()))

let requests = 0
/** Submits a text and claims it: a turn that may write. */
export async function aTurn(bench: Bench, conversation: ConversationId, text = 'hello'): Promise<Lease> {
  const { store, clock, epoch } = bench
  return store.write('turn', 'routine', (db) => {
    submit(
      db,
      { principal: 'user:local', conversation, request: `r${++requests}` as RequestId, intent: 'queue', text },
      clock.now(),
    )
    const claim = claimHead(db, { conversation, backend: BACKEND, epoch }, clock.now())
    if (claim === null) throw new Error('nothing to claim')
    return claim.lease
  })
}

/** The same, with its prompt bound and its user row stored. */
export async function aStartedTurn(bench: Bench, conversation: ConversationId, text = 'hello'): Promise<Lease> {
  const lease = await aTurn(bench, conversation, text)
  await bench.store.write('begin', 'routine', (db) => {
    bindOnce(db, lease, bench)
    recordUser(db, lease, { content: text, apiContent: null }, bench.clock.now())
  })
  return lease
}

export const PROMPT = freezePrompt('You are Herma.', 14)
const bindOnce = (db: Parameters<typeof bindPrompt>[0], lease: Lease, { clock }: Bench): void => {
  const bound = db.get<{ hash: string | null }>(
    'select system_prompt_hash hash from sessions where conversation_id = :c',
    { c: lease.conversation },
  )
  if (bound?.hash == null)
    bindPrompt(
      db,
      lease,
      { prompt: PROMPT, model: 'model-a', provider: 'scripted', tools: [], reason: 'created' },
      clock.now(),
    )
}

export const anAnswer = (text: string, calls: readonly ToolCall[] = []): AnswerToRecord => ({
  text,
  reasoning: null,
  calls,
  finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
  usage: {
    inputTokens: 10,
    outputTokens: 5,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    costMicros: 7,
  },
  binding: BINDING,
})

export const aCall = (id: string, name = 'read_file', args = '{}'): ToolCall => ({ id, name, arguments: args })

export const anOutcome = (content: string, effect: ToolOutcome['effect'] = 'none'): ToolOutcome => ({
  content,
  effect,
  record: { outcome: 'done', summary: content, started_at: 1, finished_at: 2, duration_ms: 1 },
})

/** Stores one answer and gives its uid. */
export const answered = (
  bench: Bench,
  lease: Lease,
  text: string,
  calls: readonly ToolCall[] = [],
): Promise<MessageUid> =>
  bench.store.write('answer', 'routine', (db) => recordAnswer(db, lease, anAnswer(text, calls), bench.clock.now()))
