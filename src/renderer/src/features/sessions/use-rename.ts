/** Renaming a conversation, from the list or from its header. */
import { useQueryClient } from '@tanstack/react-query'
import type { ConversationRow } from '../../../../shared/contract/index.ts'
import { useClient } from '../../client/client-context.tsx'
import { notifyRefusal } from '../../ui/notices.ts'
import { takeRow } from './use-session-list.ts'

/** Sends the title with the revision the person saw; a refusal is said in a notice and the old name stays. */
export function useRename(): (row: ConversationRow, title: string) => Promise<void> {
  const client = useClient()
  const cache = useQueryClient()
  return async (row, title) => {
    const answer = await client.call('session.title', {
      conversation_id: row.conversation_id,
      title: title.trim(),
      expected_revision: row.revision,
    })
    if (answer.ok) return takeRow(cache, answer.value)
    notifyRefusal(answer.refusal, 'The chat keeps its old name.')
    if (answer.refusal.code === 'stale_revision')
      void cache.invalidateQueries({ queryKey: ['session.info', row.conversation_id] })
  }
}
