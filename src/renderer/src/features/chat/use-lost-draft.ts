/** A draft whose chat is gone moves to the new chat, with a notice and *Undo* (U-47). */
import { useEffect } from 'react'
import type { ConversationId } from '../../../../shared/ids.ts'
import { useKeeper } from '../../app/kept-state.tsx'
import { notify } from '../../ui/notices.ts'
import { draftOf, moveDraft, useDrafts } from '../composer/drafts.ts'

/** Chats whose draft was put back by hand: it is not moved a second time. */
const undone = new Set<ConversationId>()

/** `missing`: the core says that this conversation does not exist. */
export function useLostDraft(conversation: ConversationId | null, missing: boolean): void {
  const keeper = useKeeper()
  const text = useDrafts(({ byKey }) => (conversation === null ? '' : (byKey[conversation]?.text ?? '')))
  useEffect(() => {
    if (conversation === null || !missing || text === '' || undone.has(conversation)) return
    const before = draftOf('new')
    moveDraft(keeper, conversation, 'new')
    notify({
      tone: 'plain',
      title: 'The chat of this draft no longer exists.',
      safe: 'The text is in the new chat now.',
      action: {
        label: 'Undo',
        run() {
          undone.add(conversation)
          moveDraft(keeper, 'new', conversation)
          useDrafts.setState(({ byKey }) => ({ byKey: { ...byKey, new: before } }))
        },
      },
    })
  }, [conversation, missing, text, keeper])
}
