import { ok } from '../../../shared/result.ts'
import type { Handlers } from '../router.ts'
import type { SettingsServices } from '../services.ts'

type Topic = Pick<
  Handlers,
  | 'config.get'
  | 'config.set'
  | 'model.options'
  | 'model.set'
  | 'model.test'
  | 'model.detect_local'
  | 'credentials.add'
  | 'credentials.remove'
  | 'credentials.use_environment'
  | 'ui_state.get'
  | 'ui_state.set'
  | 'health.get'
>

/** Configuration, providers, keys, screen state, health. */
export const settingsHandlers = (settings: SettingsServices): Topic => ({
  'config.get': async ({ keys }) => settings.config(keys),
  'config.set': async ({ key, value, base_revision }) => settings.setConfig(key, value, base_revision),
  'model.options': async () => ok(await settings.modelOptions()),
  'model.set': async ({ provider, model, base_url }) => settings.setModel({ provider, model, baseUrl: base_url }),
  'model.test': ({ provider, base_url }) => settings.testModel({ provider, baseUrl: base_url }),
  'model.detect_local': async () => ok(await settings.detectLocal()),
  'credentials.add': ({ provider, key, keep }) => settings.addCredential(provider, key, keep),
  'credentials.remove': ({ provider }) => settings.removeCredential(provider),
  'credentials.use_environment': ({ provider }) => settings.useEnvironmentKey(provider),
  'ui_state.get': async ({ keys }) => ok({ values: (await settings.uiState(keys)) as never }),
  'ui_state.set': ({ key, value }) => settings.setUiState(key, value),
  'health.get': async () => ok(settings.health()),
})
