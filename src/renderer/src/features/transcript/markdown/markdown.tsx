/**
 * Markdown of the model: CommonMark with tables, task lists, footnotes and maths (U-72). Model text is data (U-251): HTML is
 * shown as text, links open outside and only when they are of a known kind, remote images wait for a click.
 */
import { isValidElement, lazy, memo, type ReactNode, Suspense, useRef } from 'react'
import type { Components } from 'react-markdown'
import { type Block, growBlocks, type Split } from './blocks.ts'
import { CodeBlock } from './code-block.tsx'
import { isHere, opens } from './links.ts'
import { mended } from './mend.ts'
import { isTooCostly } from './parse-cost.ts'
import { Prose } from './prose.tsx'

const Maths = lazy(() => import('./maths.tsx'))
/** Only texts that look like maths load the typesetter. */
const LOOKS_LIKE_MATHS = /\$\$|\\\(|\\\[|(?<![\w$])\$[^\s$][^$\n]{0,300}\$(?!\d)/

/** A whole message. `open`: text still arrives, so the last block may be half-written. */
export function Markdown({ text, open = false }: { readonly text: string; readonly open?: boolean }): ReactNode {
  const split = useRef<Split | null>(null)
  split.current = growBlocks(split.current, text)
  const blocks = open ? split.current.blocks : resolved(split.current)
  return (
    <div className="md">
      {blocks.map((block, index) => (
        // Blocks are only ever appended; the index is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <BlockView key={index} block={block} mend={open && index === blocks.length - 1} />
      ))}
    </div>
  )
}

const FOOTNOTE = /^ {0,3}\[\^[^\]\n]+\]:/m
const LINK_DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*\S[^\n]*$/gm

/** A finished message may refer across its blocks: link targets go to each block that needs them, footnotes need the whole. */
function resolved({ source, blocks }: Split): readonly Block[] {
  if (FOOTNOTE.test(source) && !isTooCostly(source)) return [{ kind: 'markdown', text: source }]
  const definitions = source.includes(']:') ? (source.match(LINK_DEFINITION)?.slice(0, 200).join('\n') ?? '') : ''
  if (definitions === '') return blocks
  return blocks.map((block) =>
    block.kind === 'markdown' && block.text.includes('[')
      ? { kind: 'markdown', text: `${block.text}\n\n${definitions}` }
      : block,
  )
}

/** Parsed and laid out again only when its own text changes. */
const BlockView = memo(
  function BlockView({ block, mend }: { readonly block: Block; readonly mend: boolean }): ReactNode {
    if (block.kind === 'code') return <CodeBlock language={block.language} text={block.text} closed={block.closed} />
    const text = mend && !isTooCostly(block.text) ? mended(block.text) : block.text
    const prose = <Prose text={text} components={components} finished={!mend} />
    if (!LOOKS_LIKE_MATHS.test(text) || isTooCostly(text)) return prose
    return (
      <Suspense fallback={prose}>
        <Maths text={text} components={components} />
      </Suspense>
    )
  },
  (a, b) => a.mend === b.mend && (a.block === b.block || isSame(a.block, b.block)),
)

const isSame = (a: Block, b: Block): boolean =>
  a.kind === b.kind &&
  a.text === b.text &&
  (a.kind !== 'code' || b.kind !== 'code' || (a.closed === b.closed && a.language === b.language))

const components: Components = {
  a: ({ href, children }) =>
    href !== undefined && opens(href) ? (
      <a href={href} title={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    ) : (
      <span title={href}>{children}</span>
    ),
  img: ({ src, alt }) => <Picture src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <div className="md-table" role="group" aria-label="Table" tabIndex={0}>
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
  pre: ({ children }) => <InnerCode>{children}</InnerCode>,
}

/** A fence inside a list, a quote or a note is a code block like any other. */
function InnerCode({ children }: { readonly children?: ReactNode }): ReactNode {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>
  const { className = '', children: source } = children.props
  const text = typeof source === 'string' ? source.replace(/\n$/, '') : ''
  return <CodeBlock language={/language-(\S+)/.exec(className)?.[1] ?? ''} text={text} closed />
}

/** Nothing is fetched before a click (U-76); the content policy allows no remote picture at all, so the click opens it outside. */
function Picture({ src, alt }: { readonly src: string; readonly alt: string }): ReactNode {
  if (isHere(src)) return <img src={src} alt={alt} decoding="async" />
  const words = `Image: ${alt === '' ? src : alt}`
  if (!opens(src)) return <span className="md-image">{words}</span>
  return (
    <a href={src} title={src} target="_blank" rel="noreferrer noopener" className="md-image">
      {words}
    </a>
  )
}
