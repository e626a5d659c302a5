/** Scenarios of the turn loop: the whole core, real SQLite, the real SDK against a scripted server. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { violations } from '../../src/main/sessions/index.ts'
import { call, calls, cutOff, drop, err, gate, malformed, text } from '../support/scripted-provider.ts'
import { startTestHost, type TestHost } from '../support/temp-host.ts'

interface Row {
  role: string
  content: string
}
const rows = (it: TestHost): Row[] =>
  it.db().all<Row>('select role, content from messages where active = 1 order by session_id, pos, id')
const roles = (it: TestHost): string[] => rows(it).map((row) => row.role)
const leases = (it: TestHost): number =>
  it.db().get<{ n: number }>('select count(*) n from session_turn_leases')?.n ?? -1

/** A file in the workspace for read calls. */
const aFile = (it: TestHost, name = 'note.txt', content = 'the note\n'): string => {
  const path = join(it.home.path, 'workspace', name)
  writeFileSync(path, content)
  return path
}

test('[A-01] one plain answer: one request, user and assistant rows, no lease left', async () => {
  const it = await startTestHost([text('hi')])
  const done = await it.turn(await it.conversation(), 'hello')
  expect(done.payload).toMatchObject({ end_reason: 'text_response', status: 'complete', text: 'hi' })
  expect(it.provider.requests).toHaveLength(1)
  expect(rows(it)).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'hi' },
  ])
  expect(leases(it)).toBe(0)
  expect(violations(it.db())).toEqual([])
})

test('[A-02] a read and an answer: two requests, four rows', async () => {
  const it = await startTestHost([(_request) => call('read_file', { path: 'note.txt' }), text('it says: the note')])
  const conversation = await it.conversation()
  aFile(it)
  const done = await it.turn(conversation, 'read it')
  expect(done.payload.end_reason).toBe('text_response')
  expect(it.provider.requests).toHaveLength(2)
  expect(roles(it)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(it.provider.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('the note'),
  })
})

test('[A-03] a spent budget ends with one request without tools, and its words are kept', async () => {
  const read = call('read_file', { path: 'note.txt' })
  const it = await startTestHost([read, read, text('so far: read twice')], { config: { 'agent.max_turns': 2 } })
  const conversation = await it.conversation()
  aFile(it)
  const done = await it.turn(conversation, 'read on')
  expect(done.payload).toMatchObject({ end_reason: 'budget_exhausted', status: 'partial', text: 'so far: read twice' })
  expect(it.provider.requests).toHaveLength(3)
  expect(JSON.parse(it.provider.bodies[2] ?? '{}')).not.toHaveProperty('tools')
  expect(violations(it.db())).toEqual([])
})

test('[A-04] without a budget 520 tool rounds and an answer are 521 requests', async () => {
  const round = call('read_file', { path: 'note.txt' })
  const it = await startTestHost([...Array.from({ length: 520 }, () => round), text('done')], {
    config: { 'agent.max_turns': 1_000_000 },
  })
  const conversation = await it.conversation()
  aFile(it, 'note.txt', 'x')
  const done = await it.turn(conversation, 'go on')
  expect(done.payload.end_reason).toBe('text_response')
  expect(it.provider.requests).toHaveLength(521)
}, 120_000)

test('[A-06] a stop in mid-answer keeps the text, and one request was made', async () => {
  const held = gate()
  const it = await startTestHost([text(['abc', held, 'def'])])
  const conversation = await it.conversation()
  const turn = it.turn(conversation, 'talk')
  await it.event('message.delta', (event) => event.payload.text.includes('abc'))
  expect(await it.call('turn.interrupt', { conversation_id: conversation })).toEqual({ interrupted: true })
  const done = await turn
  held.open()
  expect(done.payload).toMatchObject({ end_reason: 'interrupted_by_user', detail: 'api_call', text: 'abc' })
  expect(it.provider.requests).toHaveLength(1)
  expect(rows(it).at(-1)).toEqual({ role: 'assistant', content: 'abc' })
  expect(leases(it)).toBe(0)
})

