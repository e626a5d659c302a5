import { expect, test } from 'vitest'
import {
  cancel,
  claimHead,
  type Intent,
  releaseLease,
  settle,
  submit,
  waitingAdmissions,
} from '../../src/main/sessions/index.ts'
import type { ConversationId, RequestId } from '../../src/shared/ids.ts'
import { aConversation, aStore, aTurn, BACKEND, type Bench } from '../support/session-store.ts'

const send = (
  { store, clock }: Bench,
  conversation: ConversationId,
  request: string,
  text: string,
  intent: Intent = 'queue',
) =>
  store.write('submit', 'admission', (db) =>
    submit(db, { principal: 'user:local', conversation, request: request as RequestId, intent, text }, clock.now()),
  )

test('[S-01] the same submit twice is one row, and both answers name it', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const first = await send(bench, conversation, 'r1', 'hello')
  const again = await send(bench, conversation, 'r1', 'hello')
  expect(again.admission).toEqual(first.admission)
  expect(again.duplicate).toBe(true)
  expect(waitingAdmissions(bench.store.read, conversation)).toHaveLength(1)
})

test('[S-02] a used request id with other text is refused, and the stored text stays', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  await send(bench, conversation, 'r1', 'a')
  await expect(send(bench, conversation, 'r1', 'b')).rejects.toMatchObject({ refusal: { code: 'admission_conflict' } })
  expect(waitingAdmissions(bench.store.read, conversation).map((row) => row.text)).toEqual(['a'])
})

test('[S-03] a settled request sent again gives its settled row, and nothing waits', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const { admission } = await send(bench, conversation, 'r1', 'a')
  await bench.store.write('run', 'admission', (db) => {
    const claim = claimHead(db, { conversation, backend: BACKEND, epoch: bench.epoch }, bench.clock.now())
    if (claim === null) throw new Error('nothing to claim')
    const ended = { outcome: 'completed', endReason: 'text_response', result: { text: 'ok' } } as const
    settle(db, { lease: claim.lease, epoch: bench.epoch, ...ended }, bench.clock.now())
  })
  const again = await send(bench, conversation, 'r1', 'a')
  expect(again.admission).toMatchObject({ id: admission.id, status: 'terminal', outcome: 'completed' })
  expect(waitingAdmissions(bench.store.read, conversation)).toEqual([])
})

test('[S-04] queued inputs run in order, each with the next generation, never two at once', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  for (const text of ['q1', 'q2', 'q3']) await send(bench, conversation, text, text)
  const ran: [string, number][] = []
  for (let i = 0; i < 3; i++) {
    await bench.store.write('run', 'admission', (db) => {
      const claim = claimHead(db, { conversation, backend: BACKEND, epoch: bench.epoch }, bench.clock.now())
      if (claim === null) throw new Error('nothing to claim')
      ran.push([claim.admission.text, claim.lease.generation])
      if (i < 2)
        expect(() => claimHead(db, { conversation, backend: BACKEND, epoch: bench.epoch }, 0)).toThrow('is running')
      const ended = { outcome: 'completed', endReason: 'text_response', result: { text: '' } } as const
      settle(db, { lease: claim.lease, epoch: bench.epoch, ...ended }, bench.clock.now())
      releaseLease(db, claim.lease)
    })
  }
  expect(ran).toEqual([
    ['q1', 1],
    ['q2', 2],
    ['q3', 3],
  ])
})

test('[S-09] only a queued input can be cancelled', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const lease = await aTurn(bench, conversation)
  const { admission } = await send(bench, conversation, 'later', 'later')
  const drop = (id: typeof admission.id) =>
    bench.store.write('cancel', 'admission', (db) => cancel(db, id, bench.epoch, bench.clock.now()))
  expect(await drop(admission.id)).toMatchObject({ status: 'terminal', outcome: 'cancelled' })
  if (lease.admission === null) throw new Error('a turn has its admission')
  await expect(drop(lease.admission)).rejects.toMatchObject({ refusal: { code: 'stale_generation' } })
})

test.each([
  ['started', 'queued'],
  ['terminal', 'queued'],
  ['queued', 'unknown'],
])('[S-24] the database itself refuses %s → %s', async (from, to) => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const { admission } = await send(bench, conversation, 'r1', 'a')
  await bench.store.write('force', 'routine', (db) => {
    if (from === 'queued') return
    db.run(
      "update session_admissions set status = 'started', generation = 1, owner_epoch = 1 where admission_id = :id",
      { id: admission.id },
    )
    if (from === 'terminal')
      db.run("update session_admissions set status = 'terminal', outcome = 'completed' where admission_id = :id", {
        id: admission.id,
      })
  })
  const forced = bench.store.write('force', 'routine', (db) =>
    db.run('update session_admissions set status = :to, outcome = null where admission_id = :id', {
      to,
      id: admission.id,
    }),
  )
  await expect(forced).rejects.toThrow('illegal_transition')
})

test.each([
  ['an empty text', '   ', 'The message is empty'],
  ['1 MiB and more', 'x'.repeat(1_048_577), 'too large'],
])('[U-54] %s is refused with the reason and nothing is stored', async (_name, text, why) => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  await expect(send(bench, conversation, 'r1', text)).rejects.toThrow(why)
  expect(waitingAdmissions(bench.store.read, conversation)).toEqual([])
})

test('[kernel 3] lone surrogates become U+FFFD and NUL survives, before anything is stored', async () => {
  const bench = await aStore()
  const conversation = await aConversation(bench)
  const { admission } = await send(bench, conversation, 'r1', 'a\ud800b\u0000c')
  expect(admission.text).toBe('a\ufffdb\u0000c')
})
