import { useSyncExternalStore } from 'react'

/** Relative times move once a minute; one timer for all rows, none while nothing listens or nobody looks (U-235). */
const TICK_MS = 60_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | null = null
let now = Date.now()

const tick = (): void => {
  if (document.hidden) return
  now = Date.now()
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === null) {
    now = Date.now()
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
    timer = null
  }
}

/** The current time in ms, renewed each minute. */
export const useMinute = (): number => useSyncExternalStore(listen, () => now)
