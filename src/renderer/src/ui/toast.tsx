/** The corner where notices show. With an action they stay until 10 s after focus has left them (U-208). */
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { dismiss, type Notice, useNotices } from './notices.ts'
import { Mark } from './state-mark.tsx'

const PLAIN_MS = 6_000
const WITH_ACTION_MS = 10_000

/** Once, near the root. */
export function Toasts(): ReactNode {
  const shown = useNotices((state) => state.shown)
  return (
    <section
      aria-label="Notices"
      className="pointer-events-none fixed right-16 bottom-[36px] z-[60] flex w-[360px] max-w-[calc(100vw-32px)] flex-col gap-8"
    >
      {shown.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

function Toast({ notice }: { readonly notice: Notice }): ReactNode {
  const [held, setHeld] = useState(false)
  const { id, action } = notice
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(id), action === undefined ? PLAIN_MS : WITH_ACTION_MS)
    return () => clearTimeout(timer)
  }, [held, id, action])
  const failure = notice.tone === 'failure'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only hold the clock, they do nothing else
    <div
      role={failure ? 'alert' : 'status'}
      className="overlay pointer-events-auto flex gap-8 p-12 text-13"
      data-state="open"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="mt-6">
        <Mark shape={failure ? 'triangle' : 'dot'} colour={failure ? 'danger' : 'accent'} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="m-0 font-medium [overflow-wrap:anywhere]">{notice.title}</p>
        {notice.safe === undefined ? null : <p className="m-0 text-text-2">{notice.safe}</p>}
        {notice.next === undefined ? null : <p className="m-0 text-text-2">{notice.next}</p>}
        {action === undefined ? null : (
          <Button
            size="small"
            className="mt-8"
            onClick={() => {
              dismiss(id)
              action.run()
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  )
}
