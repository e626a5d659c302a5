import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ConversationView,
  emptyView,
  mergeRows,
  OUTPUT_TAIL_CHARS,
  reduce,
} from '../../../src/renderer/src/client/conversation.ts'
import type { HermaEvent, SessionSnapshot } from '../../../src/shared/contract/index.ts'
import { aCaller, anAnswer, anEnd, anEvent, aQuestion, aResult, aSnapshot, aStart, aUserRow, CHAT } from './builders.ts'
import { type Moment, StoryCore, type TurnShape } from './story-core.ts'

const opened = (snapshot: SessionSnapshot = aSnapshot([])): ConversationView =>
  reduce(emptyView(CHAT), { type: 'snapshot', snapshot })
const told = (view: ConversationView, ...events: readonly HermaEvent[]): ConversationView =>
  events.reduce((now, event) => reduce(now, { type: 'event', event }), view)
const running = (...more: readonly HermaEvent[]): ConversationView =>
  told(opened(), anEvent(1, 'message.start', aStart([aUserRow(1)])), ...more)
const texts = (view: ConversationView): string[] => view.rows.map((row) => row.text)

describe('snapshot and cursor', () => {
  test('[U-03] before a snapshot no event counts', () => {
    const view = told(emptyView(CHAT), anEvent(1, 'message.start', aStart([aUserRow(1)])))
    expect(view.rows).toEqual([])
    expect(view.stale).toBe(true)
  })

  test('[U-03] a gap and another epoch ask for a new snapshot; an old event is nothing', () => {
    const view = running(anEvent(2, 'message.delta', { text: 'a' }))
    expect(told(view, anEvent(4, 'message.delta', { text: 'c' }))).toMatchObject({ stale: true, live: { text: 'a' } })
    expect(told(view, anEvent(3, 'message.delta', { text: 'b' }, { epoch: 'epoch-2' }))).toMatchObject({ stale: true })
    expect(told(view, anEvent(2, 'message.delta', { text: 'a' }))).toBe(view)
  })

  test('[U-04] an event of another conversation or of none changes nothing', () => {
    const view = running()
    expect(told(view, anEvent(2, 'message.delta', { text: 'x' }, { conversation_id: 'c2' as never }))).toBe(view)
    expect(told(view, anEvent(2, 'message.delta', { text: 'x' }, { conversation_id: null }))).toBe(view)
  })

  test('[U-61] older pages stay above a snapshot that meets them, and go when rows may lie between', () => {
    const rows = Array.from({ length: 9 }, (_, index) => aUserRow(index + 1))
    const read = opened(aSnapshot(rows.slice(0, 4)))
    const meets = reduce(read, { type: 'snapshot', snapshot: aSnapshot(rows.slice(3, 6)) })
    expect(meets.rows.map(({ pos }) => pos)).toEqual([1, 2, 3, 4, 5, 6])
    const page = { rows: rows.slice(6), has_before: true, has_after: false, total: 9 }
    const apart = reduce(read, { type: 'snapshot', snapshot: aSnapshot([], { page }) })
    expect(apart).toMatchObject({ hasBefore: true })
    expect(apart.rows.map(({ pos }) => pos)).toEqual([7, 8, 9])
  })
})

describe('a turn', () => {
  test('[U-57] text, calls and results stand in the order of the core, parallel calls in call order', () => {
    const caller = aCaller(2, ['terminal', 'read_file'], 'I look')
    const start = (index: number) => ({
      tool_id: `m2:${index}`,
      call_uid: caller.uid,
      call_index: index,
      name: 'terminal',
      args: '{}',
      started_at: 5,
    })
    const view = running(
      anEvent(2, 'message.delta', { text: 'I look' }),
      anEvent(3, 'message.interim', { text: 'I look', already_streamed: true, row: caller }),
      anEvent(4, 'tool.start', start(0)),
      anEvent(5, 'tool.start', start(1)),
      anEvent(6, 'tool.progress', { tool_id: 'm2:1', stream: 'stdout', text: 'out' }),
    )
    expect(texts(view)).toEqual(['question 1', 'I look'])
    expect(view.live).toMatchObject({
      text: '',
      running: [
        { toolId: 'm2:0', output: '' },
        { toolId: 'm2:1', output: 'out' },
      ],
    })
    const second = aResult(3, caller, 1)
    const done = {
      tool_id: 'm2:1',
      name: 'x',
      result: '',
      summary: '',
      duration_s: 1,
      effect: null,
      row: second,
    } as const
    const later = told(view, anEvent(7, 'tool.complete', done))
    expect(later.live?.running.map(({ toolId }) => toolId)).toEqual(['m2:0'])
    expect(later.rows.map(({ uid }) => uid)).toEqual(['m1', 'm2', 'm3'])
  })

  test('[U-60] after a stop the partial text is the stored row, and late deltas of that turn are nothing', () => {
    const ending = { end_reason: 'interrupted_by_user', status: 'interrupted', detail: null } as const
    const kept = anAnswer(2, 'half a sen', { ending })
    const stopped = running(
      anEvent(2, 'message.delta', { text: 'half a sen' }),
      anEvent(3, 'message.complete', anEnd(kept, ending)),
    )
    expect(stopped).toMatchObject({ live: null })
    const late = told(stopped, anEvent(4, 'message.delta', { text: 'tence' }))
    expect(texts(late)).toEqual(['question 1', 'half a sen'])
    expect(late.live).toBeNull()
    const next = told(late, anEvent(5, 'message.start', aStart([aUserRow(3)], 't2'), { turn: 't2' as never }))
    expect(told(next, anEvent(6, 'message.delta', { text: 'of the first' }))).toMatchObject({ live: { text: '' } })
  })

  test('[U-07] a turn without an answer keeps its ending on its last row and says what failed until the next turn', () => {
    const surface = { message: 'The provider refused.', next: 'Check the key.' }
    const ending = { end_reason: 'auth_failed', status: 'failed', detail: null, error_surface: surface } as const
    const failed = running(anEvent(2, 'message.complete', anEnd(null, ending)))
    expect(failed).toMatchObject({ problem: surface, rows: [{ uid: 'm1', ending: { end_reason: 'auth_failed' } }] })
    expect(told(failed, anEvent(3, 'message.start', aStart([aUserRow(2)])))).toMatchObject({ problem: null })
  })

  test('[U-80] live output is the newest part only, from the beginning of a line', () => {
    const caller = aCaller(2, ['terminal'])
    const view = running(
      anEvent(2, 'message.interim', { text: '', already_streamed: true, row: caller }),
      anEvent(3, 'tool.start', {
        tool_id: 'm2:0',
        call_uid: caller.uid,
        call_index: 0,
        name: 'terminal',
        args: '{}',
        started_at: 5,
      }),
      ...Array.from({ length: 100 }, (_, index) =>
        anEvent(index + 4, 'tool.progress', {
          tool_id: 'm2:0',
          stream: 'stdout',
          text: `\u001b[32mline ${index}\u001b[0m ${'x'.repeat(990)}\n`,
        }),
      ),
    )
    const output = view.live?.running[0]?.output ?? ''
    expect(output.length).toBeLessThanOrEqual(OUTPUT_TAIL_CHARS)
    expect(output.length).toBeGreaterThan(OUTPUT_TAIL_CHARS - 1_010)
    expect(output.startsWith('\u001b[32mline ')).toBe(true)
    expect(output).toContain('line 99')
  })

  test('[U-100] a question is there once however often it is told, and goes with its end', () => {
    const asked = told(
      opened(),
      anEvent(1, 'approval.open', aQuestion()),
      anEvent(2, 'approval.open', aQuestion()),
      anEvent(3, 'approval.open', aQuestion({ request_id: 'r2' })),
    )
    expect(asked.requests.map(({ request_id }) => request_id)).toEqual(['r1', 'r2'])
    const left = told(asked, anEvent(4, 'request.cancel', { id: 'r1', reason: 'answered' }))
    expect(left.requests.map(({ request_id }) => request_id)).toEqual(['r2'])
  })
})

