import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createConversationStore } from '../../../src/renderer/src/client/conversation-store.ts'
import type { HermaClient } from '../../../src/shared/client.ts'
import type { HermaEvent, MethodName, ResultOf, SessionSnapshot } from '../../../src/shared/contract/index.ts'
import { DEFAULT_PROFILE } from '../../../src/shared/ids.ts'
import { ok, refused } from '../../../src/shared/result.ts'
import { aQueuedInput } from '../frame/builders.ts'
import { anAnswer, anEnd, anEvent, aSnapshot, aStart, aUserRow, CHAT } from './builders.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Asked {
  readonly method: MethodName
  readonly params: Record<string, unknown>
  answer(value: unknown): Promise<void>
  refuse(): Promise<void>
}

/** A store over a core that answers when told and frames that are drawn when told. */
function aStore() {
  const asked: Asked[] = []
  const listeners = new Set<(event: HermaEvent) => void>()
  const frames: (() => void)[] = []
  const settle = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(0))
  const client: HermaClient = {
    profile: DEFAULT_PROFILE,
    call: (method, params) =>
      new Promise((resolve) => {
        asked.push({
          method,
          params: params as Record<string, unknown>,
          answer: (value) => {
            resolve(ok(value as ResultOf<typeof method>))
            return settle()
          },
          refuse: () => {
            resolve(refused({ code: 'disconnected', message: 'gone', retry: true } as never))
            return settle()
          },
        })
      }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const store = createConversationStore({ client, now: () => Date.now(), nextFrame: (run) => frames.push(run) }, CHAT)
  let told = 0
  const open = () =>
    store.subscribe(() => {
      told++
    })
  return {
    store,
    asked,
    frames,
    open,
    told: () => told,
    last: () => asked.at(-1) as Asked,
    send: (...events: readonly HermaEvent[]) => {
      for (const event of events) for (const listener of listeners) listener(event)
    },
    /** Draws the frames that were asked for. */
    draw: async () => {
      await vi.advanceTimersByTimeAsync(40)
      for (const frame of frames.splice(0)) frame()
      await settle()
    },
    async opened(snapshot: SessionSnapshot = aSnapshot([])) {
      open()
      await (asked[0] as Asked).answer(snapshot)
    },
  }
}
const delta = (seq: number, text = `${seq} `) => anEvent(seq, 'message.delta', { text })
const start = anEvent(1, 'message.start', aStart([aUserRow(1)]))

describe('reading', () => {
  test('[U-03] events that come while the snapshot is on its way count after it, those it holds already do not', async () => {
    const screen = aStore()
    screen.open()
    screen.send(start, delta(2), delta(3))
    await screen.draw()
    expect(screen.store.view().rows).toEqual([])
    const inflight = {
      turn: 't1',
      text: '2 ',
      reasoning: '',
      running: [],
      started_at: 0,
      stopping: false,
      status: null,
    }
    await screen.last().answer(aSnapshot([aUserRow(1)], { latest_seq: 2, inflight }))
    expect(screen.store.view()).toMatchObject({ seq: 3, rows: [{ uid: 'm1' }], live: { text: '2 3 ' } })
  })

  test('[U-03] a gap is answered by a new snapshot, asked for once', async () => {
    const screen = aStore()
    await screen.opened()
    screen.send(start, delta(5), delta(6))
    await screen.draw()
    expect(screen.asked.map(({ method }) => method)).toEqual(['session.resume', 'session.resume'])
    await screen.last().answer(aSnapshot([aUserRow(1), anAnswer(2)], { latest_seq: 7 }))
    expect(screen.store.view()).toMatchObject({ stale: false, seq: 7, rows: [{ uid: 'm1' }, { uid: 'm2' }] })
    expect(screen.asked).toHaveLength(2)
  })

  test('[U-05] the answer of an earlier read that comes late is dropped', async () => {
    const screen = aStore()
    screen.open()
    screen.store.refresh()
    const [early, late] = screen.asked as [Asked, Asked]
    await late.answer(aSnapshot([aUserRow(1), anAnswer(2)], { latest_seq: 9 }))
    await early.answer(aSnapshot([aUserRow(1)], { latest_seq: 3 }))
    expect(screen.store.view()).toMatchObject({ seq: 9, rows: [{ uid: 'm1' }, { uid: 'm2' }] })
  })

  test('[U-05] an older page and a queue that come after a newer snapshot are dropped', async () => {
    const screen = aStore()
    const page = (rows: ReturnType<typeof aUserRow>[]) => ({ rows, has_before: true, has_after: false, total: 9 })
    await screen.opened(aSnapshot([], { page: page([aUserRow(5)]) }))
    void screen.store.loadOlder()
    const older = screen.last()
    screen.send(anEvent(1, 'turn.queued', { admission_id: 'a1' as never, position: 1, text: 'x' }))
    await screen.draw()
    const queue = screen.last()
    expect([older.method, queue.method]).toEqual(['session.history', 'queue.list'])
    screen.store.refresh()
    await screen.last().answer(aSnapshot([], { page: page([aUserRow(8)]), latest_seq: 1 }))
    await older.answer(page([aUserRow(4)]))
    await queue.answer({ items: [aQueuedInput()] })
    expect(screen.store.view()).toMatchObject({ rows: [{ pos: 8 }], queued: [] })
  })

  test('[U-61] a read that is refused is not repeated at once but with the next connection', async () => {
    const screen = aStore()
    screen.open()
    await screen.last().refuse()
    await screen.draw()
    expect(screen.asked).toHaveLength(1)
    expect(screen.store.refusal()).toMatchObject({ code: 'disconnected' })
    screen.store.refresh()
    await screen.last().answer(aSnapshot([aUserRow(1)]))
    expect(screen.store.refusal()).toBeNull()
    expect(screen.store.view().rows).toHaveLength(1)
  })

  test('[U-63] an older page is read once however often it is asked for, from the first row shown', async () => {
    const screen = aStore()
    const page = { rows: [aUserRow(5)], has_before: true, has_after: false, total: 5 }
    await screen.opened(aSnapshot([], { page }))
    const both = [screen.store.loadOlder(), screen.store.loadOlder()]
    expect(screen.asked).toHaveLength(2)
    expect(screen.last().params).toMatchObject({ before: { segment_no: 0, pos: 5 } })
    await screen.last().answer({ rows: [aUserRow(4)], has_before: false, has_after: true, total: 5 })
    await Promise.all(both)
    expect(screen.store.view()).toMatchObject({ hasBefore: false, rows: [{ pos: 4 }, { pos: 5 }] })
    await screen.store.loadOlder()
    expect(screen.asked).toHaveLength(2)
  })
})

describe('drawing', () => {
  test('[U-55] whatever comes between two frames is one update, and a second has at most 30 of them', async () => {
    const screen = aStore()
    await screen.opened()
    screen.send(start)
    await screen.draw()
    const before = screen.told()
    let seq = 1
    let frames = 0
    for (let ms = 0; ms < 1_000; ms++) {
      screen.send(delta(++seq), delta(++seq))
      await vi.advanceTimersByTimeAsync(1)
      frames += screen.frames.length
      for (const frame of screen.frames.splice(0)) frame()
    }
    expect(screen.told() - before).toBe(frames)
    expect(frames).toBeGreaterThan(24)
    expect(frames).toBeLessThanOrEqual(31)
    await screen.draw()
    expect(screen.store.view().seq).toBe(seq)
  })

  test('[U-55] the first delta after a pause waits for no more than the next frame', async () => {
    const screen = aStore()
    await screen.opened()
    await vi.advanceTimersByTimeAsync(500)
    screen.send(start)
    expect(screen.frames).toHaveLength(1)
  })

  test('[U-237] while no frame is drawn nothing is told; the first one shows all of it', async () => {
    const screen = aStore()
    await screen.opened()
    const before = screen.told()
    screen.send(start, delta(2), delta(3))
    await vi.advanceTimersByTimeAsync(60_000)
    screen.send(delta(4), anEvent(5, 'message.complete', anEnd(anAnswer(2))))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(screen.told()).toBe(before)
    expect(screen.frames).toHaveLength(1)
    await screen.draw()
    expect(screen.told()).toBe(before + 1)
    expect(screen.store.view()).toMatchObject({ seq: 5, live: null, rows: [{ uid: 'm1' }, { uid: 'm2' }] })
  })

  test('[U-61] a store that nobody watched for a while reads again when somebody does', async () => {
    const screen = aStore()
    const leave = screen.open()
    await screen.last().answer(aSnapshot([aUserRow(1)]))
    leave()
    screen.send(start)
    screen.open()
    expect(screen.asked).toHaveLength(2)
    await screen.last().answer(aSnapshot([aUserRow(1), anAnswer(2)], { latest_seq: 4 }))
    expect(screen.store.view().rows).toHaveLength(2)
  })
})
