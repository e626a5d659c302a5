import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly sentence: string
  /** The one thing to do from here (U-214). */
  readonly action?: ReactNode
}

/** One sentence and one action. */
export function EmptyState({ sentence, action }: EmptyStateProps): ReactNode {
  return (
    <div className="flex flex-col items-center gap-12 p-24 text-center text-13 text-text-2">
      <p className="m-0 max-w-[40ch]">{sentence}</p>
      {action}
    </div>
  )
}
