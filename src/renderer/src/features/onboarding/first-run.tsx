/** The first thing a new user meets: a real shell behind a choice (U-34). No account, no network, no terminal. */
import type { ReactNode } from 'react'
import { useModelOptions } from '../../client/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from './choice.tsx'

interface FirstRunProps {
  readonly onDone: (chosen: 'demo' | 'provider') => void
  readonly onSkip: () => void
}

/** Fills the main region in place of an empty chat. */
export default function FirstRunPage({ onDone, onSkip }: FirstRunProps): ReactNode {
  const chosen = useModelOptions().data?.chosen === true
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" data-testid="onboarding">
      <div className="mx-auto flex min-h-full max-w-[760px] flex-col justify-center gap-24 px-24 py-32">
        <header className="flex flex-col gap-4">
          <h1 className="m-0 text-20 font-semibold">Choose what answers you</h1>
          <p className="m-0 text-14 leading-prose text-text-2">
            Herma runs on this machine, and only what you send to a provider leaves it. You can change this later in
            Settings.
          </p>
        </header>
        <Choice onDone={onDone} />
        {chosen ? null : (
          <div>
            <Button look="quiet" className="-ml-12" data-testid="onboarding-skip" onClick={onSkip}>
              Skip for now; the demo answers meanwhile
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}
