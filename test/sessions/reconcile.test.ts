import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reconcile, type TurnFacts } from '../../src/main/sessions/index.ts'
import type { MessageUid } from '../../src/shared/ids.ts'

type Row = TurnFacts['rows'][number]
const user = (hidden = false): Row => ({ uid: 'u' as MessageUid, role: 'user', calls: [], answers: null, hidden })
const assistant = (uid: string, ...tools: string[]): Row => ({
  uid: uid as MessageUid,
  role: 'assistant',
  calls: tools.map((name, i) => ({ id: `${uid}${i}`, name, arguments: '{}' })),
  answers: null,
  hidden: false,
})
const result = (callUid: string, callIndex: number): Row => ({
  uid: `r${callUid}${callIndex}` as MessageUid,
  role: 'tool',
  calls: [],
  answers: { callUid: callUid as MessageUid, callIndex },
  hidden: false,
})
const facts = (rows: Row[], more: Partial<TurnFacts> = {}): TurnFacts => ({
  attempts: 1,
  fromPerson: true,
  lastRowAgeMs: rows.length === 0 ? null : 1_000,
  rows,
  isReadOnly: (tool) => tool === 'read_file',
  ...more,
})

test.each([
  ['[S-13] R0: nothing was begun', facts([]), { kind: 'requeue', rule: 'R0', resume: false }],
  ['[S-14] R1: the user row alone', facts([user()]), { kind: 'requeue', rule: 'R1', resume: true }],
  ['[S-15] R2: the answer was there', facts([user(), assistant('a')]), { kind: 'finished', rule: 'R2' }],
  [
    '[S-16] R3: between rounds',
    facts([user(), assistant('a', 'terminal'), result('a', 0)]),
    { kind: 'requeue', rule: 'R3', resume: true },
  ],
  [
    '[S-17] R4: only reads are open',
    facts([user(), assistant('a', 'read_file')]),
    { kind: 'requeue', rule: 'R4', resume: true },
  ],
  [
    '[S-18] R5: an effect may have happened',
    facts([user(), assistant('a', 'read_file', 'terminal'), result('a', 0)]),
    { kind: 'ask', rule: 'R5' },
  ],
  ['[session-db 3.6] R6: an answer without a question', facts([assistant('a')]), { kind: 'ask', rule: 'R6' }],
  ['[session-db 3.6] R6: a result without a call', facts([user(), result('a', 0)]), { kind: 'ask', rule: 'R6' }],
  ['[S-22] a third attempt asks', facts([user()], { attempts: 3 }), { kind: 'ask', rule: 'R1' }],
  [
    '[S-23] eleven minutes old and from a person asks',
    facts([user(), assistant('a', 'terminal'), result('a', 0)], { lastRowAgeMs: 660_000 }),
    { kind: 'ask', rule: 'R3' },
  ],
  [
    '[S-23] eleven minutes old and from an automation goes on',
    facts([user(), assistant('a', 'terminal'), result('a', 0)], { lastRowAgeMs: 660_000, fromPerson: false }),
    { kind: 'requeue', rule: 'R3' },
  ],
])('%s', (_title, given, expected) => {
  expect(reconcile(given)).toMatchObject(expected)
})

test('[I8] an open call with a possible effect is never continued without a person', () => {
  const tool = fc.constantFrom('read_file', 'terminal', 'write_file')
  fc.assert(
    fc.property(
      fc.array(tool, { minLength: 1, maxLength: 4 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      (tools, done) => {
        const results = tools.flatMap((_name, i) => (done[i] === true ? [result('a', i)] : []))
        const verdict = reconcile(facts([user(), assistant('a', ...tools), ...results]))
        const openEffect = tools.some((name, i) => done[i] !== true && name !== 'read_file')
        expect(verdict.kind).toBe(openEffect ? 'ask' : 'requeue')
      },
    ),
  )
})
