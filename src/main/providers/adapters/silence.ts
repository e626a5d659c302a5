import type { Clock } from '../../../shared/time.ts'

/** How long a stream may be silent (kernel 7.5): long prompts take longer to read, and local machines longer still. */
export function silenceLimitMs(requestUnits: number, isLocal: boolean): number {
  const tokens = requestUnits / 4
  if (isLocal) return 900_000
  return tokens > 100_000 ? 300_000 : tokens > 50_000 ? 240_000 : 180_000
}

export interface SilenceWatch {
  heard(): void
  /** Whether it struck. */
  struck(): boolean
  stop(): void
}

/** Calls `onSilence` once when nothing was heard for `limitMs`. One timer, not one per chunk. */
export function watchSilence(clock: Clock, limitMs: number, onSilence: () => void): SilenceWatch {
  const over = new AbortController()
  let last = clock.monotonic()
  let struck = false
  const watch = async (): Promise<void> => {
    for (;;) {
      const left = last + limitMs - clock.monotonic()
      if (left <= 0) break
      await clock.sleep(left, over.signal)
      if (over.signal.aborted) return
    }
    struck = true
    onSilence()
  }
  void watch()
  return {
    heard: () => {
      last = clock.monotonic()
    },
    struck: () => struck,
    stop: () => over.abort(),
  }
}

/** Five silent deaths in a row, then calls fail at once for a minute, then one is let through (kernel 7.5). */
export interface SilenceBreaker {
  isOpen(): boolean
  died(): void
  answered(): void
}

const DEATHS = 5
const OPEN_MS = 60_000

export function silenceBreaker(clock: Clock): SilenceBreaker {
  let deaths = 0
  let openUntil = 0
  return {
    isOpen: () => clock.monotonic() < openUntil,
    died: () => {
      deaths++
      if (deaths >= DEATHS) openUntil = clock.monotonic() + OPEN_MS
    },
    answered: () => {
      deaths = 0
      openUntil = 0
    },
  }
}
