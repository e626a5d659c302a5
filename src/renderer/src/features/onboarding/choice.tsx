/** The choice of what answers, as cards: on the first run, from the banner, and in a chat without a usable provider. */
import { Cpu, KeyRound, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { refusalOf, useCall, useModelOptions } from '../../client/queries.ts'
import { Button } from '../../ui/button.tsx'
import { notifyRefusal } from '../../ui/notices.ts'
import { LocalServer } from './local-server.tsx'
import { ProviderKey } from './provider-key.tsx'

interface ChoiceProps {
  /** Called when a provider is set; `demo` asks for suggestions in the composer. */
  readonly onDone: (chosen: 'demo' | 'provider') => void
}

type Step = 'cards' | 'key' | 'local'

const cards = [
  {
    id: 'demo',
    icon: Play,
    title: 'Try the demo',
    text: 'A scripted provider runs the real loop: streaming, tools, a question before anything risky.',
    foot: 'No key, no network',
  },
  {
    id: 'key',
    icon: KeyRound,
    title: 'Add a provider key',
    text: 'Use your account at a provider, or any endpoint that speaks the same language.',
    foot: 'The key stays on this machine',
  },
  {
    id: 'local',
    icon: Cpu,
    title: 'Use a local model server',
    text: 'Ollama, LM Studio, llama.cpp, vLLM and others that listen on this machine.',
    foot: 'No key needed',
  },
] as const

/** Cards first, then the form of the chosen one in the same place. */
export function Choice({ onDone }: ChoiceProps): ReactNode {
  const [step, setStep] = useState<Step>('cards')
  const options = useModelOptions().data
  const setModel = useCall('model.set')
  const tryDemo = (): void => {
    const demo = options?.providers.find(({ name }) => name === 'demo')
    setModel.mutate(
      { provider: 'demo', model: demo?.models[0] ?? 'demo' },
      { onSuccess: () => onDone('demo'), onError: (error) => notifyRefusal(refusalOf(error), 'Nothing has changed.') },
    )
  }
  const back = (
    <Button look="quiet" onClick={() => setStep('cards')}>
      Back
    </Button>
  )
  if (step === 'key') return <ProviderKey back={back} onDone={() => onDone('provider')} />
  if (step === 'local') return <LocalServer back={back} onDone={() => onDone('provider')} />
  return (
    <ul className="choice" aria-label="What answers">
      {cards.map((card) => (
        <li key={card.id}>
          <button
            type="button"
            data-testid={`choose-${card.id}`}
            disabled={setModel.isPending}
            onClick={() => (card.id === 'demo' ? tryDemo() : setStep(card.id))}
          >
            <card.icon size={20} strokeWidth={1.5} aria-hidden />
            <strong>{card.title}</strong>
            <span>{card.text}</span>
            <small>{card.foot}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}
