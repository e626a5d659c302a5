/** Keys of the transcript while the composer holds the focus: Page Up, Page Down, jump to latest (ui.md 2). */

const transcript = (): HTMLElement | null => document.querySelector<HTMLElement>('[role="log"]')

/** The part of the transcript that scrolls. */
const scroller = (log: HTMLElement): Element | undefined =>
  [log, ...log.querySelectorAll('*')].find((element) => element.scrollHeight > element.clientHeight + 1)

/** Hands the key to the transcript, which decides between following and reading, and scrolls a page. False: no transcript. */
export function sendTranscriptKey(key: 'PageUp' | 'PageDown' | 'End'): boolean {
  const log = transcript()
  if (log === null) return false
  log.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  const page = key === 'End' ? 0 : (key === 'PageUp' ? -0.9 : 0.9) * log.clientHeight
  scroller(log)?.scrollBy(0, page)
  return true
}