test('[F-45] after a stop the next request holds the question and the kept text in order', async () => {
  const held = gate()
  const it = await startTestHost([text(['abc', held]), text('next')])
  const conversation = await it.conversation()
  const turn = it.turn(conversation, 'talk')
  await it.event('message.delta')
  await it.call('turn.interrupt', { conversation_id: conversation })
  await turn
  held.open()
  await it.turn(conversation, 'go on')
  expect(it.provider.requests[1]?.messages.slice(1).map((m) => [m.role, m.content])).toEqual([
    ['user', 'talk'],
    ['assistant', 'abc'],
    ['user', 'go on'],
  ])
})

test('[B-01] the prompt is stored once, bound before the answer, and sent byte for byte', async () => {
  const it = await startTestHost([text('hi')])
  await it.turn(await it.conversation(), 'hello')
  const db = it.db()
  const prompts = db.all<{ hash: string }>('select hash from system_prompts')
  const session = db.get<{ hash: string }>('select system_prompt_hash hash from sessions')
  const sent = it.provider.requests[0]?.messages[0]
  expect(prompts).toEqual([{ hash: session?.hash }])
  expect(sent?.role).toBe('system')
  expect(
    createHash('sha256')
      .update(sent?.content ?? '')
      .digest('hex'),
  ).toBe(session?.hash)
})

test('[B-02] five turns with tools send equal system and tool bytes, each request a prefix of the next', async () => {
  const script = Array.from({ length: 5 }, (_, i) => [
    call('read_file', { path: 'note.txt' }),
    text(`answer ${i}`),
  ]).flat()
  const it = await startTestHost(script)
  const conversation = await it.conversation()
  aFile(it)
  for (let i = 0; i < 5; i++) await it.turn(conversation, `question ${i}`)
  const bodies = it.provider.bodies.map((body) => JSON.parse(body) as { messages: unknown[]; tools: unknown })
  expect(bodies).toHaveLength(10)
  expect(new Set(bodies.map((body) => JSON.stringify(body.tools))).size).toBe(1)
  const lists = bodies.map((body) => JSON.stringify(body.messages).slice(0, -1))
  for (const [i, list] of lists.slice(1).entries()) expect(list.startsWith(lists[i] ?? '?')).toBe(true)
})

test('[B-10] a restart keeps the prompt, and the last request is a prefix of the next', async () => {
  const first = await startTestHost([text('one')])
  const conversation = await first.conversation()
  await first.turn(conversation, 'first')
  await first.host.close()
  const second = await startTestHost([text('two')], { folder: first.home.path })
  await second.turn(conversation, 'second')
  const list = (body: string | undefined): string =>
    JSON.stringify((JSON.parse(body ?? '{}') as { messages: unknown }).messages).slice(0, -1)
  expect(list(second.provider.bodies[0]).startsWith(list(first.provider.bodies[0]))).toBe(true)
  expect(second.db().get('select count(*) n from system_prompts')).toEqual({ n: 1 })
})

test('[C-04] two calls with one id get two ids and two results', async () => {
  const both = calls([
    { name: 'read_file', args: { path: 'note.txt' }, id: 'call_1' },
    { name: 'read_file', args: { path: 'note.txt' }, id: 'call_1' },
  ])
  const it = await startTestHost([both, text('ok')])
  const conversation = await it.conversation()
  aFile(it)
  await it.turn(conversation, 'twice')
  const sent = it.provider.requests[1]?.messages ?? []
  expect(sent.flatMap((message) => message.tool_calls?.map((each) => each.id) ?? [])).toEqual(['call_1', 'call_1_d2'])
  expect(sent.flatMap((message) => (message.tool_call_id === undefined ? [] : [message.tool_call_id]))).toEqual([
    'call_1',
    'call_1_d2',
  ])
})

test('[C-05] integers beyond 2^53 keep their digits on the way back', async () => {
  const it = await startTestHost([call('nope', '{"id":12345678901234567890}'), text('ok')])
  const conversation = await it.conversation()
  aFile(it)
  await it.turn(conversation, 'digits')
  expect(it.provider.bodies[1]).toContain('12345678901234567890')
})

