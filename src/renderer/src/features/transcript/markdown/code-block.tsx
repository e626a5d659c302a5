/** A fenced block: language, copy, wrap, collapse (U-73). Colours come from a worker after the block has closed (U-74). */
import { Check, Copy, WrapText } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { useOpen } from '../open-rows.ts'
import { type ColouredLine, coloursNow, highlight } from './highlight.ts'

/** Longer blocks begin collapsed. */
const COLLAPSE_OVER_LINES = 40

interface CodeBlockProps {
  readonly language: string
  readonly text: string
  /** False while the block still streams: it stays plain. */
  readonly closed: boolean
}

export function CodeBlock({ language, text, closed }: CodeBlockProps): ReactNode {
  const lines = text.split('\n')
  const long = lines.length > COLLAPSE_OVER_LINES
  const [wrap, setWrap] = useState(false)
  // A block that was read while it streamed does not fold away when it closes.
  const [openAtFirst] = useState(!long || !closed)
  const [open, setOpen] = useOpen(`code:${text.length}:${text.slice(0, 200)}`, openAtFirst)
  const coloured = useColours(language, text, closed)
  const shown = open ? lines.length : COLLAPSE_OVER_LINES
  return (
    <figure className="code" data-wrap={wrap}>
      <figcaption>
        <span>{language === '' ? 'text' : language}</span>
        <span className="grow" />
        <IconButton icon={WrapText} label="Wrap lines" aria-pressed={wrap} onClick={() => setWrap(!wrap)} />
        <CopyButton text={text} label="Copy code" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <pre tabIndex={0} role="group" aria-label={`Code, ${language === '' ? 'text' : language}`}>
        <code>
          {coloured === null
            ? lines.slice(0, shown).join('\n')
            : coloured.slice(0, shown).map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of a finished text never move
                <span key={index}>
                  {line.map((token, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: tokens of a finished line never move
                    <span key={at} style={token.colour === null ? undefined : { color: token.colour }}>
                      {token.text}
                    </span>
                  ))}
                  {index < shown - 1 ? '\n' : ''}
                </span>
              ))}
        </code>
      </pre>
      {long ? (
        <button type="button" className="code-more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show all ${lines.length} lines`}
        </button>
      ) : null}
    </figure>
  )
}

function useColours(language: string, text: string, closed: boolean): readonly ColouredLine[] | null {
  const [coloured, setColoured] = useState<{ text: string; lines: readonly ColouredLine[] } | null>(() => {
    const lines = closed ? coloursNow(language, text) : null
    return lines === null ? null : { text, lines }
  })
  useEffect(() => {
    if (!closed || language === '') return
    let wanted = true
    void highlight(language, text).then((lines) => {
      if (wanted && lines !== null) setColoured({ text, lines })
    })
    return () => {
      wanted = false
    }
  }, [language, text, closed])
  return coloured?.text === text ? coloured.lines : null
}

/** Copies the exact source: no numbers, no prompt signs, no trailing blank (U-73). */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? 'Copied' : label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    />
  )
}
