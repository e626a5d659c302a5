/**
 * A second place for screen state that is not known to be on disk when a window closes: the browser's own storage of this
 * page. Written in one synchronous step at the last moment, read and emptied at the next start (U-46).
 */
import type { Json } from '../../../shared/schema.ts'
import type { Keeper } from './keeper.ts'

const keyOf = (profile: string): string => `herma.unsaved.${profile}`

/** Notes what `keeper` has not brought to disk. A closed storage costs only what the core did not get either. */
export function noteUnsaved(keeper: Keeper, profile: string): void {
  const unsaved = keeper.unsaved()
  try {
    if (Object.keys(unsaved).length === 0) localStorage.removeItem(keyOf(profile))
    else localStorage.setItem(keyOf(profile), JSON.stringify(unsaved))
  } catch {
    return // no storage, or it is full: the flush to the core is on its way all the same
  }
}

/** Hands what an earlier window left over to `keeper`, which writes it. */
export function takeUnsaved(keeper: Keeper, profile: string): void {
  try {
    const text = localStorage.getItem(keyOf(profile))
    localStorage.removeItem(keyOf(profile))
    if (text === null) return
    for (const [key, value] of Object.entries(JSON.parse(text) as Record<string, Json | null>)) keeper.keep(key, value)
  } catch {
    return // damaged or closed: what the core has is what counts
  }
}
