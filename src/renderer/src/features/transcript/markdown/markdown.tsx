/**
 * Markdown of the model: CommonMark with tables, task lists, footnotes and maths. Model text is data (U-251): HTML is shown
 * as text, links open outside and only when they are of a known kind, remote images wait for a click.
 */
import { lazy, memo, type ReactNode, Suspense, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { type Block, PLAIN_TEXT_FROM, splitBlocks } from './blocks.ts'
import { CodeBlock } from './code-block.tsx'

const Maths = lazy(() => import('./maths.tsx'))
/** Only texts that look like maths load the typesetter. */
const LOOKS_LIKE_MATHS = /\$\$|\\\(|\\\[|(?<![\w$])\$[^\s$][^$\n]*\$(?!\d)/

/** A whole message. `open`: text still arrives, so the last block may be half-written. */
export function Markdown({ text, open = false }: { readonly text: string; readonly open?: boolean }): ReactNode {
  const blocks = useMemo(() => splitBlocks(text), [text])
  return (
    <div className="md">
      {blocks.map((block, index) => (
        // Blocks are only ever appended; the index is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <BlockView key={index} {...block} mend={open && index === blocks.length - 1} />
      ))}
    </div>
  )
}

type BlockProps = Block & { readonly mend: boolean }

/** Parsed and laid out again only when its own text changes. */
const BlockView = memo(
  function BlockView(block: BlockProps): ReactNode {
    if (block.kind === 'code') return <CodeBlock language={block.language} text={block.text} closed={block.closed} />
    if (block.text.length > PLAIN_TEXT_FROM)
      return (
        <>
          <p className="md-note">This part is very long and is shown as plain text.</p>
          <pre className="md-plain">{block.text}</pre>
        </>
      )
    const text = block.mend ? remend(block.text) : block.text
    if (LOOKS_LIKE_MATHS.test(text))
      return (
        <Suspense fallback={<Prose text={text} />}>
          <Maths text={text} components={components} />
        </Suspense>
      )
    return <Prose text={text} />
  },
  (a, b) => a.text === b.text && a.kind === b.kind && a.mend === b.mend && closedOf(a) === closedOf(b),
)

const closedOf = (block: BlockProps): boolean => block.kind === 'code' && block.closed

const Prose = ({ text }: { readonly text: string }): ReactNode => (
  <ReactMarkdown remarkPlugins={PLUGINS} components={components}>
    {text}
  </ReactMarkdown>
)
const PLUGINS = [remarkGfm]

const OPENS = /^(?:https?:|mailto:|herma:)/i

const components: Components = {
  a: ({ href, children }) =>
    href !== undefined && OPENS.test(href) ? (
      <a href={href} title={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    ) : (
      <span title={href}>{children}</span>
    ),
  img: ({ src, alt }) => <RemoteImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  table: ({ children }) => (
    <div className="md-table">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => (
    <span
      className="md-task"
      data-checked={checked === true}
      role="img"
      aria-label={checked === true ? 'done' : 'open'}
    />
  ),
  pre: ({ children }) => <div className="md-inner-code">{children}</div>,
}

/** Nothing is fetched before a click (U-76); the content policy allows no remote picture at all, so the click opens it outside. */
function RemoteImage({ src, alt }: { readonly src: string; readonly alt: string }): ReactNode {
  const [local] = useState(() => src.startsWith('data:image/') || src.startsWith('blob:'))
  if (local) return <img src={src} alt={alt} decoding="async" />
  return (
    <a
      href={OPENS.test(src) ? src : undefined}
      title={src}
      target="_blank"
      rel="noreferrer noopener"
      className="md-image"
    >
      Image: {alt === '' ? src : alt}
    </a>
  )
}
