import { describe, expect, test } from 'vitest'
import type { RunningCall } from '../../../src/renderer/src/client/conversation.ts'
import {
  foldLabel,
  type Item,
  isSameItem,
  itemsOf,
  type ToolItem,
  type TurnSoFar,
} from '../../../src/renderer/src/features/transcript/items.ts'
import { awaitedBy } from '../../../src/renderer/src/features/transcript/rows.tsx'
import { lookOf, readableResult, subjectOf } from '../../../src/renderer/src/features/transcript/tool-words.ts'
import type { DisplayRow } from '../../../src/shared/contract/index.ts'
import { aCaller, anAnswer, aQuestion, aRecord, aResult, aUserRow } from './builders.ts'

const aRunningCall = (change: Partial<RunningCall> = {}): RunningCall => ({
  toolId: 'm2:0',
  name: 'terminal',
  args: '{}',
  startedAt: 1,
  output: '',
  approval: null,
  ...change,
})
const aTurn = (change: Partial<TurnSoFar> = {}): TurnSoFar => ({ running: [], requests: [], ...change })
const kinds = (items: readonly Item[]): string[] => items.map(({ kind }) => kind)
const tools = (items: readonly Item[]): ToolItem[] => items.filter((item) => item.kind === 'tool')
const user = aUserRow(1)
const caller = aCaller(2, ['terminal'])
/** The one call's state and word. */
const shown = (rows: readonly DisplayRow[], now: TurnSoFar | null = null) => {
  const [tool] = tools(itemsOf(rows, now))
  return tool === undefined ? null : [tool.state, lookOf(tool).word]
}

describe('states of a call', () => {
  test.each([
    ['done', 'done'],
    ['failed', 'failed'],
    ['refused', 'refused'],
    ['not_dispatched', 'not run'],
    ['skipped', 'skipped after stop'],
    ['unknown', 'outcome unknown'],
  ] as const)('[U-78] a stored result that is %s is shown as %s', (outcome, word) => {
    expect(shown([user, caller, aResult(3, caller, 0, aRecord({ outcome }))])).toEqual([outcome, word])
  })

  test('[U-78] a call of the running turn waits, runs, and runs allowed', () => {
    expect(shown([user, caller], aTurn())).toEqual(['waiting', 'waiting'])
    expect(shown([user, caller], aTurn({ running: [aRunningCall()] }))).toEqual(['running', 'running'])
    const approval = { choice: 'once', by: 'person', at: 1, reason: 'r' } as const
    expect(shown([user, caller], aTurn({ running: [aRunningCall({ approval })] }))).toEqual([
      'approved',
      'allowed, running',
    ])
  })

  test('[U-94] a call with an open question waits for the person, not for the machine', () => {
    const now = aTurn({ running: [aRunningCall()], requests: [aQuestion()] })
    expect(shown([user, caller], now)).toEqual(['waiting', 'waiting for your answer'])
    const done = [user, caller, aResult(3, caller)]
    expect(shown(done, now)).toEqual(['done', 'done'])
  })

  test('[U-81] a call whose result never came says so once no turn runs, and also while a later one does', () => {
    expect(shown([user, caller])).toEqual(['missing', 'result missing'])
    expect(shown([user, caller, aUserRow(3)], aTurn())).toEqual(['missing', 'result missing'])
  })

  test('[U-81] rows without a record of their own say what their effect says', () => {
    const of = (effect: 'unknown' | 'not_executed' | 'done' | null) => {
      const row = aResult(3, caller, 0, null)
      return shown([user, caller, { ...row, result: row.result === null ? null : { ...row.result, effect } }])?.[0]
    }
    expect([of('unknown'), of('not_executed'), of('done'), of(null)]).toEqual([
      'unknown',
      'not_dispatched',
      'done',
      'done',
    ])
  })
})

