/** What the main region shows, and the way back (U-17). UI state only: nothing here is a fact of the core. */
import { create } from 'zustand'
import type { ConversationId } from '../../../shared/ids.ts'
import { conversationId } from '../../../shared/ids.ts'
import { type Json, z } from '../../../shared/schema.ts'

export const SETTINGS_PAGES = ['general', 'models', 'configuration', 'about'] as const
export type SettingsPage = (typeof SETTINGS_PAGES)[number]

/** A chat that is not created yet has no conversation. */
export type View =
  | { readonly kind: 'chat'; readonly conversation: ConversationId | null }
  | { readonly kind: 'settings'; readonly page: SettingsPage }

export const NEW_CHAT: View = { kind: 'chat', conversation: null }

export interface Trail {
  readonly views: readonly View[]
  readonly at: number
}

const LONGEST = 100

export const sameView = (a: View, b: View): boolean =>
  a.kind === 'chat'
    ? b.kind === 'chat' && a.conversation === b.conversation
    : b.kind === 'settings' && a.page === b.page

export const viewOf = (trail: Trail): View => trail.views[trail.at] ?? NEW_CHAT

/** A step to a view: what was ahead is forgotten; the view in front again adds nothing. */
export function step(trail: Trail, view: View): Trail {
  if (sameView(viewOf(trail), view)) return trail
  const views = [...trail.views.slice(0, trail.at + 1), view].slice(-LONGEST)
  return { views, at: views.length - 1 }
}

/** The view in front becomes another without a step: a new chat gets its conversation. */
export const replace = (trail: Trail, view: View): Trail => ({
  ...trail,
  views: trail.views.map((old, index) => (index === trail.at ? view : old)),
})

/** Back (-1) or forward (1); stays where it is at the ends. */
export const walk = (trail: Trail, by: -1 | 1): Trail => {
  const at = trail.at + by
  return at < 0 || at >= trail.views.length ? trail : { ...trail, at }
}

interface Navigation extends Trail {
  go(view: View): void
  replace(view: View): void
  back(): void
  forward(): void
}

export const useNavigation = create<Navigation>((set) => ({
  views: [NEW_CHAT],
  at: 0,
  go: (view) => set((trail) => step(trail, view)),
  replace: (view) => set((trail) => replace(trail, view)),
  back: () => set((trail) => walk(trail, -1)),
  forward: () => set((trail) => walk(trail, 1)),
}))

/** The view in front. */
export const useView = (): View => useNavigation(viewOf)

const storedView = z.union([
  z.strictObject({ kind: z.literal('chat'), conversation: conversationId.nullable() }),
  z.strictObject({ kind: z.literal('settings'), page: z.enum(SETTINGS_PAGES) }),
])

/** A view as it was kept; anything else (an older build, a damaged file) is the new chat. */
export function parseView(raw: Json | undefined): View {
  const parsed = storedView.safeParse(raw)
  return parsed.success ? parsed.data : NEW_CHAT
}
