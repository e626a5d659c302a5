/** An error where it happened: what failed, what is still safe, what to do, the raw text behind a click (U-209). */
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Mark } from './state-mark.tsx'

interface ProblemProps {
  readonly failed: string
  readonly safe?: string | undefined
  readonly next?: string | undefined
  /** The raw text, shown on request and copied as it is. */
  readonly details?: string | undefined
  readonly actions?: ReactNode
}

/** A note with a mark on the left, no box around it. */
export function Problem({ failed, safe, next, details, actions }: ProblemProps): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <div role="alert" className="flex gap-8 rounded-6 border border-line p-12 text-13">
      <span className="mt-6">
        <Mark shape="triangle" colour="danger" />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <p className="m-0 font-medium">{failed}</p>
        {safe === undefined ? null : <p className="m-0 text-text-2">{safe}</p>}
        {next === undefined ? null : <p className="m-0 text-text-2">{next}</p>}
        {actions === undefined && details === undefined ? null : (
          <div className="mt-4 flex flex-wrap gap-8">
            {actions}
            {details === undefined ? null : (
              <>
                <Button size="small" look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
                  Details
                </Button>
                <Button size="small" look="quiet" onClick={() => void navigator.clipboard.writeText(details)}>
                  Copy
                </Button>
              </>
            )}
          </div>
        )}
        {open && details !== undefined ? (
          <pre className="m-0 max-h-[160px] overflow-auto rounded-4 bg-sunken p-8 text-code whitespace-pre-wrap">
            {details}
          </pre>
        ) : null}
      </div>
    </div>
  )
}
