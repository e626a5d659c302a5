/** What a window relies on: snapshots, cursors, questions, restarts. The whole core over its typed client. */
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findHome } from '../../src/main/host/home.ts'
import { createHost } from '../../src/main/host/index.ts'
import { headlessSecrets } from '../../src/main/host/secrets-headless.ts'
import { violations } from '../../src/main/sessions/index.ts'
import type { AdmissionId, RequestId } from '../../src/shared/ids.ts'
import { systemClock } from '../../src/shared/time.ts'
import { call, gate, text } from '../support/scripted-provider.ts'
import { tempFolder } from '../support/temp-home.ts'
import { startTestHost } from '../support/temp-host.ts'

const danger = (command = 'rm -f gone.txt && printf made > made.txt') => call('terminal', { command })
const id = <T extends string>(value: string): T => value as T

test('[U-01, U-03] a snapshot in mid-turn has the text so far, and the events after its cursor complete it', async () => {
  const held = gate()
  const it = await startTestHost([text(['one ', held, 'two'])])
  const conversation = await it.conversation()
  const turn = it.turn(conversation, 'talk')
  await it.event('message.delta', (event) => event.payload.text.includes('one'))
  const snapshot = await it.call('session.resume', { conversation_id: conversation })
  expect(snapshot.inflight?.text).toBe('one ')
  expect(snapshot.page.rows.map((row) => row.text)).toEqual(['talk'])
  expect(snapshot.conversation.state).toBe('running')
  held.open()
  await turn
  const missed = await it.call('events.since', {
    conversation_id: conversation,
    last_seen: snapshot.latest_seq,
    epoch: snapshot.epoch,
  })
  expect(missed.truncated).toBe(false)
  const deltas = missed.events.flatMap((event) =>
    event.type === 'message.delta' ? [(event.payload as { text: string }).text] : [],
  )
  expect(snapshot.inflight?.text + deltas.join('')).toBe('one two')
  expect(missed.events.map((event) => event.seq)).toEqual(missed.events.map((_event, i) => snapshot.latest_seq + 1 + i))
})

test('[G-02, G-03] a cursor ahead of the stream, behind the ring, or of another epoch means a new snapshot', async () => {
  const it = await startTestHost([text(Array.from({ length: 700 }, (_, i) => `${i} `))], {
    // Each piece is an event of its own when the groups are as short as the clock allows.
    config: {},
  })
  const conversation = await it.conversation()
  await it.turn(conversation, 'long')
  const { latest_seq, epoch } = await it.call('session.resume', { conversation_id: conversation })
  const since = (last_seen: number, of = epoch) =>
    it.call('events.since', { conversation_id: conversation, last_seen, epoch: of })
  expect((await since(latest_seq + 1)).truncated).toBe(true)
  expect((await since(0, 'another')).truncated).toBe(true)
  expect(await since(latest_seq)).toMatchObject({ truncated: false, events: [] })
})

test('[U-02] one request id makes one conversation and one turn, whatever is repeated', async () => {
  const it = await startTestHost([text('once')])
  const create = () => it.call('session.create', { request_id: id<RequestId>('same') })
  const { conversation_id } = await create()
  expect((await create()).conversation_id).toBe(conversation_id)
  const submit = () => it.call('prompt.submit', { conversation_id, request_id: id<RequestId>('r1'), text: 'hello' })
  const first = await submit()
  const again = await submit()
  expect(again).toMatchObject({ admission_id: first.admission_id, duplicate: true })
  await it.event('message.complete')
  await it.host.idle(conversation_id)
  expect(await submit()).toMatchObject({ delivery: 'settled', status: 'terminal' })
  expect(it.provider.requests).toHaveLength(1)
})

test('[U-94, U-98] an approval carries the whole command, runs it once after the yes, and leaves its line for ever', async () => {
  const it = await startTestHost([danger(), text('done')])
  const conversation = await it.conversation()
  const turn = it.turn(conversation, 'clean up')
  const asked = await it.event('approval.open')
  expect(asked.payload).toMatchObject({
    tool: 'terminal',
    subject: 'rm -f gone.txt && printf made > made.txt',
    cwd: join(it.home.path, 'workspace'),
    reason: expect.stringMatching(/delete/),
  })
  expect(asked.payload.deadline - asked.payload.asked_at).toBe(300_000)
  const made = join(it.home.path, 'workspace', 'made.txt')
  expect(existsSync(made)).toBe(false)
  expect((await it.call('session.info', { conversation_id: conversation })).state).toBe('needs_you')
  await it.call('approval.respond', { request_id: asked.payload.request_id, choice: 'once' })
  await turn
  expect(existsSync(made)).toBe(true)
  const { page, open_requests } = await it.call('session.resume', { conversation_id: conversation })
  expect(open_requests).toEqual([])
  expect(page.rows.find((row) => row.result !== null)?.result?.record?.approval).toMatchObject({
    choice: 'once',
    by: 'person',
  })
})

