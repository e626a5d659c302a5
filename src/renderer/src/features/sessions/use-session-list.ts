/** The session list as a live, paged query. Answers for an older filter are never shown (U-05): the filter is the key. */
import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { HermaClient } from '../../../../shared/client.ts'
import type { ConversationRow } from '../../../../shared/contract/index.ts'
import type { ConversationId } from '../../../../shared/ids.ts'
import { useClient, useEvents } from '../../client/client-context.tsx'
import { callOrThrow } from '../../client/queries.ts'
import { type ListPage, mergeRow, rowsOf } from './list-pages.ts'

/** Rows per page: two screens of a tall window. */
const PAGE = 100

type Pages = InfiniteData<ListPage, string | undefined>

/** Loaded rows in order, the core's total, and the way to more. `search` is a substring of title or id. */
export function useSessionList(search: string) {
  const client = useClient()
  const query = useInfiniteQuery({
    queryKey: ['session.list', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      callOrThrow(client, 'session.list', {
        limit: PAGE,
        ...(search === '' ? {} : { search }),
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    // The rows of the last filter stay until the answer for this one is there; that answer has its own key.
    placeholderData: keepPreviousData,
    getNextPageParam: (page: ListPage) => page.next_cursor ?? undefined,
    select: useCallback(({ pages }: Pages) => ({ rows: rowsOf(pages), total: pages.at(-1)?.total ?? 0 }), []),
  })
  return query
}

/** One conversation's row, kept fresh by its events; null for a chat that is not created yet. */
export function useConversationRow(conversation: ConversationId | null) {
  const client = useClient()
  return useQuery({
    queryKey: ['session.info', conversation],
    queryFn: () => callOrThrow(client, 'session.info', { conversation_id: conversation as ConversationId }),
    enabled: conversation !== null,
  })
}

/** Puts a row into every list and every single-row query that shows it. */
export function takeRow(cache: QueryClient, row: ConversationRow): void {
  for (const [key, data] of cache.getQueriesData<Pages>({ queryKey: ['session.list'] })) {
    if (data === undefined) continue
    const pages = mergeRow(data.pages, row, String(key[1]))
    if (pages !== data.pages) cache.setQueryData<Pages>(key, { ...data, pages: [...pages] })
  }
  cache.setQueryData<ConversationRow>(['session.info', row.conversation_id], row)
}

/** Once, in the shell: rows that events carry take their place; a change without a row reads that row alone. */
export function useLiveSessions(): void {
  const cache = useQueryClient()
  const client = useClient()
  useEvents((event) => {
    if (event.type === 'session.info') takeRow(cache, event.payload.row)
    else if (event.type === 'sessions.changed') void readAgain(client, cache, event.payload.conversation_id)
  })
}

async function readAgain(client: HermaClient, cache: QueryClient, conversation: ConversationId | null): Promise<void> {
  if (conversation !== null) {
    const answer = await client.call('session.info', { conversation_id: conversation })
    if (answer.ok) return takeRow(cache, answer.value)
  }
  // Unknown what changed, or the conversation is gone: the lists are read again as they are loaded.
  await cache.invalidateQueries({ queryKey: ['session.list'] })
}
