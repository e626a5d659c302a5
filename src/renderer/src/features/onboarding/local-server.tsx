/** A model server on this machine: looked for only when asked, or named by hand (U-42). No key. */
import { Check, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { refusalOf, useCall, useModelOptions } from '../../client/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CheckResult } from './check-result.tsx'
import { useSaveProvider } from './use-save-provider.ts'

interface LocalServerProps {
  readonly back?: ReactNode
  readonly onDone: () => void
}

/** Found servers with their models as choices; the two fields hold what will be used. */
export function LocalServer({ back, onDone }: LocalServerProps): ReactNode {
  const [address, setAddress] = useState('')
  const [model, setModel] = useState('')
  const detect = useCall('model.detect_local')
  const save = useSaveProvider()
  const options = useModelOptions().data
  const servers = detect.data?.servers
  const offers = (servers ?? []).flatMap(({ base_url, models }) =>
    models.length === 0 ? [{ base_url, name: '' }] : models.map((name) => ({ base_url, name })),
  )
  const submit = (): void => {
    if (address.trim() === '' || save.isPending) return
    const wanted = address.trim()
    // A server that has a name of its own is called by it; any other is an endpoint at an address.
    const named = options?.providers.find(({ base_url }) => base_url !== '' && base_url === wanted)
    save.mutate({
      provider: named?.name ?? 'custom',
      key: '',
      keep: 'until_quit',
      model: model.trim(),
      address: wanted,
    })
  }
  if (save.isSuccess) return <CheckResult {...save.data} onContinue={onDone} onChange={() => save.reset()} />
  return (
    <div className="flex flex-col gap-12">
      <div className="flex items-center gap-12">
        <Button data-testid="detect-local" disabled={detect.isPending} onClick={() => detect.mutate({})}>
          <Search size={16} strokeWidth={1.75} aria-hidden />
          {detect.isPending ? 'Looking' : 'Look on this machine'}
        </Button>
        <span className="text-12 text-text-3">Asks the usual ports of 127.0.0.1, nothing else.</span>
      </div>
      {servers !== undefined && offers.length === 0 ? (
        <p role="status" className="m-0 text-13 text-text-2">
          No server answered. Start one and look again, or write its address below.
        </p>
      ) : null}
      {offers.length > 0 ? (
        <div role="radiogroup" aria-label="Models found" className="pick-list">
          {offers.map((offer) => {
            const chosen = offer.base_url === address && offer.name === model
            return (
              <button
                key={`${offer.base_url} ${offer.name}`}
                type="button"
                role="radio"
                aria-checked={chosen}
                className="pick"
                onClick={() => {
                  setAddress(offer.base_url)
                  setModel(offer.name)
                }}
              >
                <Check size={16} aria-hidden className={chosen ? 'text-accent' : 'invisible'} />
                <span className="min-w-0 flex-1 truncate">{offer.name === '' ? 'no model reported' : offer.name}</span>
                <span className="font-mono text-12 text-text-3">{offer.base_url}</span>
              </button>
            )
          })}
        </div>
      ) : null}
      {detect.isError ? <Problem failed={refusalOf(detect.error).message} next={refusalOf(detect.error).next} /> : null}
      <TextField
        label="Base URL"
        height="large"
        inputMode="url"
        spellCheck={false}
        data-testid="local-address"
        placeholder="http://127.0.0.1:11434/v1"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        onEnter={submit}
      />
      <TextField
        label="Model"
        height="large"
        spellCheck={false}
        placeholder="taken from the server’s list"
        value={model}
        onChange={(event) => setModel(event.target.value)}
        onEnter={submit}
      />
      {save.isError ? (
        <Problem
          failed={refusalOf(save.error).message}
          safe="The provider that answered before still does."
          next={refusalOf(save.error).next}
        />
      ) : null}
      <div className="flex items-center gap-8">
        {back}
        <span className="flex-1" />
        <Button
          look="primary"
          size="large"
          data-testid="save-local"
          disabled={address.trim() === '' || save.isPending}
          onClick={submit}
        >
          {save.isPending ? 'Saving and checking' : 'Use this server'}
        </Button>
      </div>
    </div>
  )
}
