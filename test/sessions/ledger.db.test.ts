import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  activeHistory,
  bindPrompt,
  displayPage,
  freezePrompt,
  loadPrompt,
  openSessions,
  recordAnswer,
  recordResults,
  recordUser,
  releaseLease,
  settle,
  submit,
  sweepPrompts,
  violations,
} from '../../src/main/sessions/index.ts'
import type { RequestId } from '../../src/shared/ids.ts'
import {
  aCall,
  aConversation,
  anAnswer,
  anOutcome,
  answered,
  aStartedTurn,
  aStore,
  aTurn,
  type Bench,
  PROMPT,
} from '../support/session-store.ts'
import { tempFolder } from '../support/temp-home.ts'

const replay = (bench: Pick<Bench, 'store'>, conversation: Parameters<typeof activeHistory>[1]): string =>
  createHash('sha256')
    .update(JSON.stringify(activeHistory(bench.store.read, conversation)))
    .digest('hex')

test('[S-42] results that finish as 2, 0, 1 are stored at once and replay as 0, 1, 2', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const lease = await aStartedTurn(bench, conversation)
  const callUid = await answered(bench, lease, '', [aCall('c0'), aCall('c1'), aCall('c2')])
  for (const callIndex of [2, 0, 1]) {
    await bench.store.write('result', 'transcript', (db) =>
      recordResults(db, lease, callUid, [{ callIndex, outcome: anOutcome(`result ${callIndex}`) }], bench.clock.now()),
    )
    expect(activeHistory(bench.store.read, conversation).some((row) => row.content === `result ${callIndex}`)).toBe(
      true,
    )
  }
  await answered(bench, lease, 'done')
  expect(activeHistory(bench.store.read, conversation).map((row) => row.content)).toEqual([
    'hello',
    '',
    'result 0',
    'result 1',
    'result 2',
    'done',
  ])
})

test('[S-44] one provider call id in two turns pairs with each its own result', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  for (const text of ['first', 'second']) {
    const lease = await aStartedTurn(bench, conversation, text)
    const callUid = await answered(bench, lease, '', [aCall('call_1')])
    await bench.store.write('result', 'transcript', (db) => {
      recordResults(db, lease, callUid, [{ callIndex: 0, outcome: anOutcome(`of ${text}`) }], bench.clock.now())
      const ended = { outcome: 'completed', endReason: 'text_response', result: { text: '' } } as const
      settle(db, { lease, epoch: bench.epoch, ...ended }, bench.clock.now())
      releaseLease(db, lease)
    })
  }
  const rows = activeHistory(bench.store.read, conversation)
  const pairs = rows.flatMap((row) =>
    row.answers === null ? [] : [[rows.findIndex((r) => r.uid === row.answers?.callUid), row.content]],
  )
  expect(pairs).toEqual([
    [1, 'of first'],
    [4, 'of second'],
  ])
})

test('[S-45] a second live result for one call is refused by the database', async () => {
  const bench = await aStore()
  const lease = await aStartedTurn(bench, await aConversation(bench))
  const callUid = await answered(bench, lease, '', [aCall('c0')])
  const result = () =>
    bench.store.write('result', 'transcript', (db) =>
      recordResults(db, lease, callUid, [{ callIndex: 0, outcome: anOutcome('x') }], bench.clock.now()),
    )
  await result()
  await expect(result()).rejects.toThrow('UNIQUE constraint')
})

test('[S-46] a stored text cannot be changed, and api_content is written once', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  await aStartedTurn(bench, conversation)
  const change = (text: string) => bench.store.write('force', 'routine', (db) => db.run(text))
  await expect(change("update messages set content = 'forged'")).rejects.toMatchObject({ code: 'transcript_immutable' })
  await change("update messages set api_content = 'sent'")
  await expect(change("update messages set api_content = 'other'")).rejects.toMatchObject({
    code: 'transcript_immutable',
  })
  expect(activeHistory(bench.store.read, conversation)[0]).toMatchObject({ content: 'hello', apiContent: 'sent' })
})

test('[S-47] two loads and one after a restart give the same bytes', async () => {
  const folder = tempFolder()
  const bench = await aStore(folder)
  const conversation = await aConversation(bench)
  const lease = await aStartedTurn(bench, conversation, 'numbers 12345678901234567890 \u{1F600} 部署')
  await answered(bench, lease, 'text', [aCall('c0', 'read_file', '{"id":12345678901234567890}')])
  const before = replay(bench, conversation)
  expect(replay(bench, conversation)).toBe(before)
  bench.store.close()
  const reopened = await openSessions({ file: bench.file, clock: bench.clock, appVersion: 'test' })
  expect(replay({ store: reopened }, conversation)).toBe(before)
  expect(activeHistory(reopened.read, conversation)[1]?.calls[0]?.arguments).toBe('{"id":12345678901234567890}')
  reopened.close()
})

