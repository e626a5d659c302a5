/** One call, one row (U-78–U-81): mark, name, what it is about, how long; the rest behind a click. */
import { ChevronRight } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import type { ApprovalRecord, ToolRecord } from '../../../../shared/contract/index.ts'
import { Button } from '../../ui/button.tsx'
import { absoluteTime } from '../../ui/figures.ts'
import { Mark } from '../../ui/state-mark.tsx'
import { AnsiOutput } from './ansi-output.tsx'
import { isSameTool, type ToolItem } from './items.ts'
import { CopyButton } from './markdown/code-block.tsx'
import { useOpen } from './open-rows.ts'
import { duration, lookOf, parsedArgs, readableResult, sizeOf, subjectOf } from './tool-words.ts'
import { useSeconds } from './use-seconds.ts'
import { useWholeText } from './whole-text.ts'

export const ToolRow = memo(
  function ToolRow({ tool }: { readonly tool: ToolItem }): ReactNode {
    const running = tool.running !== null && tool.question === null
    const [open, setOpen] = useOpen(tool.key, running && tool.name === 'terminal')
    const look = lookOf(tool)
    const record = tool.result?.result?.record ?? null
    return (
      <section
        className="tool"
        data-testid={`tool-${tool.toolId}`}
        data-state={tool.state}
        aria-label={`${tool.name}, ${look.word}`}
      >
        <button type="button" className="tool-head" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Mark {...look} />
          <b>{tool.name}</b>
          <span className="tool-subject">{subjectOf(tool)}</span>
          <span className="tool-meta">
            {tool.state === 'done' ? null : <span>{look.word}</span>}
            <Elapsed tool={tool} record={record} />
            {tool.result === null || tool.result.text_size < 2_000 ? null : (
              <span>{sizeOf(tool.result.text_size)}</span>
            )}
          </span>
          <ChevronRight size={14} className="chevron" aria-hidden />
        </button>
        {open ? <ToolBody tool={tool} record={record} /> : null}
      </section>
    )
  },
  (a, b) => isSameTool(a.tool, b.tool),
)

function Elapsed({ tool, record }: { readonly tool: ToolItem; readonly record: ToolRecord | null }): ReactNode {
  // The wait for an answer is the person's, not the command's: the question counts it.
  const startedAt = tool.question === null ? (tool.running?.startedAt ?? null) : null
  const seconds = useSeconds(startedAt)
  if (startedAt !== null) return <span>{duration(Math.max(1_000, seconds * 1_000))}</span>
  return record?.duration_ms == null ? null : <span>{duration(record.duration_ms)}</span>
}

function ToolBody({ tool, record }: { readonly tool: ToolItem; readonly record: ToolRecord | null }): ReactNode {
  const [raw, setRaw] = useState(false)
  const approval = record?.approval ?? tool.running?.approval ?? null
  return (
    <div className="tool-body">
      {raw ? <Raw title="Arguments as sent" text={tool.args} /> : <Arguments tool={tool} />}
      {tool.question !== null ? (
        <p className="tool-note">Nothing has run yet. The question stands below, above the message box.</p>
      ) : tool.running !== null ? (
        <AnsiOutput
          text={tool.running.output === '' ? 'No output yet.' : tool.running.output}
          live
          label={`Output of ${tool.name}`}
        />
      ) : (
        <Result tool={tool} raw={raw} />
      )}
      {tool.state === 'missing' ? (
        <p className="tool-note">
          The result never came: Herma stopped before it was stored. Check the actual state before repeating it.
        </p>
      ) : null}
      {approval === null ? null : <p className="tool-note">{approvalLine(approval)}</p>}
      {record === null ? null : <Facts record={record} />}
      <div className="tool-foot">
        <Button size="small" look="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          {raw ? 'Readable' : 'Raw'}
        </Button>
        <CopyButton
          text={tool.result === null ? tool.args : readableResult(tool.name, tool.result.text).text}
          label="Copy"
        />
      </div>
    </div>
  )
}

function Arguments({ tool }: { readonly tool: ToolItem }): ReactNode {
  const args = parsedArgs(tool.args)
  if (args === null) return <Raw title="Arguments" text={tool.args} />
  const entries = Object.entries(args)
  if (entries.length === 0) return null
  return (
    <dl className="tool-args">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
          </dd>
        </div>
      ))}
      {tool.argsCut ? <p className="tool-note">The arguments are longer; Raw and the export have them whole.</p> : null}
    </dl>
  )
}

function Result({ tool, raw }: { readonly tool: ToolItem; readonly raw: boolean }): ReactNode {
  const [whole, setWhole] = useState<string | null>(null)
  const row = tool.result
  if (row === null) return null
  const text = whole ?? row.text
  const readable = raw ? { text, exitCode: null } : readableResult(tool.name, text)
  return (
    <>
      <AnsiOutput text={readable.text === '' ? '(no output)' : readable.text} label={`Result of ${tool.name}`} />
      {whole === null && row.text_size > row.text.length ? <OpenWhole tool={tool} onText={setWhole} /> : null}
    </>
  )
}

/** Long results are paged from the core, piece by piece (U-80). */
function OpenWhole({ tool, onText }: { readonly tool: ToolItem; readonly onText: (text: string) => void }): ReactNode {
  const whole = useWholeText()
  const [reading, setReading] = useState(false)
  const row = tool.result
  if (row === null) return null
  const read = async (): Promise<void> => {
    setReading(true)
    const text = await whole(row)
    setReading(false)
    if (text !== null) onText(text)
  }
  return (
    <Button size="small" look="quiet" disabled={reading} onClick={() => void read()}>
      {reading ? 'Reading…' : `Open full output (${sizeOf(row.text_size)})`}
    </Button>
  )
}

const Raw = ({ title, text }: { readonly title: string; readonly text: string }): ReactNode => (
  <pre className="output" role="group" aria-label={title}>
    {text}
  </pre>
)

function Facts({ record }: { readonly record: ToolRecord }): ReactNode {
  const facts = [
    record.exit_code == null ? null : `exit code ${record.exit_code}`,
    record.cwd === undefined ? null : `in ${record.cwd}`,
    record.started_at === null ? null : `started ${absoluteTime(record.started_at)}`,
    record.files === undefined || record.files.length === 0 ? null : `touched ${record.files.join(', ')}`,
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? null : <p className="tool-facts">{facts.join(' · ')}</p>
}

const CHOICES: Readonly<Record<ApprovalRecord['choice'], string>> = {
  once: 'Allowed once',
  session: 'Allowed for this session',
  always: 'Always allowed',
  deny: 'Denied',
}
const BY: Readonly<Record<ApprovalRecord['by'], string>> = {
  person: 'by you',
  rule: 'by a stored rule',
  session: 'by an earlier answer in this session',
  expiry: 'because nobody answered in time',
  interrupt: 'because the turn was stopped',
  unattended: 'because nobody was there to ask',
  bypass: 'because approvals are off',
}

/** The permanent line an approval leaves (U-97, U-98): choice, how, when. */
export const approvalLine = (record: ApprovalRecord): string =>
  `${CHOICES[record.choice]} ${BY[record.by]}, ${absoluteTime(record.at)} (${record.reason})${record.note === undefined ? '' : `: “${record.note}”`}`
