/**
 * What a person types in the terminal chat, one message at a time. A pasted text of several lines is one message: the
 * terminal marks a paste (bracketed paste), and where it does not, lines that arrive at once belong together. Lines typed
 * while a turn runs wait; a question takes only a line that was begun after it was asked, so that nothing typed before
 * can answer it.
 */
import { createInterface, type Interface } from 'node:readline'

export interface TerminalInput {
  /** The next message; null when the person leaves (Ctrl+D, or Ctrl+C on an empty line). */
  next(prompt: string): Promise<string | null>
  /** One line in answer to a question; null when `signal` says that it is no longer asked, or when the person leaves. */
  ask(prompt: string, signal: AbortSignal): Promise<string | null>
  /** Who hears Ctrl+C while no message is awaited. */
  onInterrupt(work: () => void): void
  close(): void
}

const PASTE_MARKS_ON = '\x1b[?2004h'
const PASTE_MARKS_OFF = '\x1b[?2004l'

export function openTerminalInput(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): TerminalInput {
  const terminal = createInterface({ input, output, terminal: true, historySize: 200 })
  output.write(PASTE_MARKS_ON)
  const typed: string[] = []
  let pasting = false
  let lines: string[] = []
  /** The lines so far end inside a paste: they wait for an Enter that a person presses. */
  let held = false
  let flushing = false
  let closed = false
  let reader: ((message: string | null) => void) | null = null
  let asked: ((line: string | null) => void) | null = null
  let interrupt: () => void = () => {}

  const deliver = (message: string): void => {
    if (reader === null) typed.push(message)
    else take(reader, message)
  }
  const take = (who: (message: string | null) => void, message: string | null): void => {
    reader = null
    who(message)
  }
  const flush = (): void => {
    flushing = false
    // The last line of a paste has no line end: it stays in the editor, and Enter sends all of it.
    if (held || terminal.line !== '' || lines.length === 0) return
    const message = lines.join('\n')
    lines = []
    deliver(message)
  }
  input.on('keypress', (_text: string | undefined, key: { name?: string } | undefined) => {
    if (key?.name === 'paste-start') pasting = true
    if (key?.name === 'paste-end') pasting = false
  })
  terminal.on('line', (line) => {
    if (asked !== null) return asked(line)
    lines.push(line)
    held = pasting
    if (held || flushing) return
    flushing = true
    setImmediate(flush)
  })
  terminal.on('SIGINT', () => {
    if (asked !== null) asked(null)
    if (reader === null) return interrupt()
    if (terminal.line === '' && lines.length === 0) return take(reader, null)
    lines = []
    emptyLine(terminal)
    terminal.prompt()
  })
  terminal.on('close', () => {
    closed = true
    asked?.(null)
    if (reader !== null) take(reader, null)
  })

  return {
    next(prompt) {
      const waiting = typed.shift()
      if (waiting !== undefined) return Promise.resolve(waiting)
      if (closed) return Promise.resolve(null)
      terminal.setPrompt(prompt)
      terminal.prompt(true)
      return new Promise((resolve) => {
        reader = resolve
      })
    },
    ask(prompt, signal) {
      if (closed || signal.aborted) return Promise.resolve(null)
      lines = []
      emptyLine(terminal)
      terminal.setPrompt(prompt)
      terminal.prompt()
      return new Promise((resolve) => {
        const settle = (line: string | null): void => {
          asked = null
          signal.removeEventListener('abort', over)
          resolve(line)
        }
        const over = (): void => settle(null)
        signal.addEventListener('abort', over, { once: true })
        asked = settle
      })
    },
    onInterrupt(work) {
      interrupt = work
    },
    close() {
      output.write(PASTE_MARKS_OFF)
      terminal.close()
    },
  }
}

const emptyLine = (terminal: Interface): void => {
  terminal.write(null, { ctrl: true, name: 'e' })
  terminal.write(null, { ctrl: true, name: 'u' })
}
