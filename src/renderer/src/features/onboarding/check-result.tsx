/** The outcome of a key check: four outcomes told apart, and a way on from each (U-38). */
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/state-mark.tsx'
import type { Saved } from './use-save-provider.ts'

const words = {
  ok: { shape: 'dot', colour: 'success', title: 'It works.', next: '' },
  refused: {
    shape: 'triangle',
    colour: 'danger',
    title: 'The provider refused the key.',
    next: 'Look whether the whole key was pasted and whether it is still valid.',
  },
  unreachable: {
    shape: 'diamond',
    colour: 'warning',
    title: 'The provider could not be reached.',
    next: 'Look at the address and the network. The key is saved and will be used once it can be reached.',
  },
  rate_limited: {
    shape: 'bars',
    colour: 'warning',
    title: 'The provider asks to slow down.',
    next: 'The key was accepted. Try again in a minute, or go on.',
  },
} as const satisfies Record<Saved['outcome'], object>

interface CheckResultProps extends Saved {
  readonly onContinue: () => void
  readonly onChange: () => void
}

/** *Continue anyway* is always there. */
export function CheckResult({ outcome, detail, model, models, onContinue, onChange }: CheckResultProps): ReactNode {
  const { shape, colour, title, next } = words[outcome]
  const works = outcome === 'ok'
  return (
    <div className="flex flex-col gap-16" data-testid="check-result" data-outcome={outcome}>
      <div role={works ? 'status' : 'alert'} className="flex gap-8 rounded-6 border border-line p-12 text-13">
        <span className="mt-6">
          <Mark shape={shape} colour={colour} />
        </span>
        <div className="min-w-0 flex-1">
          <p className="m-0 font-medium">{title}</p>
          <p className="m-0 text-text-2 [overflow-wrap:anywhere]">{detail}</p>
          {next === '' ? null : <p className="m-0 text-text-2">{next}</p>}
          {model === '' ? (
            <p className="m-0 text-text-2">No model is chosen yet. Name one in the form.</p>
          ) : (
            <p className="m-0 text-text-2">
              {model} answers from now on{models.length > 1 ? `; ${models.length} models are offered` : ''}.
            </p>
          )}
        </div>
      </div>
      <div className="flex gap-8">
        <Button onClick={onChange}>Change</Button>
        <span className="flex-1" />
        <Button look="primary" data-testid="continue" onClick={onContinue}>
          {works ? 'Continue' : 'Continue anyway'}
        </Button>
      </div>
    </div>
  )
}