describe('order and folds', () => {
  test('[U-57] parallel calls stand in call order and fill in place, whichever ends first', () => {
    const two = aCaller(2, ['terminal', 'write_file'], 'Both now.')
    const before = itemsOf([user, two], aTurn())
    const after = itemsOf([user, two, aResult(3, two, 1)], aTurn({ running: [aRunningCall()] }))
    expect(kinds(before)).toEqual(['user', 'assistant', 'tool', 'tool'])
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key))
    expect(tools(after).map(({ name, state }) => [name, state])).toEqual([
      ['terminal', 'running'],
      ['write_file', 'done'],
    ])
  })

  const reads = aCaller(2, ['read_file', 'search_files', 'read_file'])
  const results = [0, 1, 2].map((index) => aResult(3 + index, reads, index))

  test('[U-82] finished reads side by side are one row that counts them', () => {
    const items = itemsOf([user, reads, ...results], null)
    expect(kinds(items)).toEqual(['user', 'assistant', 'fold'])
    const [, , fold] = items
    expect(fold?.kind === 'fold' && foldLabel(fold.tools)).toBe('2 reads, 1 search')
  })

  test('[U-82] what failed, wrote, asked or runs is never inside a fold', () => {
    const failed = aResult(4, reads, 1, aRecord({ outcome: 'failed' }))
    expect(kinds(itemsOf([user, reads, results[0] as DisplayRow, failed, results[2] as DisplayRow], null))).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
    ])
    const asked = aRecord({ approval: { choice: 'once', by: 'person', at: 1, reason: 'outside of the folder' } })
    const withAsked = [results[0], aResult(4, reads, 1, asked), results[2]] as DisplayRow[]
    expect(kinds(itemsOf([user, reads, ...withAsked], null))).not.toContain('fold')
    expect(kinds(itemsOf([user, reads, ...results.slice(0, 2)], aTurn()))).toEqual([
      'user',
      'assistant',
      'fold',
      'tool',
    ])
    const wrote = aCaller(2, ['read_file', 'write_file', 'read_file'])
    const written = [0, 1, 2].map((index) => aResult(3 + index, wrote, index))
    expect(kinds(itemsOf([user, wrote, ...written], null))).not.toContain('fold')
  })

  test('[U-07] an ending that is not an answer stands behind its row in its own words', () => {
    const ending = { end_reason: 'interrupted_by_user', status: 'interrupted', detail: null } as const
    const items = itemsOf([user, anAnswer(2, 'half', { ending })], null)
    expect(kinds(items)).toEqual(['user', 'assistant', 'ending'])
    const fine = { end_reason: 'text_response', status: 'complete', detail: null } as const
    expect(kinds(itemsOf([user, anAnswer(2, 'whole', { ending: fine })], null))).toEqual(['user', 'assistant'])
  })

  test('[U-56] equal rows give equal items; a change of a call changes its item alone', () => {
    const rows = [user, reads, ...results, aUserRow(6), aCaller(7, ['terminal', 'terminal'])]
    const at = (output: string): Item[] => itemsOf(rows, aTurn({ running: [aRunningCall({ toolId: 'm7:0', output })] }))
    const same = (a: Item[], b: Item[]): boolean[] => a.map((item, index) => isSameItem(item, b[index] as Item))
    const first = at('a')
    expect(same(itemsOf(rows, null), itemsOf(rows, null))).toEqual(Array(7).fill(true))
    const changed = same(first, at('ab')).flatMap((isSame, index) => (isSame ? [] : [first[index]?.key]))
    expect(changed).toEqual(['m7:0'])
  })
})

describe('words', () => {
  test('[U-59] the footer is silent while text or a call shows that work goes on, and after 5 s says what is awaited', () => {
    const live = {
      turn: 't1' as never,
      part: 0,
      text: '',
      reasoning: '',
      running: [],
      generating: null,
      startedAt: 0,
      stopping: false,
      status: null,
    }
    expect(awaitedBy(live, 0)).toBe('waiting for the model')
    expect(awaitedBy({ ...live, text: 'some' }, 4)).toBeNull()
    expect(awaitedBy({ ...live, text: 'some' }, 7)).toBe('waiting for the model · 7 s')
    const tool = { ...live, running: [aRunningCall()], status: { kind: 'waiting_tool', text: 'terminal' } }
    expect(awaitedBy(tool, 0)).toBeNull()
    expect(awaitedBy(tool, 9)).toBe('running terminal · 9 s')
    expect(awaitedBy({ ...live, text: 'some', stopping: true }, 0)).toBe('stopping')
    expect(awaitedBy({ ...live, text: 'x', status: { kind: 'retrying', text: 'trying again in 2 s' } }, 0)).toBe(
      'trying again in 2 s',
    )
  })

  test('[U-78] a call says what it is about, even when its arguments are no JSON', () => {
    expect(subjectOf({ args: '{"cwd":"/","command":"ls -la"}' })).toBe('ls -la')
    expect(subjectOf({ args: '{"n":3,"word":"x"}' })).toBe('x')
    expect(subjectOf({ args: '{}' })).toBe('')
    expect(subjectOf({ args: '{"path": "a' })).toBe('{"path": "a')
    expect(subjectOf({ args: '[1]' })).toBe('[1]')
  })

  test('[U-79] a terminal result is read without the JSON around it, any other as it is', () => {
    expect(readableResult('terminal', '{"output":"a\\nb","exit_code":2,"error":"no"}')).toEqual({
      text: 'a\nb\nno',
      exitCode: 2,
    })
    expect(readableResult('terminal', 'cut {"outp')).toEqual({ text: 'cut {"outp', exitCode: null })
    expect(readableResult('read_file', '{"output":"a"}')).toEqual({ text: '{"output":"a"}', exitCode: null })
  })
})
