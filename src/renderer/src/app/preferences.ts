/** How the window looks to this person: theme, contrast, density, sidebar. Kept through `ui_state` (U-21, U-240, U-242). */
import { create } from 'zustand'
import { type Json, z } from '../../../shared/schema.ts'

const THEMES = ['light', 'dark', 'system'] as const
const DENSITIES = ['regular', 'compact'] as const

/** Limits of the sidebar in px (U-11). */
export const SIDEBAR = { min: 220, max: 360, standard: 248 } as const

const preferences = z.object({
  theme: z.enum(THEMES).catch('system'),
  /** `system` follows the wish of the operating system. */
  contrast: z.enum(['more', 'system']).catch('system'),
  density: z.enum(DENSITIES).catch('regular'),
  sidebarWidth: z.number().int().min(SIDEBAR.min).max(SIDEBAR.max).catch(SIDEBAR.standard),
  sidebarOpen: z.boolean().catch(true),
})
export type Preferences = z.infer<typeof preferences>

export const PREFERENCES_KEY = 'screen.preferences'

/** Preferences as they were kept; a value that is missing or damaged is the default one. */
export const parsePreferences = (raw: Json | undefined): Preferences =>
  preferences.parse(typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {})

export const usePreferences = create<Preferences>(() => parsePreferences(undefined))

/** Changes some of them at once. The shell keeps them. */
export const setPreferences = (change: Partial<Preferences>): void => usePreferences.setState(change)

/**
 * Puts theme, contrast and density on the root element, and into the browser's own storage, which `first-paint.js`
 * reads before the first frame of the next start.
 */
export function applyPreferences({ theme, contrast, density }: Preferences, root: HTMLElement): void {
  const set = (name: string, value: string | null): void => {
    if (value === null) delete root.dataset[name]
    else root.dataset[name] = value
    try {
      if (value === null) localStorage.removeItem(`herma.${name}`)
      else localStorage.setItem(`herma.${name}`, value)
    } catch {
      return // storage is closed to this page: only the first frame of the next start is affected
    }
  }
  set('theme', theme === 'system' ? null : theme)
  set('contrast', contrast === 'system' ? null : contrast)
  set('density', density)
}
