/** Terminal output with its colours and nothing else of its control effects (U-80, U-251); the last 200 lines. */
import Anser from 'anser'
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react'

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
  const lines = text.split('\n')
  const shown = lines.length > LINES ? lines.slice(-LINES).join('\n') : text
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
      {Anser.ansiToJson(visibleControls(shown), { use_classes: true, remove_empty: true }).map((part, index) => (
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

/** A carriage return redraws its line, as a terminal would; every other control character but colour codes goes. */
function visibleControls(text: string): string {
  return (
    text
      .replace(/\r\n/g, '\n')
      .replace(/[^\n]*\r(?!\n)/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these have to go
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences that are not colours
      .replace(/\u001b(?:\[[0-9;?]*[A-HJKSTfhlnsu]|\][^\u0007]*(?:\u0007|\u001b\\)|[()][A-Z0-9])/g, '')
  )
}
