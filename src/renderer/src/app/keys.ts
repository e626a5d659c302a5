/** Key combinations as text: `Mod+Shift+N`. `Mod` is ⌘ on macOS and Ctrl elsewhere (U-28, U-30). */

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

interface Combination {
  readonly key: string
  readonly mod: boolean
  readonly shift: boolean
  readonly alt: boolean
}

function parse(keys: string): Combination {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  return { key, mod: parts.includes('Mod'), shift: parts.includes('Shift'), alt: parts.includes('Alt') }
}

/** Whether the pressed keys are `keys`. Letters and signs match by what they produce, so other layouts work. */
export function matches(keys: string, press: KeyPress, mac: boolean): boolean {
  const wanted = parse(keys)
  const mod = mac ? press.metaKey : press.ctrlKey
  const foreign = mac ? press.ctrlKey : press.metaKey
  if (foreign || mod !== wanted.mod || press.altKey !== wanted.alt) return false
  if (press.key.toLowerCase() !== wanted.key.toLowerCase()) return false
  // A sign such as `?` brings its own Shift on most layouts: it counts only for letters and named keys.
  return /^[a-z]$|^.{2,}$/i.test(wanted.key) ? press.shiftKey === wanted.shift : true
}

const MAC: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↩', Escape: 'esc' }
const SIGNS: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',

  Up: '↑',
  Down: '↓',
  Left: '←',
  Right: '→',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
}

/** The combination as this platform writes it: `⇧⌘N` or `Ctrl+Shift+N`. */
export function spell(keys: string, mac: boolean): string {
  const parts = keys.split('+')
  if (!mac) return parts.map((part) => (part === 'Mod' ? 'Ctrl' : (SIGNS[part] ?? part))).join('+')
  const order = ['Alt', 'Shift', 'Mod']
  const held = order.filter((part) => parts.includes(part) && parts.at(-1) !== part)
  const key = parts.at(-1) ?? ''
  return [...held.map((part) => MAC[part]), MAC[key] ?? SIGNS[key] ?? key].join('')
}

/** Where a letter is text: fields, editors, anything being edited (U-31). */
export function isTextPlace(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'submit'].includes(target.type)
}
