/**
 * Questions of the visible chat above the composer (U-94–U-99). Arrival never moves the focus, and for 400 ms the buttons
 * ignore presses, so that a key meant for the composer cannot answer.
 */
import { type ReactNode, useRef, useState } from 'react'
import type { ApprovalChoice, ApprovalRequest } from '../../../../shared/contract/index.ts'
import { useClient } from '../../client/client-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { notifyRefusal } from '../../ui/notices.ts'
import { TextField } from '../../ui/text-field.tsx'
import { focusComposer } from '../composer/composer.tsx'
import { useSeconds } from '../transcript/use-seconds.ts'

const DEAF_MS = 400

export function ApprovalDock({ requests }: { readonly requests: readonly ApprovalRequest[] }): ReactNode {
  const first = requests[0]
  return first === undefined ? null : <ApprovalCard key={first.request_id} request={first} count={requests.length} />
}

function ApprovalCard({ request, count }: { readonly request: ApprovalRequest; readonly count: number }): ReactNode {
  const client = useClient()
  const [confirming, setConfirming] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const [sent, setSent] = useState(false)
  const shownAt = useRef(performance.now())
  const elapsed = useSeconds(request.asked_at)
  const left = Math.max(0, Math.round((request.deadline - request.asked_at) / 1_000) - elapsed)

  const isDeaf = (): boolean => performance.now() - shownAt.current < DEAF_MS
  const card = useRef<HTMLElement>(null)
  const answer = async (choice: ApprovalChoice): Promise<void> => {
    if (sent || isDeaf()) return
    const inside = card.current?.contains(document.activeElement) === true
    setSent(true)
    const text = note?.trim()
    const given = await client.call('approval.respond', {
      request_id: request.request_id,
      choice,
      ...(choice === 'deny' && text !== undefined && text !== '' ? { note: text } : {}),
    })
    if (given.ok) {
      // The card goes; whoever answered from inside it goes on writing instead of falling off the page (U-217).
      if (inside) focusComposer()
      return
    }
    setSent(false)
    notifyRefusal(given.refusal, 'The first answer counts; nothing was run twice.')
  }
  const always = (): void => {
    if (confirming) void answer('always')
    else if (!isDeaf()) setConfirming(true)
  }
  return (
    <section
      ref={card}
      className="ask"
      data-testid="approval"
      aria-label={`Approval: ${request.tool}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the card takes A, S and D only while it holds the focus
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement || event.repeat) return
        if (event.ctrlKey || event.metaKey || event.altKey) return
        const key = event.key.toLowerCase()
        if (key === 'a') void answer('once')
        else if (key === 's') void answer('session')
        else if (key === 'd') void answer('deny')
      }}
    >
      <header>
        <h2>{request.tool === 'terminal' ? 'Allow this command?' : `Allow ${request.tool}?`}</h2>
        <span className="ask-why">{request.reason}</span>
        <span className="ask-left" aria-hidden>
          {count > 1 ? `1 of ${count} · ` : ''}
          {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')} left, then no
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <pre tabIndex={0} role="group" aria-label="What would run">
        {request.subject}
      </pre>
      <p className="ask-place">in {request.cwd}</p>
      {confirming && request.always_rule !== null ? (
        <p className="ask-place" role="status">
          This rule would be stored: <code>{request.always_rule}</code>. Press again to store it.
        </p>
      ) : null}
      {note === null ? null : (
        <TextField
          label="Note to the model"
          value={note}
          placeholder="Why not, or what to do instead"
          autoFocus
          onChange={(event) => setNote(event.currentTarget.value)}
          onEnter={() => void answer('deny')}
        />
      )}
      <div className="ask-choices">
        <Button look="primary" data-testid="approve-once" disabled={sent} onClick={() => void answer('once')}>
          Allow once <Kbd>A</Kbd>
        </Button>
        <Button data-testid="approve-session" disabled={sent} onClick={() => void answer('session')}>
          For this session <Kbd>S</Kbd>
        </Button>
        {request.always_rule === null ? null : (
          <Button data-testid="approve-always" disabled={sent} onClick={always}>
            {confirming ? 'Store this rule' : 'Always…'}
          </Button>
        )}
        <Button
          className="apart"
          look="quiet"
          onClick={() => {
            if (!isDeaf()) setNote(note === null ? '' : null)
          }}
        >
          {note === null ? 'Deny with a note…' : 'No note'}
        </Button>
        <Button data-testid="deny" disabled={sent} onClick={() => void answer('deny')}>
          Deny <Kbd>D</Kbd>
        </Button>
      </div>
    </section>
  )
}
