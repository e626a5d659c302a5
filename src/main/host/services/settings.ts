/** Configuration, providers, keys, screen state, health. A key never leaves the core (U-39). */
import { PROTOCOL, type ProviderInfo, refusal } from '../../../shared/contract/index.ts'
import { ok, refused } from '../../../shared/result.ts'
import type { SettingsServices } from '../../rpc/services.ts'
import { unknownKey } from '../config/config.ts'
import { isConfigKey } from '../config/keys.ts'
import type { Core } from '../core.ts'
import { environmentKeyUsed, useEnvironmentKey } from '../keys.ts'

export const settingsServices = (core: Core): SettingsServices => ({
  config(keys) {
    const unknown = keys?.find((key) => !isConfigKey(key))
    if (unknown !== undefined) return refused(unknownKey(unknown))
    const entries =
      keys === undefined ? core.config.all() : keys.filter(isConfigKey).map((key) => core.config.entry(key))
    return ok({ revision: core.config.revision, entries, notices: core.config.notices() })
  },
  setConfig: (key, value, base) => core.config.set(key, value, base),
  async modelOptions() {
    const provider = core.config.get('model.provider')
    const profile = core.providers.find(provider)
    return {
      provider,
      model: core.config.get('model.default') || (profile?.models[0] ?? ''),
      base_url: core.config.get('model.base_url') || (profile?.base_url ?? ''),
      chosen: core.config.entry('model.provider').source !== 'default',
      providers: await Promise.all(core.providers.profiles.map((each) => providerInfo(core, each.name))),
    }
  },
  setModel({ provider, model, baseUrl }) {
    const profile = core.providers.find(provider)
    if (profile === undefined) return refused(unknownProvider(provider))
    for (const [key, value] of [
      ['model.provider', profile.name],
      ['model.default', model],
      ['model.base_url', baseUrl ?? ''],
    ] as const) {
      const stored = core.config.set(key, value, null)
      if (!stored.ok) return stored
    }
    return ok({ revision: core.config.revision })
  },
  async testModel({ provider, baseUrl }) {
    const profile = core.providers.find(provider)
    if (profile === undefined) return refused(unknownProvider(provider))
    return ok(await core.providers.listModels({ provider: profile.name, baseUrl: baseUrl ?? '' }))
  },
  detectLocal: async () => ({ servers: await core.providers.detectLocal() }),
  async addCredential(provider, key, keep) {
    const profile = core.providers.find(provider)
    if (profile === undefined) return refused(unknownProvider(provider))
    try {
      const storage = await core.ports.secrets.set(profile.name, key.trim(), keep)
      core.events.announce('config.changed', { revision: core.config.revision })
      return ok({ storage, last_four: key.trim().slice(-4) })
    } catch (error) {
      return refused(
        refusal('permission_denied', `The key could not be stored: ${error instanceof Error ? error.message : error}`, {
          next: 'Keep it until quit instead, or set it in the environment.',
        }),
      )
    }
  },
  async removeCredential(provider) {
    const removed = await core.ports.secrets.remove(core.providers.find(provider)?.name ?? provider)
    core.events.announce('config.changed', { revision: core.config.revision })
    return ok({ removed })
  },
  useEnvironmentKey: (provider) => useEnvironmentKey(core, provider),
  uiState: (keys) => core.uiState.get(keys),
  setUiState: (key, value) => core.uiState.set(key, value),
  health: () => ({
    state: core.draining() ? 'stopped' : 'ready',
    reason: null,
    epoch: core.events.epoch,
    protocol: PROTOCOL,
    version: core.version,
    demo_home: core.demoHome,
    running_turns: core.runner.runningTurns,
    waiting: [],
    key_storage: core.ports.secrets.storage,
  }),
})

const unknownProvider = (name: string) =>
  refusal('invalid_params', `There is no provider "${name}".`, { next: 'Choose one from the list in settings.' })

async function providerInfo(core: Core, name: string): Promise<ProviderInfo> {
  const profile = core.providers.find(name)
  const stored = await core.ports.secrets.describe(name)
  const found = core.providers.environmentKey(name, core.ports.env)
  const used = found !== null && (await environmentKeyUsed(core, name))
  return {
    name,
    display_name: profile?.display_name ?? name,
    description: profile?.description ?? '',
    signup_url: profile?.signup_url ?? null,
    base_url: profile?.base_url ?? '',
    needs_key: profile?.needs_key ?? true,
    key:
      stored !== null
        ? { state: 'set', last_four: stored.lastFour, set_at: stored.setAt, storage: stored.storage }
        : found !== null
          ? {
              state: used ? 'set' : 'found_in_environment',
              last_four: found.value.slice(-4),
              set_at: null,
              storage: 'environment',
            }
          : { state: 'not_set', last_four: null, set_at: null, storage: null },
    models: [...(profile?.models ?? [])],
  }
}
