/** The home's own facts: configuration, providers, keys, small pieces of screen state, health. */
import { z } from '../schema.ts'
import { method } from './method.ts'

export const CONFIG_SOURCES = ['default', 'file', 'profile', 'environment', 'flag'] as const

export const configEntry = z.strictObject({
  key: z.string(),
  value: z.json(),
  source: z.enum(CONFIG_SOURCES),
})
export type ConfigEntry = z.infer<typeof configEntry>

export const providerInfo = z.strictObject({
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  signup_url: z.string().nullable(),
  base_url: z.string(),
  needs_key: z.boolean(),
  /** `environment`: found but used only after a click (U-41). */
  key: z.strictObject({
    state: z.enum(['set', 'not_set', 'found_in_environment']),
    last_four: z.string().nullable(),
    set_at: z.number().int().nullable(),
    storage: z.enum(['os', 'memory', 'file', 'environment']).nullable(),
  }),
  models: z.array(z.string()),
})
export type ProviderInfo = z.infer<typeof providerInfo>

export const settingsMethods = {
  'config.get': method(
    { keys: z.array(z.string().max(200)).max(100).optional() },
    z.strictObject({ revision: z.number().int(), entries: z.array(configEntry), notices: z.array(z.string()) }),
  ),
  'config.set': method(
    { key: z.string().max(200), value: z.json(), base_revision: z.number().int() },
    z.strictObject({ revision: z.number().int(), entry: configEntry }),
  ),
  'model.options': method(
    {},
    z.strictObject({
      provider: z.string(),
      model: z.string(),
      base_url: z.string(),
      /** False until a person chose a provider; the demo answers meanwhile (decisions 5). */
      chosen: z.boolean(),
      providers: z.array(providerInfo),
    }),
  ),
  'model.set': method(
    { provider: z.string().max(100), model: z.string().max(200), base_url: z.string().max(2000).optional() },
    z.strictObject({ revision: z.number().int() }),
  ),
  /** Asks the provider for its models. Never blocks saving: every outcome is an answer (U-38). */
  'model.test': method(
    { provider: z.string().max(100), base_url: z.string().max(2000).optional() },
    z.strictObject({
      outcome: z.enum(['ok', 'refused', 'unreachable', 'rate_limited']),
      detail: z.string(),
      models: z.array(z.string()),
    }),
  ),
  /** Loopback model servers on common ports; only when asked (U-42). */
  'model.detect_local': method(
    {},
    z.strictObject({ servers: z.array(z.strictObject({ base_url: z.string(), models: z.array(z.string()) })) }),
  ),
  /** Stores a key in the shell's secret store. The answer never holds it. */
  'credentials.add': method(
    {
      provider: z.string().max(100),
      key: z.string().min(1).max(10_000),
      keep: z.enum(['stored', 'until_quit']).default('stored'),
    },
    z.strictObject({ storage: z.enum(['os', 'memory', 'file']), last_four: z.string() }),
  ),
  'credentials.remove': method({ provider: z.string().max(100) }, z.strictObject({ removed: z.boolean() })),
  /** Uses a key that was found in the environment (U-41). */
  'credentials.use_environment': method({ provider: z.string().max(100) }, z.strictObject({ last_four: z.string() })),
  /**
   * Small screen state that must survive a crash: drafts, layout, scroll anchors. On disk when the answer arrives
   * (U-46). Kept outside the ledger: it is nobody's fact.
   */
  'ui_state.get': method(
    { keys: z.array(z.string().min(1).max(300)).max(200) },
    z.strictObject({ values: z.record(z.string(), z.json()) }),
  ),
  'ui_state.set': method(
    { key: z.string().min(1).max(300), value: z.json().nullable() },
    z.strictObject({ stored: z.boolean() }),
  ),
  'health.get': method(
    {},
    z.strictObject({
      state: z.enum(['starting', 'ready', 'degraded', 'stopped']),
      reason: z.string().nullable(),
      epoch: z.string(),
      protocol: z.number().int(),
      version: z.string(),
      demo_home: z.boolean(),
      running_turns: z.number().int(),
      waiting: z.array(
        z.strictObject({
          conversation_id: z.string(),
          holder: z.string().nullable(),
          age_ms: z.number(),
          position: z.number().int(),
        }),
      ),
      key_storage: z.strictObject({ kind: z.enum(['os', 'memory', 'file']), secure: z.boolean(), detail: z.string() }),
    }),
  ),
} as const
