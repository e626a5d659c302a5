/**
 * Whether a text is shown as it is instead of being parsed: no formatting is worth a frozen window. The bounds are on what
 * makes the parser slow, so the answer is the same on every machine.
 */
/** UTF-16 units of one block. */
const MOST_CHARS = 16_000
/** Characters that may open, close or separate something; each costs a look back over those before it. */
const MOST_MARKS = 3_000
/** Each level of a quote is a call deeper in the parser. */
const MOST_QUOTES = 60
/** Short rows of a table are filled up to its width, whether or not anything stands in them. */
const MOST_CELLS = 4_000

/** True when a parser must not see this text. Linear in its length. */
export function isTooCostly(text: string): boolean {
  if (text.length > MOST_CHARS) return true
  let marks = 0
  let quotes = 0
  let pipes = 0
  let widest = 0
  let lines = 1
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (MARKS.has(character)) marks++
    if (character === '>') quotes++
    if (character === '|') pipes++
    if (character !== '\n') continue
    if (quotes > MOST_QUOTES) return true
    widest = Math.max(widest, pipes)
    lines++
    quotes = 0
    pipes = 0
  }
  widest = Math.max(widest, pipes)
  return marks > MOST_MARKS || quotes > MOST_QUOTES || (widest > 0 && widest * lines > MOST_CELLS)
}

const MARKS = new Set('*_[]<>`~!|$')
