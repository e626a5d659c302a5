/**
 * Where a person was in a conversation (U-67, U-71): kept by row, not by pixels, so that it survives new rows above and a
 * restart. A conversation that was read to its end opens at its end.
 */
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import type { ConversationId } from '../../../../shared/ids.ts'
import { useKeeper } from '../../app/kept-state.tsx'
import { useClient } from '../../client/client-context.tsx'
import type { Item } from './items.ts'

interface Place {
  readonly key: string
  /** Pixels of that row above the upper edge. */
  readonly offset: number
}

export function useScrollPlace(
  conversation: ConversationId,
  list: RefObject<VListHandle | null>,
  items: readonly Item[],
  setFollowing: (following: boolean) => void,
): { settled: boolean; remember: (offset: number) => void } {
  const client = useClient()
  const keeper = useKeeper()
  const [settled, setSettled] = useState(false)
  const current = useRef(items)
  current.current = items
  const stateKey = `scroll:${conversation}`

  useEffect(() => {
    if (settled || items.length === 0) return
    let wanted = true
    void client.call('ui_state.get', { keys: [stateKey] }).then((answer) => {
      if (!wanted) return
      const place = answer.ok ? (answer.value.values[stateKey] as Place | null | undefined) : null
      const index = place == null ? -1 : current.current.findIndex((item) => item.key === place.key)
      if (place != null && index >= 0) {
        setFollowing(false)
        list.current?.scrollToIndex(index, { align: 'start', offset: place.offset })
      }
      setSettled(true)
    })
    return () => {
      wanted = false
    }
  }, [client, stateKey, items.length, settled, list, setFollowing])

  return {
    settled,
    remember: (offset) => {
      const at = list.current
      if (!settled || at === null) return
      if (at.scrollSize - at.viewportSize - offset <= 8) return keeper.keep(stateKey, null)
      const index = at.findItemIndex(offset)
      const item = current.current[index]
      if (item !== undefined) keeper.keep(stateKey, { key: item.key, offset: offset - at.getItemOffset(index) })
    },
  }
}
