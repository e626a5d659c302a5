/** Prose with formulas, loaded only when a text has some. MathML needs no fonts and no style sheet, so the policy holds. */
import type { ReactNode } from 'react'
import parse, { type Components } from 'react-markdown'
import rehypeKatex from 'rehype-katex'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { keptAddress } from './links.ts'
import { AsWritten } from './prose.tsx'

const REMARK = [remarkGfm, remarkMath]
/** Formulas come from a model: no links, no macros that grow without end, no boxes larger than the page. */
const LIMITS = { output: 'mathml', throwOnError: false, strict: 'ignore', trust: false, maxExpand: 200, maxSize: 20 }
const REHYPE = [[rehypeKatex, LIMITS]] as never

/** `\\( … \\)` and `\\[ … \\]`, which many models write, in the marks that the parser knows. Code spans stay as they are. */
const inDollars = (text: string): string =>
  text.replace(
    /(`+)[^`]{0,2000}\1|\\\(([^\n]{1,500}?)\\\)|\\\[([\s\S]{1,2000}?)\\\]/g,
    (whole, ticks, inline, display) =>
      ticks !== undefined ? whole : inline !== undefined ? `$${inline}$` : `\n$$\n${display.trim()}\n$$\n`,
  )

/** As `Prose`, with formulas. The caller has asked whether the text is too costly. */
export default function Maths({
  text,
  components,
}: {
  readonly text: string
  readonly components: Components
}): ReactNode {
  try {
    return parse({
      children: inDollars(text),
      remarkPlugins: REMARK,
      rehypePlugins: REHYPE,
      components,
      urlTransform: keptAddress,
    })
  } catch {
    // As in `Prose`: only the formatting failed.
    return <AsWritten text={text} />
  }
}
