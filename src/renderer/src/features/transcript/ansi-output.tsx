/** Terminal output with its colours and nothing else of its control effects (U-80, U-251); the last 200 lines. */
import Anser from 'anser'
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import { onlyColours } from './terminal-text.ts'

const LINES = 200

/** Follows its end until the person scrolls up in it. */
export const AnsiOutput = memo(function AnsiOutput({
  text,
  live = false,
  label,
}: {
  readonly text: string
  readonly live?: boolean
  readonly label: string
}): ReactNode {
  const box = useRef<HTMLPreElement>(null)
  const follow = useRef(true)
  const lines = onlyColours(text).split('\n')
  const shown = lines.slice(-LINES).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text is what moves the end
  useLayoutEffect(() => {
    if (live && follow.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [shown, live])
  return (
    <pre
      ref={box}
      role="group"
      className="output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      onScroll={({ currentTarget: at }) => {
        follow.current = at.scrollHeight - at.scrollTop - at.clientHeight < 8
      }}
    >
      {lines.length > LINES ? <span className="output-cut">{`… ${lines.length - LINES} earlier lines\n`}</span> : null}
      {Anser.ansiToJson(shown, { use_classes: true, remove_empty: true }).map((part, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity of their own
          key={index}
          data-fg={part.fg ?? undefined}
          data-bold={part.decorations.includes('bold') || undefined}
        >
          {part.content}
        </span>
      ))}
    </pre>
  )
})
