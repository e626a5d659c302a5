/**
 * A core in miniature: turns with text, calls, results and failures as the events a real one sends, and after each of them
 * what the ledger holds. A view that has applied event `n` must show exactly what stands here after `n`.
 */
import type { DisplayRow, HermaEvent, SessionSnapshot } from '../../../src/shared/contract/index.ts'
import { aCaller, anAnswer, anEnd, anEvent, aResult, aSnapshot, aStart, aUserRow } from './builders.ts'

export type TurnShape = 'answer' | 'tools' | 'fails' | 'stopped'

export interface Moment {
  readonly rows: readonly DisplayRow[]
  readonly text: string | null
  readonly running: readonly string[]
}

export class StoryCore {
  readonly events: HermaEvent[] = []
  /** `moments[n]`: after event `n`; `moments[0]` is the empty chat. */
  readonly moments: Moment[] = [{ rows: [], text: null, running: [] }]
  private pos = 0

  constructor(turns: readonly TurnShape[]) {
    turns.forEach((shape, index) => {
      this.turn(shape, `t${index + 1}`)
    })
  }

  get length(): number {
    return this.events.length
  }

  /** What `session.resume` answers after event `seq`, with at most `limit` rows. */
  snapshot(seq: number, limit = 100): SessionSnapshot {
    const { rows, text, running } = this.moments[seq] as Moment
    return aSnapshot(rows.slice(-limit), {
      latest_seq: seq,
      page: { rows: rows.slice(-limit), has_before: rows.length > limit, has_after: false, total: rows.length },
      inflight:
        text === null
          ? null
          : {
              turn: 't',
              text,
              reasoning: '',
              started_at: 0,
              stopping: false,
              status: null,
              running: running.map((tool_id) => ({ tool_id, name: 'terminal', args: '{}', started_at: 0, output: '' })),
            },
    })
  }

  private add(event: HermaEvent, change: Partial<Moment>): void {
    const last = this.moments.at(-1) as Moment
    this.events.push(event)
    this.moments.push({ ...last, ...change })
  }

  private turn(shape: TurnShape, turn: string): void {
    // The ids of turns are left alike, so that a resumed view can follow the turn it was told of.
    const at = { turn: 't' as never }
    const rows = (): readonly DisplayRow[] => (this.moments.at(-1) as Moment).rows
    const seq = (): number => this.events.length + 1
    const user = aUserRow(++this.pos, `${turn} asks`)
    this.add(anEvent(seq(), 'message.start', aStart([user], 't'), at), { rows: [...rows(), user], text: '' })
    const say = (text: string): void =>
      this.add(anEvent(seq(), 'message.delta', { text }, at), { text: `${this.moments.at(-1)?.text}${text}` })
    say('one ')
    say('two ')
    if (shape === 'tools') {
      const caller = aCaller(++this.pos, ['terminal', 'terminal'], 'one two ')
      this.add(anEvent(seq(), 'message.interim', { text: 'one two ', already_streamed: true, row: caller }, at), {
        rows: [...rows(), caller],
        text: '',
      })
      const ids = [`${caller.uid}:0`, `${caller.uid}:1`]
      ids.forEach((tool_id, call_index) => {
        const start = { tool_id, call_uid: caller.uid, call_index, name: 'terminal', args: '{}', started_at: 0 }
        this.add(anEvent(seq(), 'tool.start', start, at), { running: ids.slice(0, call_index + 1) })
      })
      ids.forEach((tool_id, index) => {
        const row = aResult(++this.pos, caller, index)
        const done = {
          tool_id,
          name: 'terminal',
          result: 'x',
          summary: 'x',
          duration_s: 1,
          effect: 'done',
          row,
        } as const
        this.add(anEvent(seq(), 'tool.complete', done, at), { rows: [...rows(), row], running: ids.slice(index + 1) })
      })
      say('three')
    }
    if (shape === 'fails') {
      const ending = { end_reason: 'provider_error', status: 'failed', detail: null } as const
      const last = rows().at(-1) as DisplayRow
      this.add(anEvent(seq(), 'message.complete', anEnd(null, ending), at), {
        rows: [...rows().slice(0, -1), { ...last, ending }],
        text: null,
      })
      return
    }
    const ending =
      shape === 'stopped'
        ? ({ end_reason: 'interrupted_by_user', status: 'interrupted', detail: null } as const)
        : ({ end_reason: 'text_response', status: 'complete', detail: null } as const)
    const answer = anAnswer(++this.pos, 'the stored answer', { ending })
    this.add(anEvent(seq(), 'message.complete', anEnd(answer, ending), at), { rows: [...rows(), answer], text: null })
  }
}