test('[U-100, G-06] the first answer wins; a later one is told the outcome', async () => {
  const it = await startTestHost([danger(), text('ok')])
  const turn = it.turn(await it.conversation(), 'x')
  const { payload } = await it.event('approval.open')
  const pending = await it.call('approval.pending', {})
  expect(pending.requests.map((request) => request.request_id)).toEqual([payload.request_id])
  await it.call('approval.respond', { request_id: payload.request_id, choice: 'deny' })
  const late = await it.client.call('approval.respond', { request_id: payload.request_id, choice: 'once' })
  expect(late).toMatchObject({ ok: false, refusal: { code: 'expired', data: { choice: 'deny' } } })
  await turn
})

test.each([
  ['denied', 'person'],
  ['nobody there', 'unattended'],
  ['stopped', 'interrupt'],
])('[U-97] %s is a result of its own, and the command did not run', async (way, by) => {
  const it = await startTestHost([danger(), text('ok')], { host: { attended: () => way !== 'nobody there' } })
  const conversation = await it.conversation()
  const turn = it.turn(conversation, 'x')
  if (way === 'denied') {
    const { payload } = await it.event('approval.open')
    await it.call('approval.respond', { request_id: payload.request_id, choice: 'deny', note: 'not today' })
  }
  if (way === 'stopped') {
    await it.event('approval.open')
    await it.call('turn.interrupt', { conversation_id: conversation })
  }
  await turn
  expect(existsSync(join(it.home.path, 'workspace', 'made.txt'))).toBe(false)
  const done = await it.event('tool.complete')
  expect(done.payload.row.result?.record?.approval).toMatchObject({ choice: 'deny', by })
  if (way === 'denied') expect(done.payload.row.text).toContain('not today')
})

test('[U-97] silence until the deadline is a no, by expiry', async () => {
  const { fakeClock } = await import('../support/fake-clock.ts')
  const clock = fakeClock()
  const it = await startTestHost([danger(), text('ok')], { clock })
  const turn = it.turn(await it.conversation(), 'x')
  await it.event('approval.open')
  await clock.advance(299_999)
  expect(it.events.some((event) => event.type === 'request.cancel')).toBe(false)
  await clock.advance(1)
  const done = await it.event('tool.complete')
  expect(done.payload.row.result?.record?.approval).toMatchObject({ choice: 'deny', by: 'expiry' })
  await clock.advance(60_000)
  await turn
})

test('[S-04] inputs sent while a turn runs wait in order and run in order', async () => {
  const held = gate()
  const it = await startTestHost([text([held, 'first']), text('second'), text('third')])
  const conversation = await it.conversation()
  const turns = ['a', 'b', 'c'].map((name) => it.turn(conversation, name))
  await it.provider.seen(1)
  const { items } = await it.call('queue.list', { conversation_id: conversation })
  expect(items.map((item) => [item.text, item.status])).toEqual([
    ['a', 'started'],
    ['b', 'queued'],
    ['c', 'queued'],
  ])
  held.open()
  await Promise.all(turns)
  const page = await it.call('session.history', { conversation_id: conversation })
  expect(page.rows.map((row) => row.text)).toEqual(['a', 'first', 'b', 'second', 'c', 'third'])
})

test('[S-09] a queued input can be taken back, with its text', async () => {
  const held = gate()
  const it = await startTestHost([text([held, 'first'])])
  const conversation = await it.conversation()
  const turn = it.turn(conversation, 'a')
  await it.provider.seen(1)
  const later = await it.call('prompt.submit', {
    conversation_id: conversation,
    request_id: id<RequestId>('later'),
    text: 'b',
  })
  expect(later).toMatchObject({ delivery: 'queued', position: 1 })
  expect(await it.call('queue.cancel', { admission_id: later.admission_id })).toEqual({ text: 'b' })
  held.open()
  await turn
  expect(it.provider.requests).toHaveLength(1)
})

