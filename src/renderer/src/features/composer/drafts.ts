/** All drafts of this window, by conversation, each kept on disk under its own key. */
import { create } from 'zustand'
import type { ConversationId } from '../../../../shared/ids.ts'
import type { Json } from '../../../../shared/schema.ts'
import type { Keeper } from '../../app/keeper.ts'
import { changeDraft, type Draft, type DraftChange, EMPTY_DRAFT, parseDraft, storeDraft } from './draft.ts'

/** `new` is the chat that is not created yet. */
export type DraftKey = ConversationId | 'new'

export const draftKeyOf = (conversation: ConversationId | null): DraftKey => conversation ?? 'new'
const PREFIX = 'draft:'
export const storageKeyOf = (key: DraftKey): string => `${PREFIX}${key}`

interface Drafts {
  readonly byKey: Readonly<Record<string, Draft>>
  /** Keys whose stored value has been read; before that an empty composer means nothing. */
  readonly loaded: Readonly<Record<string, true>>
}

export const useDrafts = create<Drafts>(() => ({ byKey: {}, loaded: {} }))

/** The draft of a chat as it is now. */
export const draftOf = (key: DraftKey): Draft => useDrafts.getState().byKey[key] ?? EMPTY_DRAFT

/** Applies one change and has it kept. */
export function applyDraft(keeper: Keeper, key: DraftKey, change: DraftChange): Draft {
  const next = changeDraft(draftOf(key), change)
  useDrafts.setState(({ byKey }) => ({ byKey: { ...byKey, [key]: next } }))
  keeper.keep(storageKeyOf(key), storeDraft(next))
  return next
}

/** Takes in what was on disk, once per key. Text typed meanwhile stays behind it. */
export function loadDraft(key: DraftKey, raw: Json | undefined): void {
  const { byKey, loaded } = useDrafts.getState()
  if (loaded[key]) return
  const next = changeDraft(byKey[key] ?? EMPTY_DRAFT, { kind: 'loaded', stored: parseDraft(raw) })
  useDrafts.setState({ byKey: { ...byKey, [key]: next }, loaded: { ...loaded, [key]: true } })
}

/** Drafts that an earlier window could not bring to disk; they are newer than what the disk has. */
export function loadLeftDrafts(keeper: Keeper): void {
  for (const [key, value] of Object.entries(keeper.unsaved()))
    if (key.startsWith(PREFIX)) loadDraft(key.slice(PREFIX.length) as DraftKey, value)
}

/** A draft follows its chat: from `new` to the conversation that was just created, or back when that one is gone. */
export function moveDraft(keeper: Keeper, from: DraftKey, to: DraftKey): void {
  const moved = draftOf(from)
  const there = draftOf(to)
  const next: Draft = {
    text: moved.text === '' ? there.text : there.text === '' ? moved.text : `${moved.text}\n\n${there.text}`,
    sends: [...there.sends, ...moved.sends],
  }
  useDrafts.setState(({ byKey, loaded }) => ({
    byKey: { ...byKey, [from]: EMPTY_DRAFT, [to]: next },
    loaded: { ...loaded, [to]: true },
  }))
  // The new place first: a crash between the two leaves the text twice, never not at all.
  keeper.keep(storageKeyOf(to), storeDraft(next))
  keeper.keep(storageKeyOf(from), null)
}
