/** What stands below the transcript: questions that wait, what is queued or on its way, the composer (U-66, U-99). */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ConversationId, TurnId } from '../../../../shared/ids.ts'
import { useCommand } from '../../app/commands.ts'
import { useClient } from '../../client/client-context.tsx'
import { notifyRefusal } from '../../ui/notices.ts'
import { Problem } from '../../ui/problem.tsx'
import { ApprovalDock } from '../approvals/approval-dock.tsx'
import { Composer, focusComposer, useGiveBack } from '../composer/composer.tsx'
import { draftKeyOf } from '../composer/drafts.ts'
import { Outbox } from '../composer/outbox.tsx'
import { Queue, useCancelQueued } from '../composer/queue.tsx'
import { lastSentIn, type Sending, useRefusals } from '../composer/use-send.ts'
import { ResumeBanner } from '../onboarding/resume-banner.tsx'
import { type FirstRun, useLatch } from '../onboarding/use-onboarding.ts'
import type { LiveFacts } from './live-chat.tsx'
import { sendTranscriptKey } from './transcript-keys.ts'

const Choice = lazy(() => import('../onboarding/choice.tsx').then(({ Choice }) => ({ default: Choice })))

interface DockProps {
  readonly conversation: ConversationId | null
  readonly live: LiveFacts
  readonly sending: Sending
  readonly firstRun: FirstRun
}

/** At the foot of the main region, as wide as the prose above it. */
export function Dock({ conversation, live, sending, firstRun }: DockProps): ReactNode {
  const giveBack = useGiveBack(conversation)
  const refusal = useRefusals(({ byKey }) => byKey[draftKeyOf(conversation)] ?? null)
  const [choosing, close] = useLatch(firstRun.unusable)
  const cancel = useCancelQueued()
  useCommand('chat.latest', () => sendTranscriptKey('End'), conversation !== null)
  const recall = (): void => {
    const queued = live.queued.findLast(({ status }) => status === 'queued')
    if (queued !== undefined) return void cancel(queued, giveBack)
    const before = lastSentIn(draftKeyOf(conversation)) ?? live.lastText
    if (before !== undefined) giveBack(before)
  }
  const { stopping, stop } = useStop(conversation, live.turn)
  return (
    <section className="dock" aria-label="Write">
      <div>
        <ApprovalDock requests={live.requests} />
        {choosing ? (
          <NoProvider
            onDone={() => {
              close()
              focusComposer()
            }}
          />
        ) : null}
        <Queue items={live.queued} giveBack={giveBack} />
        <Outbox conversation={conversation} sending={sending} />
        {refusal === null ? null : (
          <Problem
            failed={refusal.message}
            safe="Nothing was sent. The text is still here."
            next={refusal.next}
            details={refusal.data === undefined ? undefined : JSON.stringify(refusal.data, null, 2)}
          />
        )}
        {firstRun.banner ? <ResumeBanner onResume={firstRun.resume} onClose={firstRun.closeBanner} /> : null}
        <Composer
          conversation={conversation}
          sending={sending}
          running={live.turn !== null}
          stopping={stopping || live.stopping}
          onStop={stop}
          onRecall={recall}
          onTranscriptKey={sendTranscriptKey}
        />
      </div>
    </section>
  )
}

/** Stop says *stopping* at once; the end of that turn takes the word away (U-92). */
function useStop(conversation: ConversationId | null, turn: TurnId | null): { stopping: boolean; stop: () => void } {
  const client = useClient()
  const [asked, setAsked] = useState<TurnId | null>(null)
  const stop = (): void => {
    if (conversation === null || turn === null) return
    setAsked(turn)
    focusComposer()
    // The turn is named, so that a late stop never hits the next one.
    void client.call('turn.interrupt', { conversation_id: conversation, turn }).then((answer) => {
      if (answer.ok) return
      setAsked(null)
      notifyRefusal(answer.refusal, 'The turn goes on; what it has said is kept.')
    })
  }
  return { stopping: turn !== null && asked === turn, stop }
}

/** A chat whose provider cannot answer shows the choice instead of an error after sending (U-43). */
function NoProvider({ onDone }: { readonly onDone: () => void }): ReactNode {
  return (
    <section aria-label="No usable provider" className="flex flex-col gap-12" data-testid="no-provider">
      <p className="m-0 text-13">
        <strong className="font-semibold">The chosen provider has no key, so nothing can answer here.</strong>{' '}
        <span className="text-text-2">What you write is kept. Choose what shall answer:</span>
      </p>
      <Suspense>
        <Choice onDone={onDone} />
      </Suspense>
    </section>
  )
}