describe('any way the events come', () => {
  const shapes = fc.array(fc.constantFrom<TurnShape>('answer', 'tools', 'fails', 'stopped'), {
    minLength: 1,
    maxLength: 5,
  })
  /** What the network does next: lets time pass, delivers something of the past, or nothing. */
  const steps = fc.array(
    fc.oneof(
      fc.record({ does: fc.constant('next' as const) }),
      fc.record({ does: fc.constant('drop' as const) }),
      fc.record({ does: fc.constant('again' as const), back: fc.nat(12) }),
      fc.record({ does: fc.constant('resume' as const), late: fc.nat(3) }),
    ),
    { maxLength: 80 },
  )

  test('[U-254] [U-61] any drops, duplicates, delays and reorderings give the stored list', () => {
    fc.assert(
      fc.property(shapes, steps, fc.integer({ min: 2, max: 8 }), (turns, plan, limit) => {
        const core = new StoryCore(turns)
        let view = emptyView(CHAT)
        let now = 0
        const deliver = (seq: number): void => {
          const event = core.events[seq - 1]
          if (event !== undefined) view = reduce(view, { type: 'event', event })
        }
        for (const step of plan) {
          if (step.does !== 'resume' && step.does !== 'again') now = Math.min(core.length, now + 1)
          if (step.does === 'next') deliver(now)
          if (step.does === 'again') deliver(now - step.back)
          // A screen reads again when it must; its answer may be older than what has been sent since.
          if (step.does === 'resume' && view.stale)
            view = reduce(view, {
              type: 'snapshot',
              snapshot: core.snapshot(Math.max(view.seq, now - step.late), limit),
            })
          if (!view.stale) agrees(view, core.moments[view.seq] as Moment)
        }
        view = reduce(view, { type: 'snapshot', snapshot: core.snapshot(core.length, 1_000) })
        expect(view.rows).toEqual(core.moments.at(-1)?.rows)
        expect(view.live).toBeNull()
      }),
      { numRuns: 400 },
    )
  })

  /** No row twice, none missing below the first one shown, none out of order, and nothing that streams is stored too. */
  function agrees(view: ConversationView, moment: Moment): void {
    expect(view.rows).toEqual(moment.rows.slice(moment.rows.length - view.rows.length))
    expect(view.hasBefore).toBe(view.rows.length < moment.rows.length)
    expect(view.live?.text ?? null).toBe(moment.text)
    // Each row that took the place of streamed text keeps a name of its own.
    expect(new Set(view.streamed.values()).size).toBe(view.streamed.size)
    expect(view.live?.running.map(({ toolId }) => toolId) ?? []).toEqual(moment.running)
  }

  test('[U-61] rows joined in any pieces and order are the list, each once', () => {
    const rows = Array.from({ length: 12 }, (_, index) => aUserRow(index + 1))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(11), fc.nat(11))), (pieces) => {
        const joined = pieces.reduce<readonly (typeof rows)[number][]>(
          (now, [a, b]) => mergeRows(now, rows.slice(Math.min(a, b), Math.max(a, b) + 1)),
          [],
        )
        expect(joined.map(({ pos }) => pos)).toEqual([...new Set(joined.map(({ pos }) => pos))].sort((a, b) => a - b))
        expect(mergeRows(joined, rows)).toEqual(rows)
      }),
    )
  })
})