test('[S-73] an input during shutdown is refused and nothing is stored', async () => {
  const it = await startTestHost([text('x')])
  const conversation = await it.conversation()
  await it.host.drain()
  const answer = await it.client.call('prompt.submit', {
    conversation_id: conversation,
    request_id: id<RequestId>('r'),
    text: 'late',
  })
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'runtime_draining' } })
  expect(it.db().get('select count(*) n from session_admissions')).toEqual({ n: 0 })
})

test('[U-61] a closed and reopened home shows the same messages, with nothing running', async () => {
  const first = await startTestHost([call('read_file', { path: 'note.txt' }), text('ok')])
  const conversation = await first.conversation()
  writeFileSync(join(first.home.path, 'workspace', 'note.txt'), 'x')
  await first.turn(conversation, 'read')
  const before = await first.call('session.history', { conversation_id: conversation })
  await first.host.close()
  const second = await startTestHost([], { folder: first.home.path })
  expect(await second.call('session.history', { conversation_id: conversation })).toEqual(before)
  expect((await second.call('session.list', {})).rows.map((row) => [row.conversation_id, row.state])).toEqual([
    [conversation, 'idle'],
  ])
  expect(violations(second.db())).toEqual([])
})

test('[session-db 4.9] a second core on one home is refused with the next step, and writes nothing', async () => {
  const it = await startTestHost([])
  const second = await createHost({
    home: it.home,
    kind: 'cli',
    version: 'test',
    ports: { clock: systemClock, secrets: headlessSecrets(it.home, systemClock), env: {}, log: () => {} },
  })
  expect(second).toMatchObject({
    ok: false,
    refusal: { code: 'session_in_use', next: expect.stringContaining('--home') },
  })
})

test('[S-18, S-20] a call of unknown outcome waits for a person; Continue tells the model, and nothing runs twice', async () => {
  const first = await startTestHost([danger('rm -f a; printf x >> effects.txt')], {
    env: { HERMA_FAULTS: '1', HERMA_FAULT: 'ledger.result.before:throw' },
    config: { 'approvals.mode': 'off' },
  })
  const conversation = await first.conversation()
  await first.turn(conversation, 'go')
  const effects = join(first.home.path, 'workspace', 'effects.txt')
  expect(statSync(effects).size).toBe(1)
  // As a crash leaves it: started, of an epoch that is over.
  await first.host.close()
  const { default: Database } = await import('better-sqlite3')
  const raw = new Database(join(first.home.path, 'state.db'))
  raw.exec(
    "drop trigger tg_adm_flow; update session_admissions set status = 'started', outcome = null, end_reason = null",
  )
  raw.close()

  const second = await startTestHost([text('I will look first')], { folder: first.home.path })
  const [waiting] = (await second.call('queue.list', { conversation_id: conversation })).items
  expect(waiting).toMatchObject({ status: 'unknown', needs_user: true })
  expect((await second.call('session.info', { conversation_id: conversation })).state).toBe('unknown')
  expect(second.provider.requests).toHaveLength(0)
  await second.call('queue.resolve', { admission_id: waiting?.admission_id as AdmissionId, decision: 'continue' })
  await second.event('message.complete')
  await second.host.idle(conversation)
  expect(second.provider.requests[0]?.messages.at(-1)?.content).toContain('Outcome unknown')
  expect(statSync(effects).size).toBe(1)
  expect(violations(second.db())).toEqual([])
})

test('[U-54] hostile inputs are refused or kept whole, and nothing stored is lost', async () => {
  const it = await startTestHost([text('ok')])
  const conversation = await it.conversation()
  const submit = (value: string, target = conversation) =>
    it.client.call('prompt.submit', {
      conversation_id: target,
      request_id: id<RequestId>(`h${value.length}${target}`),
      text: value,
    })
  expect(await submit('')).toMatchObject({ ok: false, refusal: { code: 'invalid_params' } })
  expect(await submit('x'.repeat(1_048_600))).toMatchObject({
    ok: false,
    refusal: { message: expect.stringContaining('too large') },
  })
  expect(await submit('hi', id('nobody'))).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  await it.turn(conversation, 'a\ud800 b\u0000 c\u202e')
  const page = await it.call('session.history', { conversation_id: conversation })
  expect(page.rows[0]?.text).toBe('a\ufffd b\u0000 c\u202e')
})

