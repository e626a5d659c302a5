import { stripVTControlCharacters } from 'node:util'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Text of a model, a tool or a stored row as a terminal may show it (U-251): no escape sequence and no control character
 * but line ends and tabs, so that it cannot move the cursor, set a title or hide what stands before it. A sequence that
 * comes in two pieces loses its effect too; its rest stays as text.
 */
export const plain = (text: string): string => stripVTControlCharacters(text).replace(CONTROLS, '')

/** The same on one line, cut to `max` characters. */
export function plainLine(text: string, max: number): string {
  const line = plain(text).replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line
}