test('[E-01] what a call starts finds that call already committed', async () => {
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  const look = `const D=require(${JSON.stringify(sqlite)});const r=new D(process.env.DB,{readonly:true}).prepare("select tool_calls c from messages where tool_calls is not null").get();console.log(r.c)`
  const it = await startTestHost(
    [
      (_request) =>
        call('terminal', { command: `DB=../state.db ${process.execPath} -e '${look}'` }, { id: 'call_here' }),
      text('ok'),
    ],
    { config: { 'approvals.mode': 'off' } },
  )
  await it.turn(await it.conversation(), 'look')
  const result = await it.event('tool.complete')
  expect(result.payload.row.text).toContain('call_here')
})

test('[E-03] a mixed batch answers every call and runs the valid one', async () => {
  const it = await startTestHost([
    calls([
      { name: 'read_file', args: { path: 'note.txt' } },
      { name: 'nope', args: {} },
    ]),
    text('ok'),
  ])
  const conversation = await it.conversation()
  aFile(it)
  await it.turn(conversation, 'both')
  const results = it
    .db()
    .all<{ effect: string; name: string }>(
      "select effect_disposition effect, tool_name name from messages where role = 'tool' order by pos",
    )
  expect(results).toEqual([
    { effect: 'none', name: 'read_file' },
    { effect: 'not_executed', name: 'nope' },
  ])
  expect(it.events.filter((event) => event.type === 'tool.start')).toHaveLength(1)
})

test('[E-04] three rounds of unknown tools end the turn', async () => {
  const it = await startTestHost([call('nope', {}), call('nope', {}), call('nope', {})])
  const done = await it.turn(await it.conversation(), 'x')
  expect(done.payload.end_reason).toBe('invalid_tool_calls')
  expect(it.provider.requests).toHaveLength(3)
  expect(violations(it.db())).toEqual([])
})

test('[E-05] cut-off arguments run nothing; arguments that are no object are tried nine times', async () => {
  const cut = await startTestHost([call('write_file', '{"path":"a')])
  expect((await cut.turn(await cut.conversation(), 'x')).payload.end_reason).toBe('tool_args_truncated')
  expect(cut.events.some((event) => event.type === 'tool.start')).toBe(false)

  const wrong = await startTestHost([call('write_file', '[1]')], { provider: { whenSpent: 'repeat' } })
  expect((await wrong.turn(await wrong.conversation(), 'x')).payload.end_reason).toBe('malformed_tool_args')
  expect(wrong.provider.requests).toHaveLength(9)
})

test.each(['ledger.calls.before', 'ledger.result.before'])(
  '[E-02] a failed append at %s ends the turn, and no result reaches the model',
  async (point) => {
    const it = await startTestHost([call('write_file', { path: 'made.txt', content: 'x' }), text('never')], {
      env: { HERMA_FAULTS: '1', HERMA_FAULT: `${point}:throw` },
    })
    const done = await it.turn(await it.conversation(), 'write')
    expect(done.payload).toMatchObject({ end_reason: 'session_persistence_failed', detail: 'unknown' })
    expect(it.provider.requests).toHaveLength(1)
    expect(it.events.filter((event) => event.type === 'tool.start')).toHaveLength(
      point === 'ledger.calls.before' ? 0 : 1,
    )
    expect(it.events.filter((event) => event.type === 'tool.complete')).toHaveLength(0)
  },
)

test('[S-41] a full disk at the assistant row starts no tool and names the cause', async () => {
  const it = await startTestHost([call('write_file', { path: 'made.txt', content: 'x' })], {
    env: { HERMA_FAULTS: '1', HERMA_FAULT: 'ledger.calls.before:enospc' },
  })
  const done = await it.turn(await it.conversation(), 'write')
  expect(done.payload).toMatchObject({ end_reason: 'session_persistence_failed' })
  expect(it.events.some((event) => event.type === 'tool.start')).toBe(false)
})

test('[S-43] each call of a batch has one result; the invalid one is never dispatched', async () => {
  const it = await startTestHost([
    calls([
      { name: 'nope', args: {} },
      { name: 'read_file', args: { path: 'note.txt' } },
      { name: 'read_file', args: { path: 'absent.txt' } },
    ]),
    text('ok'),
  ])
  const conversation = await it.conversation()
  aFile(it)
  await it.turn(conversation, 'x')
  const results = it
    .db()
    .all<{ i: number; effect: string }>(
      "select call_index i, effect_disposition effect from messages where role = 'tool' order by call_index",
    )
  expect(results.map((row) => row.i)).toEqual([0, 1, 2])
  expect(results[0]?.effect).toBe('not_executed')
})

