/**
 * A message as a list of blocks (U-56). While text streams only the last block can still change; every block before it is
 * final, so it is parsed and laid out once. The split is by line and therefore linear in the text.
 */
export type Block =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string; readonly closed: boolean }

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^`]*)$/
/** Footnotes and link definitions refer across blocks: such a text is one block. */
const CROSS_REFERENCE = /^ {0,3}\[[^\]\n]+\]:\s/m
const CONTINUES = /^(?:\s{2,}\S|\s*(?:[-*+]|\d{1,9}[.)])\s|\s*>|\s*\|)/

/** Splits at fences and at blank lines between top-level blocks; list items, quotes and table rows stay together. */
export function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  const joined = CROSS_REFERENCE.test(text)
  let lines: string[] = []
  let fence: { marker: string; language: string; lines: string[] } | null = null
  const close = (): void => {
    const block = lines.join('\n').replace(/^\n+|\n+$/g, '')
    if (block !== '') blocks.push({ kind: 'markdown', text: block })
    lines = []
  }
  for (const line of text.split('\n')) {
    if (fence !== null) {
      if (closes(line, fence.marker)) {
        blocks.push({ kind: 'code', language: fence.language, text: fence.lines.join('\n'), closed: true })
        fence = null
      } else fence.lines.push(line)
      continue
    }
    const opening = FENCE.exec(line)
    // A fence inside a list item belongs to the item and is left to the parser.
    if (opening !== null && opening[1] === '' && !(lines.length > 0 && CONTINUES.test(lines.at(-1) ?? '') && joined)) {
      close()
      fence = { marker: opening[2] ?? '```', language: (opening[3] ?? '').trim().split(/\s/)[0] ?? '', lines: [] }
      continue
    }
    const afterBlank = lines.length > 0 && (lines.at(-1) ?? '').trim() === ''
    if (!joined && afterBlank && line.trim() !== '' && !CONTINUES.test(line)) close()
    lines.push(line)
  }
  if (fence !== null)
    blocks.push({ kind: 'code', language: fence.language, text: fence.lines.join('\n'), closed: false })
  else close()
  return blocks
}

const closes = (line: string, marker: string): boolean => {
  const trimmed = line.trim()
  return trimmed.length >= marker.length && trimmed === (marker[0] ?? '`').repeat(trimmed.length)
}

/** One block of prose longer than this is shown as plain text: no parser is worth a frozen window (F-46). */
export const PLAIN_TEXT_FROM = 16_000