test('[CLI-09] a home that is a file, or belongs to another profile, is refused and left as it is', async () => {
  const folder = tempFolder()
  const file = join(folder, 'home')
  writeFileSync(file, 'mine')
  expect(findHome({}, { home: file })).toMatchObject({
    ok: false,
    refusal: { message: expect.stringContaining('is a file') },
  })
})

test('[U-46] screen state is on disk when the answer comes, and survives a restart', async () => {
  const first = await startTestHost([])
  await first.call('ui_state.set', { key: 'draft:x', value: { text: 'half a sent' } })
  await first.host.close()
  const second = await startTestHost([], { folder: first.home.path })
  expect(await second.call('ui_state.get', { keys: ['draft:x', 'draft:y'] })).toEqual({
    values: { 'draft:x': { text: 'half a sent' } },
  })
})

test('[G-04] a write based on an older revision is refused with the current value', async () => {
  const it = await startTestHost([])
  const { revision } = await it.call('config.get', {})
  const set = (value: string, base: number) =>
    it.client.call('config.set', { key: 'ui.theme', value, base_revision: base })
  expect(await set('dark', revision)).toMatchObject({ ok: true })
  expect(await set('light', revision)).toMatchObject({
    ok: false,
    refusal: { code: 'stale_revision', data: { value: 'dark' } },
  })
})

test('[U-39] a stored key is never in an answer, an event, a row or the log', async () => {
  const logged: string[] = []
  const it = await startTestHost([text('ok')], { logged })
  const key = 'sk-very-secret-key-0000'
  const stored = await it.call('credentials.add', { provider: 'custom', key, keep: 'until_quit' })
  expect(stored).toEqual({ storage: 'memory', last_four: '0000' })
  await it.turn(await it.conversation(), 'hello')
  expect(it.provider.headers[0]?.authorization).toBe(`Bearer ${key}`)
  const options = await it.call('model.options', {})
  const dump = JSON.stringify([options, it.events, it.db().all('select * from messages'), logged])
  expect(dump).not.toContain(key)
  expect(options.providers.find((each) => each.name === 'custom')?.key).toMatchObject({
    state: 'set',
    last_four: '0000',
  })
})

test('[kernel 8.1] a listener first hears gateway.ready; lists hear sessions.changed, settings hear config.changed', async () => {
  const it = await startTestHost([])
  const ready = await it.event('gateway.ready')
  expect(ready).toMatchObject({ seq: 0, conversation_id: null, payload: { epoch: ready.epoch } })
  const conversation = await it.conversation()
  expect((await it.event('sessions.changed')).payload).toEqual({ conversation_id: conversation })
  const { revision } = await it.call('config.get', {})
  await it.call('config.set', { key: 'ui.theme', value: 'dark', base_revision: revision })
  expect((await it.event('config.changed')).payload.revision).toBeGreaterThan(revision)
})

test('[kernel 8.1] a call is announced while it is written, its answer is told, and then its result', async () => {
  const it = await startTestHost([danger(), text('ok')])
  const turn = it.turn(await it.conversation(), 'x')
  const { payload } = await it.event('approval.open')
  await it.call('approval.respond', { request_id: payload.request_id, choice: 'deny' })
  await turn
  const types = it.events.map((event) => event.type)
  const order = [
    'tool.generating',
    'message.interim',
    'tool.start',
    'approval.open',
    'tool.approval',
    'tool.complete',
  ] as const
  const places = order.map((type) => types.indexOf(type))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('[U-80] a text longer than a row may be is paged whole, and no piece splits a character', async () => {
  const long = '\u{1F600}'.repeat(60_000)
  const it = await startTestHost([text([long])])
  const conversation = await it.conversation()
  await it.turn(conversation, 'long')
  const row = (await it.call('session.history', { conversation_id: conversation })).rows.at(-1)
  expect(row?.text_size).toBe(120_000)
  expect(row?.text.length).toBeLessThanOrEqual(32_768)
  let whole = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const piece: { text: string; next_offset: number | null } = await it.call('session.message', {
      conversation_id: conversation,
      uid: row?.uid,
      part: 'text',
      offset,
    })
    expect(piece.text.isWellFormed()).toBe(true)
    whole += piece.text
    offset = piece.next_offset
  }
  expect(whole).toBe(long)
})
