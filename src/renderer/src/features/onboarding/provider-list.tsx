/** The providers, searchable, one chosen: arrows move, the field filters (U-37). */
import { Check, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { ProviderInfo } from '../../../../shared/contract/index.ts'
import { TextField } from '../../ui/text-field.tsx'
import { hasKey } from './use-onboarding.ts'

interface ProviderListProps {
  readonly providers: readonly ProviderInfo[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
}

/** What a provider's key looks like in a word. */
export function keyWord(provider: ProviderInfo): string {
  if (!provider.needs_key) return 'no key needed'
  if (hasKey(provider)) return `key set, ${provider.key.last_four ?? '····'}`
  return provider.key.state === 'found_in_environment' ? 'key found, not used' : ''
}

/** A radio group below a search field. */
export function ProviderList({ providers, chosen, onChoose }: ProviderListProps): ReactNode {
  const [search, setSearch] = useState('')
  const group = useRef<HTMLDivElement>(null)
  const wanted = search.trim().toLowerCase()
  const shown = providers.filter(
    ({ name, display_name, description }) =>
      wanted === '' || `${name} ${display_name} ${description}`.toLowerCase().includes(wanted),
  )
  const stop = shown.some(({ name }) => name === chosen) ? chosen : shown[0]?.name
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    if (by === undefined || shown.length === 0) return
    event.preventDefault()
    const at = shown.findIndex(({ name }) => name === stop)
    const next = shown[(at + by + shown.length) % shown.length]
    if (next === undefined) return
    onChoose(next.name)
    group.current?.querySelector<HTMLElement>(`[data-provider="${next.name}"]`)?.focus()
  }
  return (
    <div className="flex flex-col gap-8">
      <TextField
        label="Find a provider"
        hideLabel
        type="search"
        icon={Search}
        placeholder="Find a provider"
        data-testid="provider-search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onEnter={() => shown[0] !== undefined && onChoose(shown[0].name)}
        {...(search === '' ? {} : { onEscape: () => setSearch('') })}
      />
      {shown.length === 0 ? (
        <p className="m-0 px-8 text-13 text-text-2">
          No provider matches “{search}”. Any endpoint that is compatible works under “custom”.
        </p>
      ) : (
        <div ref={group} role="radiogroup" aria-label="Provider" className="pick-list" onKeyDown={press}>
          {shown.map((provider) => (
            <button
              key={provider.name}
              type="button"
              role="radio"
              aria-checked={provider.name === chosen}
              tabIndex={provider.name === stop ? 0 : -1}
              data-provider={provider.name}
              data-testid={`provider-${provider.name}`}
              className="pick"
              onClick={() => onChoose(provider.name)}
            >
              <Check size={16} aria-hidden className={provider.name === chosen ? 'text-accent' : 'invisible'} />
              <span className="font-medium">{provider.display_name}</span>
              <span className="min-w-0 flex-1 truncate text-12 text-text-3">{provider.description}</span>
              <span className="text-12 text-text-3">{keyWord(provider)}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
