/**
 * One block of prose as elements. Parsing is the dear part of a transcript, so finished blocks are kept for rows that
 * scroll out and back and for the moment at which a stored row replaces what streamed.
 */
import type { ReactNode } from 'react'
import parse, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { keptAddress } from './links.ts'
import { isTooCostly } from './parse-cost.ts'

const PLUGINS = [remarkGfm]
/** UTF-16 units of source whose elements are kept. */
const KEPT_CHARS = 500_000
const kept = new Map<string, ReactNode>()
let keptChars = 0

interface ProseProps {
  readonly text: string
  readonly components: Components
  /** A finished text is kept; one that still grows would only fill the store. */
  readonly finished: boolean
}

/** The elements of a text; as it was written when a parser would take too long over it or fails on it. */
export function Prose({ text, components, finished }: ProseProps): ReactNode {
  const found = kept.get(text)
  if (found !== undefined) return found
  const made = drawn(text, components)
  if (finished) keep(text, made)
  return made
}

function drawn(text: string, components: Components): ReactNode {
  if (isTooCostly(text)) return <AsWritten text={text} />
  try {
    return parse({ children: text, remarkPlugins: PLUGINS, components, urlTransform: keptAddress })
  } catch {
    // A text that overruns the parser is still readable; what failed is only its formatting.
    return <AsWritten text={text} />
  }
}

function keep(text: string, made: ReactNode): void {
  kept.set(text, made)
  keptChars += text.length
  for (const oldest of kept.keys()) {
    if (keptChars <= KEPT_CHARS) return
    kept.delete(oldest)
    keptChars -= oldest.length
  }
}

/** Text that is not formatted, with the reason. */
export const AsWritten = ({ text }: { readonly text: string }): ReactNode => (
  <>
    <p className="md-note">This part is too long or too dense to format and is shown as it was written.</p>
    <pre className="md-plain">{text}</pre>
  </>
)