test('[S-48] a hundred conversations with one prompt store it once, and maintenance drops it with the last of them', async () => {
  const bench = await aStore()
  for (let i = 0; i < 100; i++) await aStartedTurn(bench, await aConversation(bench))
  const count = () => bench.store.read.get<{ n: number }>('select count(*) n from system_prompts')?.n
  expect(count()).toBe(1)
  expect(loadPrompt(bench.store.read, PROMPT.hash)).toBe(PROMPT.text)
  await bench.store.write('delete', 'routine', (db) => {
    db.run('delete from session_turn_leases')
    db.run('delete from conversations')
  })
  const sweep = (now: number) => bench.store.write('sweep', 'routine', (db) => sweepPrompts(db, now))
  expect(await sweep(bench.clock.now())).toBe(0)
  expect(await sweep(bench.clock.now() + 86_400_001)).toBe(1)
  expect(count()).toBe(0)
})

test('[S-49] an answer needs its prompt, and an ordinary turn binds no other', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const lease = await aTurn(bench, conversation)
  const record = () =>
    bench.store.write('answer', 'transcript', (db) => recordAnswer(db, lease, anAnswer('hi'), bench.clock.now()))
  await expect(record()).rejects.toMatchObject({ refusal: { code: 'prompt_unbound' } })
  const bind = (text: string) =>
    bench.store.write('bind', 'transcript', (db) =>
      bindPrompt(
        db,
        lease,
        { prompt: freezePrompt(text, 0), model: 'm', provider: 'p', tools: [], reason: 'created' },
        bench.clock.now(),
      ),
    )
  await bind('one')
  await record()
  await expect(bind('two')).rejects.toMatchObject({ refusal: { code: 'prompt_unbound' } })
})

test('[I4] an owner whose lease was taken over writes nothing more', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const lease = await aStartedTurn(bench, conversation)
  await bench.store.write('takeover', 'routine', (db) =>
    db.run("update session_turn_leases set holder = 'other', generation = generation + 1"),
  )
  await expect(answered(bench, lease, 'late')).rejects.toMatchObject({ refusal: { code: 'lease_lost' } })
  expect(activeHistory(bench.store.read, conversation)).toHaveLength(1)
})

test('[S-33] an expired lease that nobody took still writes, and the write renews it', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const lease = await aStartedTurn(bench, conversation)
  await bench.clock.advance(300_001)
  await answered(bench, lease, 'late but ours')
  const row = bench.store.read.get<{ expires: number }>('select expires_at expires from session_turn_leases')
  expect(row?.expires).toBe(bench.clock.now() + 300_000)
})

test('[S-14] a resumed turn finds its user row and appends no second one', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const lease = await aStartedTurn(bench, conversation)
  const again = await bench.store.write('user', 'transcript', (db) =>
    recordUser(db, lease, { content: 'hello', apiContent: null }, bench.clock.now()),
  )
  expect(activeHistory(bench.store.read, conversation).map((row) => row.uid)).toEqual([again])
})

test('[I13][I14] totals and counts follow every append, and the invariants hold', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const lease = await aStartedTurn(bench, conversation)
  await answered(bench, lease, 'one')
  await answered(bench, lease, 'two')
  const session = bench.store.read.get(
    'select message_count, api_call_count, input_tokens, output_tokens, est_cost_micros from sessions',
  )
  expect(session).toEqual({
    message_count: 3,
    api_call_count: 2,
    input_tokens: 20,
    output_tokens: 10,
    est_cost_micros: 14,
  })
  expect(violations(bench.store.read)).toEqual([])
  await bench.store.write('break', 'routine', (db) => db.run('update sessions set message_count = 9'))
  expect(violations(bench.store.read).map((violation) => violation.rule)).toEqual(['I14'])
})

test('[U-234] a page stays under the frame limit whatever the rows hold, and pages join without gap or overlap', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const lease = await aStartedTurn(bench, conversation)
  for (let i = 0; i < 40; i++) await answered(bench, lease, `${i} ${'x'.repeat(40_000)}`)
  const uids: string[] = []
  let before: { segment_no: number; pos: number } | undefined
  for (;;) {
    const page = displayPage(bench.store.read, conversation, { limit: 100, before })
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(262_144)
    uids.unshift(...page.rows.map((row) => row.uid))
    if (!page.has_before) break
    before = page.rows[0]
  }
  expect(uids).toEqual(activeHistory(bench.store.read, conversation).map((row) => row.uid))
})

test('[I2] a request id that is the same in two conversations belongs to each on its own', async () => {
  const bench = await aStore()
  const [a, b] = [await aConversation(bench), await aConversation(bench)]
  const sent = await bench.store.write('submit', 'admission', (db) =>
    [a, b].map((conversation) =>
      submit(
        db,
        { principal: 'user:local', conversation, request: 'same' as RequestId, intent: 'queue', text: 'x' },
        bench.clock.now(),
      ),
    ),
  )
  expect(new Set(sent.map((each) => each.admission.id)).size).toBe(2)
})
