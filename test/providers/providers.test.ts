import { afterEach, describe, expect, it } from 'vitest'
import { isLoopback, normalizeBaseUrl } from '../../src/main/providers/base-url.ts'
import { createProviders, type Providers } from '../../src/main/providers/index.ts'
import { detectLocal } from '../../src/main/providers/list-models.ts'
import { contextOf, PRICES_AS_OF, priceOf } from '../../src/main/providers/prices.ts'
import { costMicros } from '../../src/main/providers/usage.ts'
import { type ScriptedProvider, startScriptedProvider, text } from '../support/scripted-provider.ts'
import { answerOf, asking } from './builders.ts'

let server: ScriptedProvider | undefined
let providers: Providers | undefined
afterEach(async () => {
  await server?.stop()
  await providers?.close()
  server = undefined
  providers = undefined
})
const withKeys = (keys: Readonly<Record<string, string>> = {}): Providers => {
  providers = createProviders({ keyFor: async (name) => keys[name] ?? null, log: () => {} })
  return providers
}

describe('choosing a provider', () => {
  it('[kernel 7.1] finds profiles by name and alias, each name once', () => {
    const { profiles, find } = withKeys()
    const names = profiles.flatMap((profile) => [profile.name, ...profile.aliases])
    expect(new Set(names).size).toBe(names.length)
    expect(profiles[0]?.name).toBe('demo')
    expect(find(' OpenAI ')?.name).toBe('openai')
    expect(find('lmstudio')?.name).toBe('lm-studio')
    expect(find('nobody')).toBeUndefined()
  })

  it('[kernel 7.1] every profile has an address in normal form, or none', () => {
    for (const { base_url } of withKeys().profiles)
      if (base_url !== '') expect(normalizeBaseUrl(base_url)).toEqual({ ok: true, value: base_url })
  })

  it.each([
    [{ provider: 'nobody', model: '', baseUrl: '' }, 'unknown_provider'],
    [{ provider: 'openai', model: '', baseUrl: '' }, 'no_key'],
    [{ provider: 'ollama', model: '', baseUrl: '' }, 'no_model'],
    [{ provider: 'custom', model: 'm', baseUrl: '' }, 'bad_base_url'],
    [{ provider: 'custom', model: 'm', baseUrl: 'not an address' }, 'bad_base_url'],
    [{ provider: 'custom', model: 'm', baseUrl: 'ftp://host/v1' }, 'bad_base_url'],
    [{ provider: 'custom', model: 'm', baseUrl: 'https://me:secret@host/v1' }, 'bad_base_url'],
    [{ provider: 'custom', model: 'm', baseUrl: 'https://far.test/v1' }, 'no_key'],
  ] as const)('[cli 4] refuses %o as %s and says what to do', async (choice, kind) => {
    const bound = await withKeys().bind(choice)
    expect(bound).toMatchObject({ ok: false, refusal: { kind, next: expect.stringMatching(/\S/) } })
    if (!bound.ok) expect(bound.refusal.message).not.toContain('secret')
  })

  it('[cli 4] takes the profile’s own model and address where none is given', async () => {
    const bound = await withKeys({ openai: 'sk-x' }).bind({ provider: 'openai', model: '', baseUrl: '' })
    expect(bound).toMatchObject({
      ok: true,
      value: { binding: { provider: 'openai', model: 'gpt-5', baseUrl: 'https://api.openai.com/v1' } },
    })
  })

  it('[cli 4] a server on this machine answers without a key, with or without /v1 or a slash behind its address', async () => {
    server = await startScriptedProvider([text('a'), text('b'), text('c')])
    for (const baseUrl of [server.url, `${server.url}/`, server.url.replace('/v1', '')]) {
      const bound = await withKeys().bind({ provider: 'custom', model: 'm', baseUrl })
      if (!bound.ok) throw new Error(bound.refusal.message)
      expect(bound.value.binding.baseUrl).toBe(server.url)
      await answerOf(bound.value)
    }
    expect(server.headers.map((headers) => headers.authorization)).toEqual([undefined, undefined, undefined])
  })

  it('[U-37] says so when it leaves characters of a key out, and does not say the key', async () => {
    const logged: string[] = []
    const providers = (key: string) =>
      createProviders({ keyFor: async () => key, log: (level, message) => void logged.push(`${level} ${message}`) })
    const choice = { provider: 'openai', model: '', baseUrl: '' }
    expect((await providers('sk-пароль-1').bind(choice)).ok).toBe(true)
    const warnings = logged.filter((line) => line.startsWith('warn'))
    expect(warnings).toEqual([expect.stringContaining('OpenAI')])
    expect(warnings.join()).not.toMatch(/sk-|пароль/)
    await providers(' sk-1\n').bind(choice)
    expect(logged.filter((line) => line.startsWith('warn'))).toHaveLength(1)
  })

  it('[decisions 5] the demo needs nothing and is reached like every other provider', async () => {
    const bound = await withKeys().bind({ provider: 'demo', model: '', baseUrl: '' })
    if (!bound.ok) throw new Error(bound.refusal.message)
    expect(bound.value.binding).toMatchObject({ provider: 'demo', model: 'scripted' })
    expect(isLoopback(bound.value.binding.baseUrl)).toBe(true)
    expect((await answerOf(bound.value, asking('please drop nothing, 你好'))).text).toContain('脚本')
  })

  it('[U-41] names a key in the environment, cleaned, and takes no empty one', () => {
    const { environmentKey } = withKeys()
    expect(environmentKey('openai', { OPENAI_API_KEY: ' sk-1\n' })).toEqual({ name: 'OPENAI_API_KEY', value: 'sk-1' })
    expect(environmentKey('openai', { OPENAI_API_KEY: '  ' })).toBeNull()
    expect(environmentKey('demo', { OPENAI_API_KEY: 'sk-1' })).toBeNull()
  })
})

