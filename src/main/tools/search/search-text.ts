import { truncate } from '../../../shared/text.ts'
import type { Files } from '../files/files.ts'
import { textKind } from '../files/text-bytes.ts'
import { escapeControls } from '../result-text.ts'
import { bounded, type LinePattern } from './bounded-match.ts'

/** Larger files are data, not sources. */
export const FILE_LIMIT_BYTES = 5 * 1_048_576
/** UTF-16 units of a shown line. */
const LINE_CHARS = 500
/** UTF-16 units matched in one go; between two the event loop may run. */
const SLICE_CHARS = 65_536

export type FileText =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  | { readonly kind: 'skipped'; readonly why: 'binary' | 'large' | 'unreadable' }

/** Lines of a file that is worth searching. `literal`: a text that must occur, else the file has no lines to offer. */
export async function linesOf(
  files: Files,
  path: string,
  literal: string | null,
  signal: AbortSignal,
): Promise<FileText> {
  const facts = await files.look(path)
  if (facts === null || facts.kind !== 'file') return { kind: 'skipped', why: 'unreadable' }
  if (facts.size > FILE_LIMIT_BYTES) return { kind: 'skipped', why: 'large' }
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of files.read(path, signal)) chunks.push(chunk)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Error) return { kind: 'skipped', why: 'unreadable' }
    throw error
  }
  const bytes = Buffer.concat(chunks)
  const found = textKind(bytes)
  if (found.kind === 'binary') return { kind: 'skipped', why: 'binary' }
  if (found.encoding === 'utf-8' && literal !== null && !bytes.includes(literal)) return { kind: 'text', lines: [] }
  const text = new TextDecoder(found.encoding).decode(bytes)
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return { kind: 'text', lines }
}

/** Indexes of matching lines, at most `max`. Throws TooSlow. */
export async function matchingLines(
  lines: readonly string[],
  pattern: LinePattern & { kind: 'pattern' },
  max: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const found: number[] = []
  for (let from = 0; from < lines.length && found.length < max; ) {
    signal.throwIfAborted()
    let to = from
    for (let chars = 0; to < lines.length && (to === from || chars < SLICE_CHARS); to++)
      chars += (lines[to] ?? '').length + 1
    const start = from
    const end = to
    const scan = (): number[] => {
      const hits: number[] = []
      for (let i = start; i < end; i++) if (pattern.test(lines[i] ?? '')) hits.push(i)
      return hits
    }
    found.push(...(pattern.literal === null ? bounded(scan) : scan()))
    from = to
    if (from < lines.length) await new Promise((resolve) => setImmediate(resolve))
  }
  return found.slice(0, max)
}

/** Matches with their context as `grep -n` prints them: `path:12:text`, context `path-11-text`, `--` between groups. */
export function printMatches(
  path: string,
  lines: readonly string[],
  matches: readonly number[],
  context: number,
): readonly string[] {
  const hit = new Set(matches)
  const out: string[] = []
  let last = -1
  for (const match of matches) {
    const from = Math.max(last + 1, match - context)
    if (context > 0 && last >= 0 && from > last + 1) out.push('--')
    const to = Math.min(lines.length - 1, match + context)
    for (let i = from; i <= to; i++) {
      const mark = hit.has(i) ? ':' : '-'
      out.push(`${path}${mark}${i + 1}${mark}${shown(lines[i] ?? '')}`)
    }
    last = Math.max(last, to)
  }
  return out
}

const shown = (line: string): string =>
  escapeControls(
    line.length > LINE_CHARS ? `${truncate(line, LINE_CHARS)} [line cut, ${line.length} characters]` : line,
  )
