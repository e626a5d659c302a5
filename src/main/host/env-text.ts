/**
 * One variable of a `.env` text set, or removed with null; every other line stays byte for byte.
 * @throws Error for a value that no line can hold: line ends, control characters, all three kinds of quotes
 */
export function withVariable(text: string, name: string, value: string | null): string {
  const mine = new RegExp(`^\\s*(export\\s+)?${name}\\s*=`)
  const lines = text.split('\n').filter((line) => !mine.test(line))
  if (lines.at(-1) === '') lines.pop()
  if (value !== null) lines.push(`${name}=${quoted(value)}`)
  return lines.map((line) => `${line}\n`).join('')
}

/** Quotes have no escapes in such files, so the value is put between some that it does not hold. */
function quoted(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(value)) throw new Error('A key cannot hold line ends or control characters.')
  if (/^[\w.:/+=@-]+$/.test(value)) return value
  // Not double quotes: in those `\n` would become a line end.
  const quote = ["'", '`'].find((mark) => !value.includes(mark))
  if (quote === undefined) throw new Error('A key cannot hold both kinds of quotes.')
  return quote + value + quote
}
