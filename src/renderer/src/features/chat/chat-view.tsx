/** One chat: head, transcript, dock with questions, queue and composer. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ConversationId } from '../../../../shared/ids.ts'
import { useKeeper } from '../../app/kept-state.tsx'
import { refusalOf } from '../../client/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { focusComposer } from '../composer/composer.tsx'
import { applyDraft, draftOf } from '../composer/drafts.ts'
import { useSend } from '../composer/use-send.ts'
import { DEMO_SUGGESTIONS } from '../onboarding/demo-suggestions.ts'
import { type FirstRun, useFirstRun, useLatch } from '../onboarding/use-onboarding.ts'
import { useConversationRow, useSessionList } from '../sessions/use-session-list.ts'
import { ChatHeader } from './chat-header.tsx'
import { Dock } from './dock.tsx'
import { LiveChat, type LiveFacts, NO_FACTS } from './live-chat.tsx'
import { NewChat } from './new-chat.tsx'
import { useLostDraft } from './use-lost-draft.ts'

const FirstRunPage = lazy(() => import('../onboarding/first-run.tsx'))

/** The main region while the view is `chat`; null is the chat that is not created yet. */
export function ChatView({ conversation }: { readonly conversation: ConversationId | null }): ReactNode {
  const keeper = useKeeper()
  const firstRun = useFirstRun(useSessionList('').data?.total)
  const [choosing, close] = useLatch(conversation === null && firstRun.due)
  if (conversation === null && choosing)
    return (
      <Suspense>
        <FirstRunPage
          onSkip={() => {
            firstRun.skip()
            close()
            focusComposer()
          }}
          onDone={(chosen) => {
            close()
            const [first] = DEMO_SUGGESTIONS
            if (chosen === 'demo' && draftOf('new').text === '')
              applyDraft(keeper, 'new', { kind: 'edit', text: first.text })
            focusComposer()
          }}
        />
      </Suspense>
    )
  return <Chat conversation={conversation} firstRun={firstRun} />
}

/** Stays mounted from one chat to the next, so that sending the first message leaves the focus where it is. */
function Chat({
  conversation,
  firstRun,
}: {
  readonly conversation: ConversationId | null
  readonly firstRun: FirstRun
}): ReactNode {
  const keeper = useKeeper()
  const row = useConversationRow(conversation)
  const [live, setLive] = useState<LiveFacts>(NO_FACTS)
  const sending = useSend(conversation)
  const missing = row.isError && refusalOf(row.error).code === 'not_found'
  useLostDraft(conversation, missing)
  return (
    <>
      <ChatHeader row={conversation === null ? null : (row.data ?? null)} />
      {row.isError ? (
        <div className="mx-auto w-full max-w-(--measure) flex-1 p-24">
          <Problem
            failed={missing ? 'This chat no longer exists.' : 'This chat could not be read.'}
            safe={missing ? 'What you had typed for it is in the new chat.' : 'What is stored is untouched.'}
            next={refusalOf(row.error).next ?? refusalOf(row.error).message}
            actions={
              missing ? undefined : (
                <Button size="small" onClick={() => void row.refetch()}>
                  Try again
                </Button>
              )
            }
          />
        </div>
      ) : conversation === null ? (
        <NewChat
          onSuggest={(text) => {
            applyDraft(keeper, 'new', { kind: 'edit', text })
            focusComposer()
          }}
        />
      ) : (
        <LiveChat key={conversation} conversation={conversation} onFacts={setLive} />
      )}
      {missing ? null : <Dock conversation={conversation} live={live} sending={sending} firstRun={firstRun} />}
    </>
  )
}
