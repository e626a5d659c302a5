/** The core's durable queue of this chat, a row each above the composer (U-89, U-06). */
import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { QueuedInput } from '../../../../shared/contract/index.ts'
import { previewOf } from '../../../../shared/text.ts'
import { useClient } from '../../client/client-context.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { notify, notifyRefusal } from '../../ui/notices.ts'
import { Mark } from '../../ui/state-mark.tsx'

interface QueueProps {
  readonly items: readonly QueuedInput[]
  /** Puts a cancelled text into the composer. */
  readonly giveBack: (text: string) => void
}

/** Takes an input out of the core's queue and hands its text on; a refusal is said and leaves it where it was. */
export function useCancelQueued(): (item: QueuedInput, then: (text: string) => void) => Promise<void> {
  const client = useClient()
  return async (item, then) => {
    const answer = await client.call('queue.cancel', { admission_id: item.admission_id })
    if (answer.ok) then(answer.value.text)
    else notifyRefusal(answer.refusal, 'The message stays in the queue as it was.')
  }
}

/** Waiting inputs in their order; inputs whose outcome is unknown ask what to do. */
export function Queue({ items, giveBack }: QueueProps): ReactNode {
  const client = useClient()
  const cancel = useCancelQueued()
  const shown = items.filter((item) => item.status !== 'started')
  if (shown.length === 0) return null
  const remove = (item: QueuedInput): Promise<void> =>
    cancel(item, (text) =>
      notify({
        tone: 'plain',
        title: `Removed from the queue: ${previewOf(text)}`,
        action: { label: 'Undo', run: () => giveBack(text) },
      }),
    )
  const resolve = async (item: QueuedInput, decision: 'continue' | 'stop'): Promise<void> => {
    const answer = await client.call('queue.resolve', { admission_id: item.admission_id, decision })
    if (!answer.ok) notifyRefusal(answer.refusal, 'The message stays as it was.')
  }
  return (
    <ul aria-label="Queue" className="m-0 flex list-none flex-col gap-4 p-0" data-testid="queue">
      {shown.map((item) => (
        <li key={item.admission_id} className="dock-row" data-testid={`queued-${item.admission_id}`}>
          {item.status === 'unknown' ? <Mark shape="diamond" colour="violet" /> : <Mark shape="bars" colour="accent" />}
          <span className="min-w-0 flex-1 truncate">{previewOf(item.text, 120)}</span>
          {item.status === 'unknown' ? (
            <>
              <span className="text-12 text-text-3">it is not known whether this ran</span>
              <Button size="small" onClick={() => void resolve(item, 'continue')}>
                Go on with it
              </Button>
              <Button size="small" onClick={() => void resolve(item, 'stop')}>
                Leave it
              </Button>
            </>
          ) : (
            <>
              <span className="text-12 text-text-3">{item.position <= 1 ? 'next' : `place ${item.position}`}</span>
              <IconButton icon={Pencil} label="Edit in the composer" onClick={() => void cancel(item, giveBack)} />
              <IconButton icon={Trash2} label="Remove from the queue" onClick={() => void remove(item)} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
