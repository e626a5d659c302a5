/** The rows of the list: only those in view are mounted, and the one that Tab reaches (U-31, U-217). */
import { createContext, type KeyboardEvent, type ReactNode, useContext, useRef, useState } from 'react'
import { type CustomItemComponentProps, Virtualizer, type VirtualizerHandle } from 'virtua'
import type { ConversationRow } from '../../../../shared/contract/index.ts'
import type { ConversationId } from '../../../../shared/ids.ts'
import { useNavigation, useView } from '../../app/navigation.ts'
import { usePreferences } from '../../app/preferences.ts'
import { focusWhenThere } from '../../ui/focus-when-there.ts'
import { SessionRow } from './session-row.tsx'

/** More is asked for this many rows before the end. */
const AHEAD = 30

interface RowsProps {
  readonly rows: readonly ConversationRow[]
  /** How many there are, loaded or not. */
  readonly total: number
  readonly more: () => void
  readonly onOpen?: () => void
}

const Total = createContext(0)

function Item({ style, index, children, ref }: CustomItemComponentProps): ReactNode {
  const total = useContext(Total)
  return (
    <li ref={ref as never} style={style} className="px-8" aria-setsize={total} aria-posinset={index + 1}>
      {children}
    </li>
  )
}

/** One tab stop; J, K, arrows, Home, End and pages move it, Enter opens, F2 renames. */
export function SessionRows({ rows, total, more, onOpen }: RowsProps): ReactNode {
  const view = useView()
  const go = useNavigation((state) => state.go)
  const height = usePreferences((state) => state.density) === 'compact' ? 28 : 34
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useRef<VirtualizerHandle>(null)
  const shown = view.kind === 'chat' ? view.conversation : null
  /** The row that Tab reaches: the last focused one, else the open chat, else the first. */
  const [focused, setFocused] = useState<ConversationId | null>(null)
  const [renaming, setRenaming] = useState<ConversationId | null>(null)
  const indexOf = (id: ConversationId | null): number => rows.findIndex((row) => row.conversation_id === id)
  const stop = Math.max(0, indexOf(focused) === -1 ? indexOf(shown) : indexOf(focused))

  const onScroll = (offset: number): void => {
    const list = virtual.current
    if (list === null || rows.length >= total) return
    if (list.findItemIndex(offset + list.viewportSize) >= rows.length - AHEAD) more()
  }
  const focusRow = (index: number): void => {
    const row = rows[index]
    if (row === undefined) return
    setFocused(row.conversation_id)
    virtual.current?.scrollToIndex(index, { align: 'nearest' })
    focusWhenThere(`[data-row="${CSS.escape(row.conversation_id)}"]`)
  }
  const press = (event: KeyboardEvent): void => {
    const id = (event.target as HTMLElement).dataset['row'] as ConversationId | undefined
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const at = indexOf(id)
    const page = Math.max(1, Math.floor((virtual.current?.viewportSize ?? height) / height) - 1)
    const steps: Record<string, number> = {
      j: at + 1,
      ArrowDown: at + 1,
      k: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    }
    const to = steps[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (to !== undefined) {
      event.preventDefault()
      focusRow(Math.min(rows.length - 1, Math.max(0, to)))
    } else if (event.key === 'F2') {
      event.preventDefault()
      setRenaming(id)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the rows inside; this only hears them bubble
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto" onKeyDown={press} data-testid="chat-list">
      <Total value={total}>
        {/* The component spreads no attributes onto its list, so the name stands on a group around it. */}
        <div role="group" aria-label="Chats">
          <Virtualizer
            ref={virtual}
            scrollRef={scroller}
            as="ul"
            item={Item}
            itemSize={height}
            keepMounted={[stop]}
            onScroll={onScroll}
            data={rows}
          >
            {(row, index) => (
              <div key={row.conversation_id} className="h-row">
                <SessionRow
                  row={row}
                  current={row.conversation_id === shown}
                  tabStop={index === stop}
                  renaming={renaming === row.conversation_id}
                  onRename={(on) => setRenaming(on ? row.conversation_id : null)}
                  onRefocus={() => focusRow(index)}
                  onFocus={() => setFocused(row.conversation_id)}
                  onOpen={() => {
                    go({ kind: 'chat', conversation: row.conversation_id })
                    onOpen?.()
                  }}
                />
              </div>
            )}
          </Virtualizer>
        </div>
      </Total>
    </div>
  )
}
