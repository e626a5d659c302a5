/**
 * The 8 px mark of a state: a shape and a colour of its own for each, so that colour is never the only sign (U-224,
 * U-243). The word stands beside it, or is heard instead of it.
 */
import type { ReactNode } from 'react'
import type { ConversationRow } from '../../../shared/contract/index.ts'

export type ConversationState = ConversationRow['state']
type Shape = 'ring' | 'dot' | 'square' | 'diamond' | 'triangle' | 'bars'

interface Look {
  readonly shape: Shape
  /** A colour token. */
  readonly colour: string
  readonly word: string
  readonly moving?: true
}

/** The states of a conversation (U-14). */
export const conversationLooks: Readonly<Record<ConversationState, Look>> = {
  idle: { shape: 'ring', colour: 'line-strong', word: 'idle' },
  running: { shape: 'dot', colour: 'warning', word: 'running', moving: true },
  queued: { shape: 'bars', colour: 'accent', word: 'queued' },
  needs_you: { shape: 'square', colour: 'danger', word: 'needs you' },
  unknown: { shape: 'diamond', colour: 'violet', word: 'unknown' },
  failed: { shape: 'triangle', colour: 'danger', word: 'failed' },
}

const shapes: Readonly<Record<Shape, ReactNode>> = {
  ring: <circle cx="4" cy="4" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  dot: <circle cx="4" cy="4" r="4" fill="currentColor" />,
  square: <rect width="8" height="8" rx="1" fill="currentColor" />,
  diamond: <path d="M4 0.7 7.3 4 4 7.3 0.7 4Z" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  triangle: <path d="M4 0 8 8H0Z" fill="currentColor" />,
  bars: <path d="M0 1.25h8M0 4h8M0 6.75h5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
}

/** The mark alone, silent. Put the word beside it or into the name of what holds it. */
export function Mark({ shape, colour, moving }: Pick<Look, 'shape' | 'colour' | 'moving'>): ReactNode {
  return (
    <svg
      className="mark flex-none"
      data-moving={moving === true}
      width="8"
      height="8"
      viewBox="0 0 8 8"
      aria-hidden
      style={{ color: `var(--${colour})` }}
    >
      {shapes[shape]}
    </svg>
  )
}

/** The mark of a conversation's state; `word` also shows the word. */
export function StateMark({
  state,
  word = false,
}: {
  readonly state: ConversationState
  readonly word?: boolean
}): ReactNode {
  const look = conversationLooks[state]
  return (
    <span className="inline-flex items-center gap-6" data-state-mark={state}>
      <Mark {...look} />
      {word ? <span>{look.word}</span> : null}
    </span>
  )
}
