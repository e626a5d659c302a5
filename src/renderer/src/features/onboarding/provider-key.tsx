/** Adding a key: pick a provider, paste the key, save, check (U-37 to U-41). Submitting needs only a non-empty key. */
import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ProviderInfo } from '../../../../shared/contract/index.ts'
import { refusalOf, useModelOptions } from '../../client/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CheckResult } from './check-result.tsx'
import { KeyStorage, useKeep } from './key-storage.tsx'
import { ProviderList } from './provider-list.tsx'
import { hasKey } from './use-onboarding.ts'
import { useSaveProvider } from './use-save-provider.ts'

interface ProviderKeyProps {
  /** A way back, in front of the main button. */
  readonly back?: ReactNode
  /** Which provider the form opens with. */
  readonly initial?: string
  readonly onDone: () => void
}

/** The whole form; after saving, the outcome of the check stands in its place with *Continue anyway*. */
export function ProviderKey({ back, initial, onDone }: ProviderKeyProps): ReactNode {
  const options = useModelOptions().data
  const providers = (options?.providers ?? []).filter(({ name }) => name !== 'demo')
  const [chosen, setChosen] = useState(initial ?? '')
  const provider = providers.find(({ name }) => name === chosen) ?? providers[0]
  if (provider === undefined) return <div aria-busy className="min-h-[240px]" />
  return (
    <div className="flex flex-col gap-16">
      <ProviderList providers={providers} chosen={provider.name} onChoose={setChosen} />
      <KeyForm key={provider.name} provider={provider} back={back} onDone={onDone} />
    </div>
  )
}

interface KeyFormProps extends Pick<ProviderKeyProps, 'back' | 'onDone'> {
  readonly provider: ProviderInfo
}

function KeyForm({ provider, back, onDone }: KeyFormProps): ReactNode {
  const custom = provider.name === 'custom'
  const [key, setKey] = useState('')
  const [shown, setShown] = useState(false)
  const [address, setAddress] = useState(custom ? '' : provider.base_url)
  const [model, setModel] = useState(provider.models[0] ?? '')
  const keep = useKeep()
  const save = useSaveProvider()
  const ready = (key.trim() !== '' || hasKey(provider) || !provider.needs_key) && (!custom || address.trim() !== '')
  const submit = (): void => {
    if (!ready || save.isPending) return
    save.mutate(
      { provider: provider.name, key: key.trim(), keep: keep.choice, model, address: custom ? address.trim() : null },
      { onSuccess: () => setKey('') },
    )
  }
  if (save.isSuccess) return <CheckResult {...save.data} onContinue={onDone} onChange={() => save.reset()} />
  return (
    <div className="flex flex-col gap-12">
      <FoundKey provider={provider} />
      <TextField
        label={provider.needs_key ? `Key of ${provider.display_name}` : 'Key, if the server asks for one'}
        type={shown ? 'text' : 'password'}
        height="large"
        data-testid="provider-key"
        value={key}
        spellCheck={false}
        onChange={(event) => setKey(event.target.value)}
        onEnter={submit}
        placeholder={hasKey(provider) ? `set, ends in ${provider.key.last_four ?? '····'}` : 'Paste the key'}
        trailing={
          <IconButton
            icon={shown ? EyeOff : Eye}
            label={shown ? 'Hide the key' : 'Show the key'}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          />
        }
        {...(provider.signup_url === null ? {} : { hint: `Keys are made at ${provider.signup_url}` })}
      />
      {custom ? (
        <TextField
          label="Base URL"
          height="large"
          inputMode="url"
          spellCheck={false}
          placeholder="https://models.example.com/v1"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          onEnter={submit}
        />
      ) : null}
      <TextField
        label="Model"
        height="large"
        list={`models-${provider.name}`}
        spellCheck={false}
        placeholder="taken from the provider’s list"
        value={model}
        onChange={(event) => setModel(event.target.value)}
        onEnter={submit}
      />
      <datalist id={`models-${provider.name}`}>
        {provider.models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <KeyStorage keep={keep} />
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
          data-testid="save-provider"
          disabled={!ready || save.isPending}
          onClick={submit}
        >
          {save.isPending ? 'Saving and checking' : 'Save and check'}
        </Button>
      </div>
    </div>
  )
}

/** A key in the environment is told, and used only after a click (U-41). */
function FoundKey({ provider }: { readonly provider: ProviderInfo }): ReactNode {
  const save = useSaveProvider()
  if (provider.key.state !== 'found_in_environment') return null
  const ending = provider.key.last_four === null ? '' : `, ending in ${provider.key.last_four}`
  return (
    <div className="flex items-center gap-12 rounded-6 border border-line px-12 py-8 text-13">
      <span className="flex-1">
        A key for {provider.display_name} was found in the environment{ending}. It is not used.
      </span>
      <Button
        size="small"
        disabled={save.isPending}
        onClick={() =>
          save.mutate({
            provider: provider.name,
            key: null,
            keep: 'until_quit',
            model: provider.models[0] ?? '',
            address: null,
          })
        }
      >
        Use it
      </Button>
    </div>
  )
}
