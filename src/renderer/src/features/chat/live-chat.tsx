/** Interim adapter until the conversation reducer is there. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { QueuedInput } from '../../../../shared/contract/index.ts'
import type { ConversationId, TurnId } from '../../../../shared/ids.ts'
import { useClient, useEvents } from '../../client/client-context.tsx'
import { callOrThrow } from '../../client/queries.ts'

export interface LiveChat {
  readonly turn: TurnId | null
  readonly stopping: boolean
  readonly queued: readonly QueuedInput[]
  readonly view: ReactNode
  readonly dock: ReactNode
}

export function useLiveChat(conversation: ConversationId | null): LiveChat {
  const client = useClient()
  const cache = useQueryClient()
  const key = ['session.resume', conversation]
  const data = useQuery({
    queryKey: key,
    queryFn: () => callOrThrow(client, 'session.resume', { conversation_id: conversation as ConversationId }),
    enabled: conversation !== null,
  }).data
  useEvents((event) => {
    if (event.conversation_id === conversation) void cache.invalidateQueries({ queryKey: key })
  })
  return {
    turn: (data?.inflight?.turn ?? null) as TurnId | null,
    stopping: data?.inflight?.stopping ?? false,
    queued: data?.queued ?? [],
    view: (
      <div className="min-h-0 flex-1 overflow-y-auto p-24">
        {data?.page.rows.map((row) => (
          <p key={row.uid}>{row.text}</p>
        ))}
      </div>
    ),
    dock: null,
  }
}
