/** The chats in the sidebar: filter, rows, keys J K Enter F2 (U-14, U-15, U-31). Only rows in view are mounted. */

import { useVirtualizer } from '@tanstack/react-virtual'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import type { ConversationId } from '../../../../shared/ids.ts'
import { useNavigation, useView } from '../../app/navigation.ts'
import { usePreferences } from '../../app/preferences.ts'
import { refusalOf } from '../../client/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton, useSlow } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SessionRow } from './session-row.tsx'
import { useSessionList } from './use-session-list.ts'

/** Pages are asked for this many rows before the end. */
const AHEAD = 30

/** Fills its container: the filter above, the list below. */
export function SessionList({ onOpen }: { readonly onOpen?: () => void }): ReactNode {
  const [filter, setFilter] = useState('')
  const search = useDeferredValue(filter.trim())
  const list = useSessionList(search)
  const rows = list.data?.rows ?? []
  const slow = useSlow(list.isPending)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4">
      <TextField
        label="Filter chats"
        hideLabel
        type="search"
        placeholder="Filter chats"
        icon={Search}
        look="quiet"
        className="mx-8"
        data-testid="chat-filter"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        {...(filter === '' ? {} : { onEscape: () => setFilter('') })}
        trailing={
          filter === '' ? undefined : <IconButton icon={X} label="Clear the filter" onClick={() => setFilter('')} />
        }
      />
      {list.isError ? (
        <div className="px-8">
          <Problem
            failed="The chats could not be read."
            safe="Nothing is lost; this only concerns the list."
            next={refusalOf(list.error).next ?? refusalOf(list.error).message}
            actions={
              <Button size="small" onClick={() => void list.refetch()}>
                Try again
              </Button>
            }
          />
        </div>
      ) : list.isPending ? (
        <div className="flex flex-col px-16" aria-busy>
          {slow
            ? ['72%', '54%', '80%', '46%', '64%', '58%'].map((width) => <RowSkeleton key={width} width={width} />)
            : null}
        </div>
      ) : rows.length === 0 ? (
        <Nothing search={search} clear={() => setFilter('')} />
      ) : (
        <Rows
          rows={rows}
          total={list.data?.total ?? rows.length}
          more={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
          {...(onOpen && { onOpen })}
        />
      )}
    </div>
  )
}

function RowSkeleton({ width }: { readonly width: string }): ReactNode {
  return (
    <div className="flex h-row items-center gap-12">
      <Skeleton width="8px" height="8px" />
      <Skeleton width={width} />
    </div>
  )
}

function Nothing({ search, clear }: { readonly search: string; readonly clear: () => void }): ReactNode {
  if (search === '') return <EmptyState sentence="No chats yet. The first message makes one." />
  return (
    <EmptyState
      sentence={`No chat matches “${search}”.`}
      action={
        <Button size="small" onClick={clear}>
          Clear the filter
        </Button>
      }
    />
  )
}

interface RowsProps {
  readonly rows: readonly Parameters<typeof SessionRow>[0]['row'][]
  readonly total: number
  readonly more: () => void
  readonly onOpen?: () => void
}

function Rows({ rows, total, more, onOpen }: RowsProps): ReactNode {
  const view = useView()
  const go = useNavigation((state) => state.go)
  const density = usePreferences((state) => state.density)
  const scroller = useRef<HTMLDivElement>(null)
  const shown = view.kind === 'chat' ? view.conversation : null
  /** The row that Tab reaches: the last focused one, else the open chat, else the first. */
  const [focused, setFocused] = useState<ConversationId | null>(null)
  const [renaming, setRenaming] = useState<ConversationId | null>(null)
  const indexOf = (id: ConversationId | null): number => rows.findIndex((row) => row.conversation_id === id)
  const stop = Math.max(0, indexOf(focused) === -1 ? indexOf(shown) : indexOf(focused))
  const height = density === 'compact' ? 28 : 34
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    getItemKey: (index) => rows[index]?.conversation_id ?? index,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density means other row heights
  useEffect(() => virtual.measure(), [height])
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= rows.length - AHEAD && rows.length < total) more()
  }, [lastShown, rows.length, total, more])

  const focusRow = (index: number): void => {
    const row = rows[index]
    if (row === undefined) return
    setFocused(row.conversation_id)
    virtual.scrollToIndex(index)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.conversation_id)}"]`)?.focus(),
    )
  }
  const open = (id: ConversationId): void => {
    go({ kind: 'chat', conversation: id })
    onOpen?.()
  }
  const press = (event: KeyboardEvent): void => {
    const id = (event.target as HTMLElement).dataset['row'] as ConversationId | undefined
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const at = indexOf(id)
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? height) / height) - 1)
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
      <ul aria-label="Chats" className="relative m-0 list-none p-0" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <li
              key={key}
              aria-setsize={total}
              aria-posinset={index + 1}
              className="absolute inset-x-8 top-0"
              style={{ height, transform: `translateY(${start}px)` }}
            >
              <SessionRow
                row={row}
                current={row.conversation_id === shown}
                tabStop={index === stop}
                renaming={renaming === row.conversation_id}
                onRename={(on) => {
                  setRenaming(on ? row.conversation_id : null)
                  if (!on) focusRow(index)
                }}
                onFocus={() => setFocused(row.conversation_id)}
                onOpen={() => open(row.conversation_id)}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
