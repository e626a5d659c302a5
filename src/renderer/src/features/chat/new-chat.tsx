/** A chat that is not created yet: one sentence, and with the demo a few things it can show (U-35). */
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useModelOptions } from '../../client/queries.ts'
import { DEMO_SUGGESTIONS } from '../onboarding/demo-suggestions.ts'

/** `onSuggest` puts a suggestion into the composer, to be sent with Enter. */
export function NewChat({ onSuggest }: { readonly onSuggest: (text: string) => void }): ReactNode {
  const options = useModelOptions().data
  const demo = options?.provider === 'demo'
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-end overflow-y-auto px-24 py-24">
      <div className="flex w-full max-w-(--measure) flex-col gap-16">
        <div className="flex flex-col gap-4">
          <p className="m-0 text-20 font-semibold">What do you want to get done?</p>
          <p className="m-0 text-14 leading-prose text-text-2">
            {demo
              ? 'The demo provider answers: scripted, no model, no network. The loop, the tools and the questions are real.'
              : 'Every message, call and result is stored on this machine before it counts.'}
          </p>
        </div>
        {demo ? (
          <ul className="m-0 flex list-none flex-col p-0" aria-label="Things the demo can show">
            {DEMO_SUGGESTIONS.map(({ text, shows }) => (
              <li key={text} className="border-t border-line">
                <button type="button" className="suggestion" data-testid="suggestion" onClick={() => onSuggest(text)}>
                  <span className="min-w-0 flex-1">{text}</span>
                  <span className="text-12 text-text-3">{shows}</span>
                  <ArrowUpRight size={16} strokeWidth={1.75} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </div>
  )
}
