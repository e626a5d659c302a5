/** What happens to text at the doors: one place, so that storage, wire and screen agree. */

/** Lone surrogates become U+FFFD (kernel 3, C-02): no half character reaches the database or a provider. */
export const scrubSurrogates = (text: string): string => text.toWellFormed()

/** Cuts to at most `max` UTF-16 units and never splits a surrogate pair. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  const code = text.charCodeAt(max - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? max - 1 : max)
}

/** One line for a list: white space folded, cut with `...` (session-db 5.9: 60 characters). */
export function previewOf(text: string, max = 60): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > max ? `${truncate(line, max)}...` : line
}
