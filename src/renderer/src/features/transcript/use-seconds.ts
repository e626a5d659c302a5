import { useEffect, useState } from 'react'

/** Whole seconds since `startedAt` (wall clock, ms), counting while mounted; 0 and no timer for null. */
export function useSeconds(startedAt: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (startedAt === null) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [startedAt])
  return startedAt === null ? 0 : Math.max(0, Math.floor((now - startedAt) / 1_000))
}
