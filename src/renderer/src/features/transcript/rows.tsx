/** The rows of a transcript. Each takes domain values; what a row shows was decided in `items.ts`. */
import { ChevronRight, Layers } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { type DisplayRow, labelOf, type TurnEnding } from '../../../../shared/contract/index.ts'
import { type LiveTurn, nameOf } from '../../client/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { absoluteTime } from '../../ui/figures.ts'
import { Mark } from '../../ui/state-mark.tsx'
import { foldLabel, type Item, isSameItem, type ToolItem } from './items.ts'
import { CopyButton } from './markdown/code-block.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { useOpen } from './open-rows.ts'
import { ToolRow } from './tool-row.tsx'
import { duration, sizeOf } from './tool-words.ts'
import { useSeconds } from './use-seconds.ts'
import { useWholeText } from './whole-text.ts'

/** Items are computed anew with every row; what they show is what counts. */
const sameItem = (a: { item: Item }, b: { item: Item }): boolean => isSameItem(a.item, b.item)

/** One stored item. */
export const ItemRow = memo(function ItemRow({ item }: { readonly item: Item }): ReactNode {
  switch (item.kind) {
    case 'user':
      return <UserRow row={item.row} />
    case 'assistant':
      return <AnswerRow row={item.row} live={null} head={item.head} />
    case 'tool':
      return <ToolRow tool={item} />
    case 'fold':
      return <FoldRow tools={item.tools} />
    case 'ending':
      return <EndingRow ending={item.ending} />
    default:
      return <NoticeRow row={item.row} />
  }
}, sameItem)

const time = (at: number): string => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

function Who({
  name,
  at,
  detail,
  copy,
}: {
  readonly name: string
  readonly at: number | null
  readonly detail?: string | null
  readonly copy?: string
}): ReactNode {
  return (
    <div className="who">
      <b>{name}</b>
      {detail == null ? null : <span>{detail}</span>}
      {at === null ? null : (
        <time dateTime={new Date(at).toISOString()} title={absoluteTime(at)}>
          {time(at)}
        </time>
      )}
      {copy === undefined ? null : (
        <span className="who-actions">
          <CopyButton text={copy} label="Copy as Markdown" />
        </span>
      )}
    </div>
  )
}

function UserRow({ row }: { readonly row: DisplayRow }): ReactNode {
  return (
    <article
      className="message"
      data-role="user"
      data-testid={`message-${row.uid}`}
      aria-label={`You, ${absoluteTime(row.created_at)}`}
    >
      <Who name="You" at={row.created_at} copy={row.text} />
      <div className="bubble">
        <LongText row={row} />
      </div>
    </article>
  )
}

/** What a person wrote is shown as written; a very long text is cut and opened on demand. */
function LongText({ row }: { readonly row: DisplayRow }): ReactNode {
  const [open, setOpen] = useOpen(`${row.uid}:text`, false)
  const long = row.text.length > 4_000
  return (
    <>
      <div className="as-written">{long && !open ? `${row.text.slice(0, 3_000)}…` : row.text}</div>
      {long && !open ? (
        <Button size="small" look="quiet" onClick={() => setOpen(true)}>
          Show all ({sizeOf(row.text_size)})
        </Button>
      ) : null}
      {open && row.text_size > row.text.length ? (
        <p className="tool-note">The rest is in the export; {sizeOf(row.text_size)} in all.</p>
      ) : null}
    </>
  )
}

/**
 * What the model says in one place: the stored row, or what streams until it is stored. Both are one component, so that text
 * keeps its elements, its selection and its height at the moment it becomes a row (U-69).
 */
export const AnswerRow = memo(function AnswerRow({
  row,
  live,
  head,
}: {
  readonly row: DisplayRow | null
  readonly live: LiveTurn | null
  readonly head: boolean
}): ReactNode {
  const [whole, setWhole] = useState<string | null>(null)
  const text = row === null ? (live?.text ?? '') : (whole ?? row.text)
  const name = live === null ? '' : nameOf(live)
  const reasoning = (row === null ? live?.reasoning : row.reasoning) ?? ''
  return (
    <article
      className="message"
      data-role="assistant"
      data-live={row === null || undefined}
      data-testid={row === null ? undefined : `message-${row.uid}`}
      aria-label={row === null ? 'Herma, answering' : `Herma, ${absoluteTime(row.created_at)}`}
    >
      {head ? (
        <Who
          name="Herma"
          at={row?.created_at ?? null}
          detail={row?.model ?? null}
          {...(row === null || text === '' ? {} : { copy: text })}
        />
      ) : row === null || text === '' ? null : (
        <span className="who-actions">
          <CopyButton text={text} label="Copy as Markdown" />
        </span>
      )}
      {reasoning === '' ? null : <Reasoning name={row?.uid ?? name} text={reasoning} />}
      {text === '' ? null : <Markdown text={text} open={row === null} />}
      {row === null ? (
        live === null ? null : (
          <Footer live={live} />
        )
      ) : whole === null && row.text_size > row.text.length ? (
        <RestOfText row={row} onText={setWhole} />
      ) : null}
    </article>
  )
})

