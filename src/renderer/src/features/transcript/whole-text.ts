import { createContext, useContext } from 'react'
import type { HermaClient } from '../../../../shared/client.ts'
import type { DisplayRow } from '../../../../shared/contract/index.ts'
import type { ConversationId } from '../../../../shared/ids.ts'
import { useClient } from '../../client/client-context.tsx'

/** The conversation that the rows below belong to, whatever segment each of them stands in. */
export const TranscriptOf = createContext<ConversationId | null>(null)

/** Reads the whole text of a row that was cut, paged from the core piece by piece (U-80); null when the core refused. */
export function useWholeText(): (row: DisplayRow) => Promise<string | null> {
  const client = useClient()
  const conversation = useContext(TranscriptOf)
  return (row) => (conversation === null ? Promise.resolve(null) : wholeText(client, conversation, row))
}

async function wholeText(client: HermaClient, conversation: ConversationId, row: DisplayRow): Promise<string | null> {
  let text = ''
  let offset: number | null = 0
  while (offset !== null) {
    const piece = await readPiece(client, conversation, row, offset)
    if (!piece.ok) return null
    text += piece.value.text
    offset = piece.value.next_offset
  }
  return text
}

const readPiece = (client: HermaClient, conversation: ConversationId, row: DisplayRow, offset: number) =>
  client.call('session.message', { conversation_id: conversation, uid: row.uid, part: 'text', offset })
