import type { Clock } from '../../shared/time.ts'

export interface TimeLimit {
  /** Resolves when the limit is used up, never before, and not at all after `end`. */
  readonly spent: Promise<void>
  /** The clock stands still while the work runs: a person is thinking. Nests. */
  paused<T>(work: () => Promise<T>): Promise<T>
  /** Stops counting. Call it once the work is over, whatever came of it. */
  end(): void
}

/**
 * Counts `limitMs` of running time. A sleep covers what is left; a pause cancels it and remembers the rest, so 200 s
 * of approval in front of 300 s of work never meet a limit of 420 s (E-09).
 */
export function startTimeLimit(clock: Clock, limitMs: number): TimeLimit {
  let left = limitMs
  let pauses = 0
  let ended = false
  let counting: { readonly since: number; readonly stop: AbortController } | null = null
  const { promise: spent, resolve: expire } = Promise.withResolvers<void>()

  const count = (): void => {
    const stop = new AbortController()
    counting = { since: clock.monotonic(), stop }
    void clock.sleep(left, stop.signal).then(() => {
      if (!stop.signal.aborted && !ended) expire()
    })
  }
  const halt = (): void => {
    if (counting === null) return
    left = Math.max(0, left - (clock.monotonic() - counting.since))
    counting.stop.abort()
    counting = null
  }

  count()
  return {
    spent,
    paused: async (work) => {
      if (pauses++ === 0) halt()
      try {
        return await work()
      } finally {
        if (--pauses === 0 && !ended) count()
      }
    },
    end: () => {
      ended = true
      halt()
    },
  }
}
