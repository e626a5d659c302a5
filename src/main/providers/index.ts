/**
 * Model services behind one port (kernel 7). This folder owns what is known about a service (`profiles/`), how it is
 * spoken to (`adapters/`), what its failures mean (`classify-error.ts`) and the built-in demo. Keys come from the
 * caller for the moment of a request; none is kept, logged or shown here.
 */
import { ok, type Result, refused } from '../../shared/result.ts'
import { type Clock, systemClock } from '../../shared/time.ts'
import type { ModelPort } from '../kernel/ports.ts'
import { chatCompletions } from './adapters/chat-completions.ts'
import { type SilenceBreaker, silenceBreaker } from './adapters/silence.ts'
import { cleanKey, isLoopback, normalizeBaseUrl } from './base-url.ts'
import type { ProviderProfile } from './define-provider.ts'
import { type DemoEndpoint, startDemoEndpoint } from './demo/endpoint.ts'
import { detectLocal, listModels, type ModelList } from './list-models.ts'
import { contextOf, PRICES_AS_OF, priceOf } from './prices.ts'
import { PROFILES } from './profiles/index.ts'

export type { ProviderProfile } from './define-provider.ts'
export type { ModelList } from './list-models.ts'

export interface BindRefusal {
  readonly kind: 'unknown_provider' | 'no_key' | 'no_model' | 'bad_base_url'
  readonly message: string
  readonly next: string
}

export interface Providers {
  readonly profiles: readonly ProviderProfile[]
  /** The day of the price table. */
  readonly pricesAsOf: string
  find(nameOrAlias: string): ProviderProfile | undefined
  /** Empty `model` and `baseUrl` mean the profile's own. The key is asked for here, once a binding. */
  bind(choice: { provider: string; model: string; baseUrl: string }): Promise<Result<ModelPort, BindRefusal>>
  contextTokens(provider: string, model: string): number | null
  /** Eight seconds at most; never rejects. */
  listModels(choice: { provider: string; baseUrl: string }): Promise<ModelList>
  detectLocal(): Promise<{ base_url: string; models: string[] }[]>
  /** A key that lies in the environment, with the variable's name; finding is not using (U-41). */
  environmentKey(
    provider: string,
    env: Readonly<Record<string, string | undefined>>,
  ): { name: string; value: string } | null
  /** Ends the demo's endpoint. */
  close(): Promise<void>
}

export interface ProviderPorts {
  /** The key to use for a provider now, or null. */
  keyFor(provider: string): Promise<string | null>
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>): void
  readonly clock?: Clock
}

