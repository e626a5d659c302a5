/** Time as an input. Nothing in the core reads a clock of its own, so that every limit can be tested in milliseconds. */
export interface Clock {
  /** Wall clock, ms since the epoch, UTC. May jump; order never depends on it. */
  now(): number
  /** Monotonic ms: for durations and time limits. */
  monotonic(): number
  /** Resolves after `ms`, at once when `signal` aborts. Never rejects: look at the signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const MINUTE_MS = 60_000

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done, { once: true })
    }),
}
