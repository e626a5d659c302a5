/** Which rows a person has opened or closed. Rows that scroll out are unmounted; what was chosen for them must not be. */
import { createContext, useContext, useState } from 'react'
import type { ConversationStore } from '../../client/conversation-store.ts'

const chosen = new WeakMap<ConversationStore, Map<string, boolean>>()

/** Choices of one conversation; they live as long as its store stays warm. */
export function openRowsOf(store: ConversationStore): Map<string, boolean> {
  const rows = chosen.get(store) ?? new Map<string, boolean>()
  chosen.set(store, rows)
  return rows
}

export const OpenRows = createContext<Map<string, boolean>>(new Map())

/**
 * Whether a row is open, and what changes it.
 * @param key stable name of the row within its conversation
 * @param byDefault counts until the person has chosen
 */
export function useOpen(key: string, byDefault: boolean): readonly [open: boolean, choose: (open: boolean) => void] {
  const rows = useContext(OpenRows)
  const [choice, setChoice] = useState(() => rows.get(key) ?? null)
  return [
    choice ?? byDefault,
    (open) => {
      rows.set(key, open)
      setChoice(open)
    },
  ]
}
