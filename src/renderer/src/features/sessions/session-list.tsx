/** The chats in the sidebar: a filter, then the rows (U-14, U-15). */

import { Search, X } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { refusalOf } from '../../client/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton, useSlow } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SessionRows } from './session-rows.tsx'
import { useSessionList } from './use-session-list.ts'

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
        <SessionRows
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
