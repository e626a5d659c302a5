/** How a turn looks in a terminal: the answer on stdout as it comes, everything about tools on stderr. */
import { type ApprovalRecord, type EventPayload, type HermaEvent, labelOf } from '../../shared/contract/index.ts'
import type { Output } from '../output.ts'
import { plain, plainLine } from '../terminal-text.ts'

export interface TurnView {
  show(event: HermaEvent): void
  /** Ends an unfinished line. */
  finish(): void
}

/** `--json`: each event frame's params on a line of its own, in order (cli.md 2). */
export const jsonView = (out: Output): TurnView => ({ show: (event) => out.data(event), finish: () => {} })

export function textView(out: Output, quiet: boolean): TurnView {
  let lineOpen = false
  const write = (text: string): void => {
    // Model text is data: no control effects reach the terminal (U-251).
    const clean = plain(text)
    out.write(clean)
    lineOpen = clean === '' ? lineOpen : !clean.endsWith('\n')
  }
  const finish = (): void => {
    if (lineOpen) out.write('\n')
    lineOpen = false
  }
  const note = (text: string): void => {
    if (quiet) return
    finish()
    out.note(out.dim(text))
  }
  return {
    finish,
    show(event) {
      switch (event.type) {
        case 'message.delta':
          return write(event.payload.text)
        case 'tool.start':
          return note(`→ ${plainLine(event.payload.name, 60)} ${plainLine(event.payload.args, 200)}`)
        case 'tool.progress':
          return note(plain(event.payload.text).trimEnd())
        case 'tool.complete':
          return note(`  ${outcomeOf(event.payload)}`)
        case 'status.update':
          return TOLD.has(event.payload.kind) ? note(plainLine(event.payload.text, 500)) : undefined
        case 'message.complete': {
          finish()
          const { error_surface: problem, end_reason: reason, status } = event.payload
          if (problem !== null)
            out.note(`herma: ${plain(problem.message)}${problem.next === null ? '' : `\n${problem.next}`}`)
          else if (status !== 'complete') out.note(`herma: ${labelOf(reason)}.`)
          return undefined
        }
        default:
          return undefined
      }
    },
  }
}

/** Everything else a status says can be seen from what is printed anyway. */
const TOLD = new Set(['retrying', 'notice', 'waiting_lease'])

/** How a call ended: what it did and how long it took, or why it was not run. */
function outcomeOf({ row, summary, duration_s }: EventPayload<'tool.complete'>): string {
  const approval = row.result?.record?.approval
  const seconds = duration_s === null ? '' : ` (${duration_s.toFixed(1)} s)`
  return approval?.choice === 'deny' ? `not run: ${NOT_RUN[approval.by]}` : `${plainLine(summary, 300)}${seconds}`
}

const NOT_RUN: Readonly<Record<ApprovalRecord['by'], string>> = {
  person: 'you said no',
  rule: 'a deny rule forbids it',
  session: 'denied for this session',
  expiry: 'nobody answered in time',
  interrupt: 'the turn was stopped',
  unattended: 'it needs a yes, and no terminal is attached to ask (--yolo runs it without asking)',
  bypass: 'denied',
}
