/**
 * Where words go: results to stdout, everything else to stderr (cli.md 1). With `--json` stdout carries JSON alone.
 * Colour only on a terminal, never with NO_COLOR.
 */
import { styleText } from 'node:util'
import { EXIT } from './exit.ts'

export interface Output {
  readonly json: boolean
  /** One line of result. */
  line(text: string): void
  /** Text of a stream, without a line end. */
  write(text: string): void
  /** One JSON document on a line of its own. */
  data(value: unknown): void
  /** Diagnostics for the person. */
  note(text: string): void
  /** For a note. */
  dim(text: string): string
  /** For a line. */
  strong(text: string): string
}

export function createOutput(options: { json: boolean; color: boolean }): Output {
  const colored = options.color && (process.env['NO_COLOR'] ?? '') === ''
  const paint = (style: 'dim' | 'bold', text: string, stream: NodeJS.WriteStream): string =>
    colored && stream.isTTY ? styleText(style, text, { validateStream: false }) : text
  return {
    json: options.json,
    line: (text) => void process.stdout.write(`${text}\n`),
    write: (text) => void process.stdout.write(text),
    data: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    dim: (text) => paint('dim', text, process.stderr),
    strong: (text) => paint('bold', text, process.stdout),
  }
}

/** Rows as aligned columns for a terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows]
  const widths = head.map((_title, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const leave = (): void => process.exit(EXIT.done)
let whenClosed: () => void = leave

/**
 * A reader that went away (`| head -1`) is not an error (CLI-12): the process stops quietly, as other programs do. Takes
 * the place of the starter's listener, which can only leave at once.
 */
export function quietOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      whenClosed()
    })
  }
}

/** For work that must be put down before the process may leave. Called once a write that fails; gives the way back. */
export function onClosedPipe(work: () => void): () => void {
  whenClosed = work
  return () => {
    whenClosed = leave
  }
}