export function createProviders(ports: ProviderPorts): Providers {
  const clock = ports.clock ?? systemClock
  const breakers = new Map<string, SilenceBreaker>()
  let demo: Promise<DemoEndpoint> | null = null

  const find = (name: string): ProviderProfile | undefined => {
    const wanted = name.trim().toLowerCase()
    return PROFILES.find((profile) => profile.name === wanted || profile.aliases.includes(wanted))
  }
  const openDemo = (): Promise<DemoEndpoint> => {
    demo ??= startDemoEndpoint({ clock }).catch((error: unknown) => {
      demo = null
      throw error
    })
    return demo
  }
  const breakerFor = (key: string): SilenceBreaker => {
    const breaker = breakers.get(key) ?? silenceBreaker(clock)
    breakers.set(key, breaker)
    return breaker
  }

  /** Where to go and with which key; the demo's address and key are made when it starts. */
  async function reach(
    profile: ProviderProfile,
    given: string,
  ): Promise<Result<{ baseUrl: string; apiKey: string | null }, BindRefusal>> {
    if (profile.name === 'demo') return ok(await openDemo())
    const address = normalizeBaseUrl(given.trim() === '' ? profile.base_url : given)
    if (!address.ok)
      return refused({
        kind: 'bad_base_url',
        message:
          given.trim() === ''
            ? `${profile.display_name} needs the address of its server.`
            : `${profile.display_name}: ${address.refusal}`,
        next: 'Set the base URL, for example http://127.0.0.1:8080/v1.',
      })
    return ok({ baseUrl: address.value, apiKey: await keyOf(profile) })
  }
  /** Characters no header can carry are left out, and that is said: a key that is then refused has a reason. */
  async function keyOf(profile: ProviderProfile): Promise<string | null> {
    const stored = await ports.keyFor(profile.name)
    const key = cleanKey(stored)
    if (stored !== null && /[^\x20-\x7e]/.test(stored.trim()))
      ports.log('warn', `The key for ${profile.display_name} holds characters that no key has; they were left out.`)
    return key
  }

  return {
    profiles: PROFILES,
    pricesAsOf: PRICES_AS_OF,
    find,
    async bind({ provider, model, baseUrl }) {
      const profile = find(provider)
      if (profile === undefined) return refused(unknownProvider(provider))
      const reached = await reach(profile, baseUrl)
      if (!reached.ok) return reached
      const { apiKey } = reached.value
      if (apiKey === null && !isLoopback(reached.value.baseUrl)) return refused(noKey(profile))
      const chosen = model.trim() || (profile.models[0] ?? '')
      if (chosen === '')
        return refused({
          kind: 'no_model',
          message: `No model of ${profile.display_name} is chosen.`,
          next: 'Choose one in the settings, or with `herma model set`.',
        })
      ports.log('debug', 'provider bound', { provider: profile.name, model: chosen })
      return ok(
        chatCompletions({
          binding: { provider: profile.name, model: chosen, baseUrl: reached.value.baseUrl },
          displayName: profile.display_name,
          apiKey,
          headers: profile.default_headers,
          outputCapField: profile.output_cap_field,
          asksForUsage: profile.asks_for_usage,
          price: priceOf(profile.name, chosen),
          contextTokens: contextOf(profile.name, chosen),
          clock,
          breaker: breakerFor(`${profile.name} ${reached.value.baseUrl} ${chosen}`),
        }),
      )
    },
    contextTokens: (provider, model) => contextOf(find(provider)?.name ?? provider, model),
    async listModels({ provider, baseUrl }) {
      const profile = find(provider)
      if (profile === undefined) return { outcome: 'refused', detail: unknownProvider(provider).message, models: [] }
      if (profile.name === 'demo')
        return { outcome: 'ok', detail: 'The demo is built in and always answers.', models: [...profile.models] }
      const reached = await reach(profile, baseUrl)
      if (!reached.ok) return { outcome: 'unreachable', detail: reached.refusal.message, models: [] }
      const { apiKey, baseUrl: address } = reached.value
      if (apiKey === null && !isLoopback(address))
        return { outcome: 'refused', detail: noKey(profile).message, models: [] }
      const url = profile.models_url ?? `${address}/models`
      return listModels({ url, provider: profile.display_name, apiKey, headers: profile.default_headers })
    },
    detectLocal: () => detectLocal(),
    environmentKey(provider, env) {
      for (const name of find(provider)?.env_vars ?? []) {
        const value = cleanKey(env[name] ?? null)
        if (value !== null) return { name, value }
      }
      return null
    },
    async close() {
      const running = demo
      demo = null
      await (await running)?.close()
    },
  }
}

const unknownProvider = (name: string): BindRefusal => ({
  kind: 'unknown_provider',
  message: `There is no provider “${name}”.`,
  next: `Choose one of ${PROFILES.map((profile) => profile.name).join(', ')}.`,
})

const noKey = (profile: ProviderProfile): BindRefusal => ({
  kind: 'no_key',
  message: `There is no key for ${profile.display_name}.`,
  next: [
    'Enter one in the settings',
    ...(profile.env_vars[0] === undefined ? [] : [`or set ${profile.env_vars[0]} in the environment`]),
    ...(profile.signup_url === null ? [] : [`(keys: ${profile.signup_url})`]),
  ].join(' '),
})
