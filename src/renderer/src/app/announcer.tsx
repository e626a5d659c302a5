/** The one place that speaks (U-220). Chat itself is a log that is not live. */
import { type ReactNode, useState } from 'react'
import { useEvents } from '../client/client-context.tsx'
import { announcementOf, createSpeaker } from './announcements.ts'
import { useView } from './navigation.ts'

/** Once, in the shell. Speaks of the chat in front; a question of another chat shows in the list and is not read out. */
export function Announcer(): ReactNode {
  const view = useView()
  const [politely, setPolitely] = useState('')
  const [urgently, setUrgently] = useState('')
  const [speak] = useState(() =>
    createSpeaker({
      say: ({ text, assertive }) => (assertive ? setUrgently(text) : setPolitely(text)),
      now: () => performance.now(),
      later: (ms, run) => void setTimeout(run, ms),
    }),
  )
  useEvents((event) => {
    if (view.kind !== 'chat' || event.conversation_id === null || event.conversation_id !== view.conversation) return
    const announcement = announcementOf(event)
    if (announcement !== null) speak(announcement)
  })
  return (
    <>
      <div className="unseen" aria-live="polite" data-testid="announcer">
        {politely}
      </div>
      <div className="unseen" aria-live="assertive" data-testid="announcer-urgent">
        {urgently}
      </div>
    </>
  )
}
