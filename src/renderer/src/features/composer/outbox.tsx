/** Messages that have left the composer and are not accepted yet (U-51, U-53, U-54). */
import { RotateCw, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ConversationId } from '../../../../shared/ids.ts'
import { previewOf } from '../../../../shared/text.ts'
import { useKeeper } from '../../app/kept-state.tsx'
import { useConnection } from '../../client/client-context.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { useSlow } from '../../ui/skeleton.tsx'
import { Mark } from '../../ui/state-mark.tsx'
import { EMPTY_DRAFT, type Send } from './draft.ts'
import { applyDraft, draftKeyOf, useDrafts } from './drafts.ts'
import type { Sending } from './use-send.ts'

const words = {
  sending: { shape: 'bars', colour: 'accent', word: 'sending' },
  waiting: { shape: 'bars', colour: 'warning', word: 'waits for the connection' },
  failed: { shape: 'triangle', colour: 'danger', word: 'not sent' },
  unconfirmed: { shape: 'diamond', colour: 'violet', word: 'not confirmed' },
} as const

interface OutboxProps {
  readonly conversation: ConversationId | null
  readonly sending: Sending
}

/** One row per message; nothing when all are accepted. */
export function Outbox({ conversation, sending }: OutboxProps): ReactNode {
  const sends = useDrafts(({ byKey }) => (byKey[draftKeyOf(conversation)] ?? EMPTY_DRAFT).sends)
  if (sends.length === 0) return null
  return (
    <ul aria-label="Messages on their way" className="m-0 flex list-none flex-col gap-4 p-0">
      {sends.map((send) => (
        <OutboxRow key={send.request} send={send} conversation={conversation} sending={sending} />
      ))}
    </ul>
  )
}

function OutboxRow({ send, conversation, sending }: OutboxProps & { readonly send: Send }): ReactNode {
  const keeper = useKeeper()
  const key = draftKeyOf(conversation)
  const slow = useSlow(send.state === 'sending')
  const away = useConnection().state !== 'up'
  const { word, ...mark } = words[send.state === 'sending' && away ? 'waiting' : send.state]
  // A message that is accepted within 150 ms shows in the conversation only.
  if (send.state === 'sending' && !slow) return null
  return (
    <li className="dock-row" data-testid="outbox-row" data-state={send.state}>
      <Mark {...mark} />
      <div className="min-w-0 flex-1">
        <div className="truncate">{previewOf(send.text, 120)}</div>
        {send.reason === null ? null : <div className="text-12 text-danger">{send.reason}</div>}
        {send.state === 'unconfirmed' ? (
          <div className="text-12 text-text-3">
            Herma closed before the answer came. Sending it again acts once only.
          </div>
        ) : null}
      </div>
      <span className="flex-none pr-8 text-12 text-text-3">{word}</span>
      {send.state === 'unconfirmed' ? (
        <Button size="small" data-testid="send-again" onClick={() => sending.retry(send.request)}>
          <RotateCw size={12} aria-hidden />
          Send again
        </Button>
      ) : null}
      {send.state === 'failed' || send.state === 'unconfirmed' ? (
        <>
          <Button
            size="small"
            data-testid="restore"
            onClick={() => applyDraft(keeper, key, { kind: 'restore', request: send.request })}
          >
            <Undo2 size={12} aria-hidden />
            Restore
          </Button>
          <IconButton
            icon={X}
            label="Throw this message away"
            onClick={() => applyDraft(keeper, key, { kind: 'discard', request: send.request })}
          />
        </>
      ) : null}
    </li>
  )
}
