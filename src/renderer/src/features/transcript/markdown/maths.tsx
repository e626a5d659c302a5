/** Prose with formulas, loaded only when a text has some. MathML needs no fonts and no style sheet, so the policy holds. */
import type { ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeKatex from 'rehype-katex'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'

const REMARK = [remarkGfm, remarkMath]
const REHYPE = [[rehypeKatex, { output: 'mathml', throwOnError: false, strict: 'ignore' }]] as never

export default function Maths({
  text,
  components,
}: {
  readonly text: string
  readonly components: Components
}): ReactNode {
  return (
    <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={components}>
      {text}
    </ReactMarkdown>
  )
}
