/** The line between two regions that can be moved by pointer and by keyboard (U-11, U-218). */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'

interface SplitterProps {
  readonly label: string
  /** Width of the region in px. */
  readonly value: number
  readonly min: number
  readonly max: number
  /** While it moves; `done` once at the end. */
  readonly onMove: (value: number, done: boolean) => void
  /** Moved far below the minimum, or Enter: close the region. */
  readonly onCollapse?: () => void
}

const STEP = 16
/** Dragged this far below the minimum, the region closes. */
const COLLAPSE_BELOW = 64

/** A vertical separator to the right of a region on the left. Arrows move by 16 px, Home and End to the limits. */
export function Splitter({ label, value, min, max, onMove, onCollapse }: SplitterProps): ReactNode {
  const start = useRef<{ x: number; value: number } | null>(null)
  const [dragging, setDragging] = useState(false)
  const clamp = (wish: number): number => Math.min(max, Math.max(min, Math.round(wish)))

  const down = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, value }
    setDragging(true)
  }
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (start.current === null) return
    const wish = start.current.value + event.clientX - start.current.x
    if (wish < min - COLLAPSE_BELOW && onCollapse !== undefined) {
      stop(min)
      onCollapse()
    } else onMove(clamp(wish), false)
  }
  const stop = (at: number): void => {
    if (start.current === null) return
    start.current = null
    setDragging(false)
    onMove(at, true)
  }
  const key = (event: KeyboardEvent): void => {
    const to: Record<string, number> = { ArrowLeft: value - STEP, ArrowRight: value + STEP, Home: min, End: max }
    const wish = to[event.key]
    if (wish !== undefined) {
      event.preventDefault()
      onMove(clamp(wish), true)
    } else if (event.key === 'Enter' && onCollapse !== undefined) {
      event.preventDefault()
      onCollapse()
    }
  }
  return (
    <div
      className="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      data-dragging={dragging}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => stop(value)}
      onPointerCancel={() => stop(value)}
      onKeyDown={key}
    />
  )
}
