/**
 * Output of a command as text with colours and nothing else of a terminal's powers (U-251): no cursor, no title, no link, no
 * control character. A carriage return redraws its line, as a terminal would. Linear in the text.
 */
const ESCAPE = '\u001b'
const BELL = '\u0007'

/** Keeps line ends, tabs and colour codes (`ESC [ … m`); an unfinished code at the end is dropped. */
export function onlyColours(text: string): string {
  const lines: string[] = []
  for (const line of withoutControls(text.replaceAll('\r\n', '\n')).split('\n')) {
    const written = line.endsWith('\r') ? line.slice(0, -1) : line
    lines.push(written.slice(written.lastIndexOf('\r') + 1))
  }
  return lines.join('\n')
}

function withoutControls(text: string): string {
  const kept: string[] = []
  let from = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const isControl = (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code <= 0x9f)
    if (!isControl) {
      at++
      continue
    }
    const end = text[at] === ESCAPE ? endOfSequence(text, at) : at + 1
    if (!isColour(text, at, end)) {
      kept.push(text.slice(from, at))
      from = end
    }
    at = end
  }
  kept.push(text.slice(from))
  return kept.join('')
}

const isColour = (text: string, at: number, end: number): boolean =>
  text[at] === ESCAPE && text[at + 1] === '[' && text[end - 1] === 'm' && /^[\d;:]*$/.test(text.slice(at + 2, end - 1))

/** Where the sequence that begins with ESC at `at` ends (ECMA-48: CSI, strings up to ST or BEL, two-character codes). */
function endOfSequence(text: string, at: number): number {
  const kind = text[at + 1]
  if (kind === undefined) return text.length
  if (kind === '[') {
    let end = at + 2
    while (end < text.length && isBetween(text, end, 0x20, 0x3f)) end++
    return isBetween(text, end, 0x40, 0x7e) ? end + 1 : end
  }
  if (']PX^_'.includes(kind)) return endOfString(text, at + 2)
  // ESC ( B and its like carry one character more.
  return isBetween(text, at + 1, 0x20, 0x2f)
    ? Math.min(at + 3, text.length)
    : isBetween(text, at + 1, 0x30, 0x7e)
      ? at + 2
      : at + 1
}

/** A string ends with BEL or ESC; one that never ends takes its line with it and no more. */
function endOfString(text: string, from: number): number {
  for (let end = from; end < text.length; end++) {
    const character = text[end]
    if (character === BELL) return end + 1
    if (character === ESCAPE) return text[end + 1] === '\\' ? end + 2 : end
    if (character === '\n') return end
  }
  return text.length
}

const isBetween = (text: string, at: number, low: number, high: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= low && code <= high
}
