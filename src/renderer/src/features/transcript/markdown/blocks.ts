/**
 * A message as a list of blocks (U-56). While text streams only the last block can still change; every block before it is
 * final: the same object as before, so it is parsed and laid out once. Growing text costs its open block, not its length.
 */
export type Block =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string; readonly closed: boolean }

export interface Split {
  readonly source: string
  readonly blocks: readonly Block[]
  /** How many blocks no further text can change, and where in `source` the next one begins. */
  readonly finished: number
  readonly openAt: number
}

const FENCE = /^(`{3,}|~{3,})\s*([^`]*)$/
/** What goes on with the block above a blank line: an indented part, an item, a quote, a row of a table. */
const CONTINUES = /^(?:\s{2,}\S|\s*(?:[-*+]|\d{1,9}[.)])\s|\s*>|\s*\|)/

/** Blocks of a whole text. */
export const splitBlocks = (text: string): readonly Block[] => growBlocks(null, text).blocks

/**
 * Blocks of `text`, reusing what is final in the split of an earlier, shorter text.
 * @param before the split that `text` may continue; anything else starts anew
 */
export function growBlocks(before: Split | null, text: string): Split {
  const goesOn = before !== null && text.startsWith(before.source)
  const kept = goesOn ? before.blocks.slice(0, before.finished) : []
  const from = goesOn ? before.openAt : 0
  const parts = scan(text, from)
  // The first line of a block decides whether it is one; while that line is unfinished, the block above is not final.
  const lastLine = text.lastIndexOf('\n') + 1
  let open = parts.length - 1
  if (open > 0 && (parts[open]?.start ?? 0) >= lastLine) open--
  return {
    source: text,
    blocks: [...kept, ...parts.map(({ block }) => block)],
    finished: kept.length + Math.max(0, open),
    openAt: parts[Math.max(0, open)]?.start ?? from,
  }
}

interface Part {
  readonly start: number
  readonly block: Block
}

/** Splits at top-level fences and at blank lines between top-level blocks, line by line. */
function scan(text: string, from: number): Part[] {
  const parts: Part[] = []
  let start = from
  let fence: { marker: string; language: string; body: number } | null = null
  let afterBlank = false
  let at = from
  const close = (end: number): void => {
    const block = withoutOuterBlankLines(text.slice(start, end))
    if (block !== '') parts.push({ start, block: { kind: 'markdown', text: block } })
    start = end
  }
  while (at <= text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(at, end)
    if (fence !== null) {
      if (closes(line, fence.marker)) {
        parts.push({ start, block: codeOf(fence.language, text.slice(fence.body, Math.max(fence.body, at - 1)), true) })
        fence = null
        start = Math.min(end + 1, text.length)
        afterBlank = false
      }
    } else {
      const opening = FENCE.exec(line)
      if (opening !== null) {
        close(at)
        fence = {
          marker: opening[1] ?? '```',
          language: (opening[2] ?? '').trim().split(/\s/)[0] ?? '',
          body: Math.min(end + 1, text.length),
        }
      } else if (line.trim() === '') afterBlank = true
      else {
        if (afterBlank && !CONTINUES.test(line)) close(at)
        afterBlank = false
      }
    }
    at = end + 1
  }
  if (fence === null) close(text.length)
  else parts.push({ start, block: codeOf(fence.language, text.slice(fence.body), false) })
  return parts
}

const codeOf = (language: string, text: string, closed: boolean): Block => ({ kind: 'code', language, text, closed })

const closes = (line: string, marker: string): boolean => {
  const trimmed = line.trim()
  return trimmed.length >= marker.length && trimmed === (marker[0] ?? '`').repeat(trimmed.length)
}

function withoutOuterBlankLines(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && text[from] === '\n') from++
  while (to > from && text[to - 1] === '\n') to--
  return text.slice(from, to)
}