describe('listing models', () => {
  const custom = { provider: 'custom' } as const

  it('[U-38] tells success, refusal, unreachable and rate limit apart', async () => {
    server = await startScriptedProvider([], { models: ['m1', 'm2'] })
    const { url } = server
    expect(await withKeys().listModels({ ...custom, baseUrl: url })).toMatchObject({
      outcome: 'ok',
      models: ['m1', 'm2'],
    })
    expect(await withKeys().listModels({ ...custom, baseUrl: `${url}/nowhere` })).toMatchObject({
      outcome: 'unreachable',
    })
    await server.stop()
    expect(await withKeys().listModels({ ...custom, baseUrl: url })).toMatchObject({
      outcome: 'unreachable',
      models: [],
    })
    server = undefined
    for (const [status, outcome] of [
      [401, 'refused'],
      [429, 'rate_limited'],
      [500, 'unreachable'],
    ] as const) {
      server = await startScriptedProvider([], { modelsStatus: status })
      expect(await withKeys().listModels({ ...custom, baseUrl: server.url })).toMatchObject({ outcome, models: [] })
      await server.stop()
      server = undefined
    }
  })

  it('[U-38] does not ask a far service without a key', async () => {
    expect(await withKeys().listModels({ provider: 'openai', baseUrl: '' })).toMatchObject({ outcome: 'refused' })
  })

  it('[U-42] finds servers on the ports it looks at and nothing else', async () => {
    server = await startScriptedProvider([], { models: ['local-1'] })
    const port = Number(new URL(server.url).port)
    expect(await detectLocal([1, port])).toEqual([{ base_url: server.url, models: ['local-1'] }])
  })
})

describe('prices', () => {
  const used = { inputTokens: 60, outputTokens: 20, cacheReadTokens: 40, cacheWriteTokens: null, reasoningTokens: 5 }

  it('[F-16] 60 fresh, 40 cached and 20 written tokens at $1, $0.1 and $2 cost 104 micro-USD', () => {
    expect(costMicros(used, { input: 1, output: 2, cacheRead: 0.1, cacheWrite: null })).toBe(104)
  })

  it('[U-08] what has no price has no cost', () => {
    expect(costMicros(used, null)).toBeNull()
    expect(costMicros(used, { input: 1, output: 2, cacheRead: null, cacheWrite: null })).toBeNull()
    expect(
      costMicros({ ...used, inputTokens: null }, { input: 1, output: 2, cacheRead: 0.1, cacheWrite: null }),
    ).toBeNull()
    expect(priceOf('openai', 'a-model-of-tomorrow')).toBeNull()
    expect(contextOf('openai', 'a-model-of-tomorrow')).toBeNull()
  })

  it('[decisions 28] the table carries its date and no price of 0 but the demo’s', () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    for (const { name, models } of withKeys().profiles)
      for (const model of models) {
        const price = priceOf(name, model)
        if (name !== 'demo' && price !== null) expect(Math.min(price.input, price.output)).toBeGreaterThan(0)
      }
    expect(contextOf('demo', 'scripted')).toBe(128_000)
  })
})
