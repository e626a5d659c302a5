/** The open end of a streaming block, completed for the eye: half marks and half tables do not flicker (U-72). */
import remend from 'remend'

/** What to draw while `text` still grows. Nothing of this is stored or copied. */
export const mended = (text: string): string => remend(withTableRule(text))

const RULE_SO_FAR = /^[|\s:-]*$/

/** A table whose second line has not come whole is drawn as a table at once, not first as a line with bars. */
function withTableRule(text: string): string {
  const lines = text.split('\n')
  const first = lines.findLastIndex((line) => line.trim() === '') + 1
  const header = lines[first]?.trim() ?? ''
  const rule = lines[first + 1]
  if (!header.startsWith('|') || lines.length - first > 2 || (rule !== undefined && !RULE_SO_FAR.test(rule)))
    return text
  const closed = /[^\\]\|$/.test(header) ? header : `${header} |`
  const columns = (closed.match(/(?<!\\)\|/g)?.length ?? 1) - 1
  if (columns < 1 || header === '|') return text
  return [...lines.slice(0, first), closed, `|${' --- |'.repeat(columns)}`].join('\n')
}
