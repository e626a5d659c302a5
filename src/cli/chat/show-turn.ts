/** How a turn looks in a terminal: the answer on stdout as it comes, everything about tools on stderr. */
import { stripVTControlCharacters } from 'node:util'
import { type HermaEvent, labelOf } from '../../shared/contract/index.ts'
import type { Output } from '../output.ts'

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
    const clean = stripVTControlCharacters(text)
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
          return note(`→ ${event.payload.name} ${stripVTControlCharacters(event.payload.args).slice(0, 200)}`)
        case 'tool.progress':
          return note(stripVTControlCharacters(event.payload.text).trimEnd())
        case 'tool.complete':
          return note(
            `  ${event.payload.summary}${event.payload.duration_s === null ? '' : ` (${event.payload.duration_s.toFixed(1)} s)`}`,
          )
        case 'status.update':
          return event.payload.kind === 'retrying' ||
            event.payload.kind === 'notice' ||
            event.payload.kind === 'waiting_lease'
            ? note(event.payload.text)
            : undefined
        case 'message.complete': {
          finish()
          const { error_surface: problem, end_reason: reason, status } = event.payload
          if (problem !== null) out.note(`herma: ${problem.message}${problem.next === null ? '' : `\n${problem.next}`}`)
          else if (status !== 'complete') out.note(`herma: ${labelOf(reason)}.`)
          return undefined
        }
        default:
          return undefined
      }
    },
  }
}
