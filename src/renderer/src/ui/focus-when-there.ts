/** How long something that was asked for may take to appear, ms. Later it would steal the focus from somebody. */
const PATIENCE_MS = 2_000

/** Focuses the first element that matches, now or when it appears within 2 s. */
export function focusWhenThere(selector: string): void {
  const focus = (): boolean => {
    const found = document.querySelector<HTMLElement>(selector)
    found?.focus()
    return found !== null
  }
  if (focus()) return
  const watch = new MutationObserver(() => focus() && watch.disconnect())
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), PATIENCE_MS)
}