test('[G-01] events of a turn are numbered without a gap, with one ending after which nothing follows', async () => {
  const it = await startTestHost([call('read_file', { path: 'note.txt' }), text('ok')])
  const conversation = await it.conversation()
  aFile(it)
  const done = await it.turn(conversation, 'x')
  const own = it.events.filter((event) => event.conversation_id === conversation)
  expect(own.map((event) => event.seq)).toEqual(own.map((_event, i) => i + 1))
  const turn = own.filter((event) => event.turn === done.turn)
  expect(turn.filter((event) => event.type === 'message.complete')).toHaveLength(1)
  expect(turn.at(-1)?.type).toBe('message.complete')
})

test('[G-08] when tool.complete is heard its row can be read, and no method writes a transcript row', async () => {
  const it = await startTestHost([call('read_file', { path: 'note.txt' }), text('ok')])
  const conversation = await it.conversation()
  aFile(it)
  const seen: unknown[] = []
  const db = it.db()
  it.client.subscribe((event) => {
    if (event.type === 'tool.complete')
      seen.push(db.get('select uid from messages where uid = :uid', { uid: event.payload.row.uid }))
  })
  await it.turn(conversation, 'x')
  expect(seen).toEqual([{ uid: expect.any(String) }])
  const { METHOD_NAMES } = await import('../../src/shared/contract/index.ts')
  expect(METHOD_NAMES.filter((name) => /message\.(append|write|set|edit)|transcript/.test(name))).toEqual([])
})

test('[I4] the ending is stored before it is told, and the lease goes last', async () => {
  const it = await startTestHost([text('hi')])
  const conversation = await it.conversation()
  const seen: unknown[] = []
  const db = it.db()
  it.client.subscribe((event) => {
    if (event.type !== 'message.complete') return
    seen.push(
      db.get('select status, outcome from session_admissions'),
      db.get('select count(*) n from session_turn_leases'),
    )
  })
  await it.turn(conversation, 'x')
  expect(seen).toEqual([{ status: 'terminal', outcome: 'completed' }, { n: 1 }])
  expect(leases(it)).toBe(0)
})

test.each([
  ['malformed JSON in the stream', malformed('visible '), 'partial_stream_recovery', 'visible '],
  ['a stream that breaks after text', drop('visible '), 'partial_stream_recovery', 'visible '],
  ['a stream that ends without saying so', cutOff('visible '), 'partial_stream_recovery', 'visible '],
  ['a rejected key', err(401), 'auth_failed', ''],
])('[U-07] %s ends by its own reason, and what was seen is kept', async (_name, step, reason, kept) => {
  const it = await startTestHost([step])
  const done = await it.turn(await it.conversation(), 'x')
  expect(done.payload.end_reason).toBe(reason)
  expect(done.payload.text).toBe(kept)
  expect(done.payload.error_surface?.message).toMatch(/custom|provider|server/i)
  expect(done.payload.error_surface?.next).toEqual(expect.any(String))
  expect(rows(it)[0]).toEqual({ role: 'user', content: 'x' })
  const page = await it.call('session.history', { conversation_id: done.conversation_id as never })
  expect(page.rows.at(-1)?.ending?.end_reason).toBe(reason)
})

test('[F-05] two server errors and an answer are three requests with the waits between', async () => {
  const { fakeClock } = await import('../support/fake-clock.ts')
  const clock = fakeClock()
  const it = await startTestHost([err(500), err(500), text('at last')], { clock })
  const conversation = await it.conversation()
  const turn = it.turn(conversation, 'x')
  for (const [n, wait] of [
    [1, 2_000],
    [2, 4_000],
  ] as const) {
    await it.event(
      'status.update',
      (event) => event.payload.kind === 'retrying' && event.payload.text.includes(`(${n} of 3)`),
    )
    expect(clock.sleeping()).toContain(wait)
    await clock.advance(wait)
  }
  await it.provider.seen(3)
  expect((await turn).payload.end_reason).toBe('text_response')
  expect(it.provider.requests).toHaveLength(3)
})
