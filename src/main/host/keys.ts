/**
 * Which key a provider gets: one that was stored, else one from the environment. In the desktop a key found there is
 * listed and used only after a click (U-41); a command line or a server names its provider by hand, which is the click.
 */
import { type Refusal, refusal } from '../../shared/contract/index.ts'
import { ok, type Result, refused } from '../../shared/result.ts'
import type { Providers } from '../providers/index.ts'
import type { ShellPorts } from './ports.ts'
import type { UiState } from './ui-state.ts'

export interface KeyPorts {
  readonly providers: Providers
  readonly ports: ShellPorts
  readonly uiState: UiState
  /** True where choosing a provider in configuration counts as consent to its environment key. */
  readonly environmentByDefault: boolean
}

const clickKey = (provider: string): string => `environment-key:${provider}`

export const environmentKeyUsed = async (
  keys: Pick<KeyPorts, 'uiState'> & Partial<KeyPorts>,
  provider: string,
): Promise<boolean> =>
  keys.environmentByDefault === true || (await keys.uiState.get([clickKey(provider)]))[clickKey(provider)] === true

export async function keyFor(keys: KeyPorts, provider: string): Promise<string | null> {
  const stored = await keys.ports.secrets.get(provider)
  if (stored !== null) return stored
  const found = keys.providers.environmentKey(provider, keys.ports.env)
  return found !== null && (await environmentKeyUsed(keys, provider)) ? found.value : null
}

export async function useEnvironmentKey(
  keys: Pick<KeyPorts, 'providers' | 'ports' | 'uiState'>,
  provider: string,
): Promise<Result<{ last_four: string }, Refusal>> {
  const found = keys.providers.environmentKey(provider, keys.ports.env)
  if (found === null)
    return refused(
      refusal('not_found', `No key for ${provider} was found in the environment.`, { next: 'Enter the key instead.' }),
    )
  const kept = await keys.uiState.set(clickKey(provider), true)
  return kept.ok ? ok({ last_four: found.value.slice(-4) }) : kept
}
