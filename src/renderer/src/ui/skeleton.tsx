/** What shows while something loads: nothing for 150 ms, then the final layout in grey (U-215). */
import { type ReactNode, useEffect, useState } from 'react'

const QUIET_MS = 150

/** True once `waiting` has lasted 150 ms; false again at once when it ends. */
export function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waiting) {
      setSlow(false)
      return
    }
    const timer = setTimeout(() => setSlow(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  return waiting && slow
}

/** One grey bar. Sizes are CSS lengths; hidden from screen readers, the container says that it is busy. */
export function Skeleton({ width, height = '12px' }: { readonly width: string; readonly height?: string }): ReactNode {
  return <div className="skeleton" aria-hidden style={{ width, height }} />
}