function RestOfText({ row, onText }: { readonly row: DisplayRow; readonly onText: (text: string) => void }): ReactNode {
  const whole = useWholeText()
  const read = async (): Promise<void> => {
    const text = await whole(row)
    if (text !== null) onText(text)
  }
  return (
    <Button size="small" look="quiet" onClick={() => void read()}>
      Show all ({sizeOf(row.text_size)})
    </Button>
  )
}

/** Collapsed: one line, the newest words; its length once it is known (U-58). */
/** What the model thought, in one line until it is opened (U-58). */
function Reasoning({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  const [open, setOpen] = useOpen(`${name}:reasoning`, false)
  const line = text.slice(-160).replace(/\s+/g, ' ').trim()
  return (
    <section className="reasoning">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} className="chevron" aria-hidden />
        <span>Reasoning</span>
        {open ? null : <span className="reasoning-line">{line}</span>}
      </button>
      {open ? <div className="as-written">{text}</div> : null}
    </section>
  )
}

function FoldRow({ tools }: { readonly tools: readonly ToolItem[] }): ReactNode {
  const [open, setOpen] = useOpen(`fold:${tools[0]?.key}`, false)
  const ms = tools.reduce((sum, tool) => sum + (tool.result?.result?.record?.duration_ms ?? 0), 0)
  return (
    <section className="tool" data-state="done" aria-label={foldLabel(tools)}>
      <button type="button" className="tool-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Layers size={12} aria-hidden className="text-success" />
        <b>{foldLabel(tools)}</b>
        <span className="tool-subject" />
        <span className="tool-meta">{ms === 0 ? null : <span>{duration(ms)}</span>}</span>
        <ChevronRight size={14} className="chevron" aria-hidden />
      </button>
      {open ? (
        <div className="fold-body">
          {tools.map((tool) => (
            <ToolRow key={tool.key} tool={tool} />
          ))}
        </div>
      ) : null}
    </section>
  )
}

/** How a turn ended when it did not simply answer, in its own words (U-07). */
function EndingRow({ ending }: { readonly ending: TurnEnding }): ReactNode {
  const failed = ending.status === 'failed'
  return (
    <p className="ending" data-status={ending.status} role="note">
      <Mark shape={failed ? 'triangle' : 'bars'} colour={failed ? 'danger' : 'warning'} />
      <span>{labelOf(ending.end_reason)}</span>
      {ending.detail === null || !/\s/.test(ending.detail) ? null : (
        <span className="ending-detail">{ending.detail}</span>
      )}
    </p>
  )
}

/** Words of the system, never drawn as anybody's message (U-110). */
const NoticeRow = ({ row }: { readonly row: DisplayRow }): ReactNode => (
  <div className="system-line" data-testid={`message-${row.uid}`}>
    <span>{row.kind === 'summary' ? 'earlier part summarised' : row.text}</span>
  </div>
)

const AWAITED: Readonly<Record<string, string>> = {
  waiting_model: 'waiting for the model',
  waiting_tool: 'running',
  waiting_approval: 'waiting for your answer about',
  waiting_lease: 'waiting for another process',
}

/** What is awaited after five silent seconds (U-59). */
function Footer({ live }: { readonly live: LiveTurn }): ReactNode {
  const key = `${live.text.length}:${live.reasoning.length}:${live.status?.text}:${live.running.length}`
  return <Silence key={key} live={live} />
}

/** Mounted anew whenever something arrives, so it counts silence alone. Without words nothing is shown. */
function Silence({ live }: { readonly live: LiveTurn }): ReactNode {
  const [since] = useState(() => Date.now())
  const seconds = useSeconds(since)
  const words = awaitedBy(live, seconds)
  return words === null ? null : (
    <p className="awaited" aria-hidden>
      {/* One mark moves at a time: a running call has its own. */}
      <Mark shape="dot" colour="warning" {...(live.running.length === 0 ? { moving: true } : {})} />
      <span>{words}</span>
    </p>
  )
}

const PATIENCE_S = 5

/** What the footer says after `seconds` of silence; null while something else shows that work goes on. */
export function awaitedBy(live: LiveTurn, seconds: number): string | null {
  const { status } = live
  const told = status !== null && (status.kind === 'retrying' || status.kind === 'notice')
  const what = live.stopping
    ? 'stopping'
    : told
      ? status.text
      : live.generating !== null
        ? `writing a call of ${live.generating}`
        : awaited(status)
  if (seconds >= PATIENCE_S) return `${what} · ${seconds} s`
  const movesElsewhere = live.text !== '' || live.running.length > 0
  return live.stopping || told || live.generating !== null || !movesElsewhere ? what : null
}

function awaited(status: LiveTurn['status']): string {
  const what = AWAITED[status?.kind ?? 'waiting_model'] ?? 'working'
  return status?.kind === 'waiting_tool' || status?.kind === 'waiting_approval' ? `${what} ${status.text}` : what
}
