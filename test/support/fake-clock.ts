import type { Clock } from '../../src/shared/time.ts'

export interface FakeClock extends Clock {
  /** Moves time on by `ms`, waking due sleeps in order and letting what they wake run before the next one. */
  advance(ms: number): Promise<void>
  /** Moves only the wall clock, as a user or an NTP step does. */
  jumpWall(ms: number): void
  /** Resolves once at least `count` sleeps wait: for code that does real I/O before it sleeps. */
  whenSleeping(count?: number): Promise<void>
  /** Sleeps that wait now, ms left each, shortest first. */
  sleeping(): readonly number[]
}

interface Sleep {
  readonly due: number
  readonly order: number
  readonly wake: () => void
}

/** One turn of the real event loop: everything that is ready, promises and finished I/O alike, runs. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A clock that stands still until it is told to move. `startMs`: the wall clock at the beginning. */
export function fakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let elapsed = 0
  let wallOffset = startMs
  let order = 0
  const sleeps = new Set<Sleep>()
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 4; i++) await turn()
  }
  const nextDue = (limit: number): Sleep | undefined =>
    [...sleeps].filter((sleep) => sleep.due <= limit).sort((a, b) => a.due - b.due || a.order - b.order)[0]

  return {
    now: () => wallOffset + elapsed,
    monotonic: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleep: Sleep = {
          due: elapsed + Math.max(0, ms),
          order: order++,
          wake: () => {
            sleeps.delete(sleep)
            signal?.removeEventListener('abort', sleep.wake)
            resolve()
          },
        }
        sleeps.add(sleep)
        signal?.addEventListener('abort', sleep.wake, { once: true })
      }),
    advance: async (ms) => {
      const target = elapsed + ms
      await settle()
      for (let sleep = nextDue(target); sleep !== undefined; sleep = nextDue(target)) {
        elapsed = Math.max(elapsed, sleep.due)
        sleep.wake()
        await settle()
      }
      elapsed = target
      await settle()
    },
    jumpWall: (ms) => {
      wallOffset += ms
    },
    whenSleeping: async (count = 1) => {
      while (sleeps.size < count) await turn()
    },
    sleeping: () => [...sleeps].map((sleep) => sleep.due - elapsed).sort((a, b) => a - b),
  }
}
