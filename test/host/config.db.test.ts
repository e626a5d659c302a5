import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Config, typedValue } from '../../src/main/host/config/config.ts'
import { CONFIG_KEY_NAMES, CONFIG_KEYS, type ConfigKey } from '../../src/main/host/config/keys.ts'
import { configFile, findHome, type Home } from '../../src/main/host/home.ts'
import type { Json } from '../../src/shared/schema.ts'
import { tempFolder } from '../support/temp-home.ts'

function aHome(yaml?: string, profile = 'default', root = tempFolder()): Home {
  const home = findHome({}, { home: root, profile })
  if (!home.ok) throw new Error(home.refusal.message)
  mkdirSync(home.value.path, { recursive: true })
  if (yaml !== undefined) writeFileSync(configFile(home.value), yaml)
  return home.value
}
const textOf = (home: Home): string => readFileSync(configFile(home), 'utf8')

test('[cli 4] every key has a default that fits its own shape, and a line about it', () => {
  for (const key of CONFIG_KEY_NAMES) {
    expect([key, CONFIG_KEYS[key].shape.safeParse(CONFIG_KEYS[key].fallback).success]).toEqual([key, true])
    expect(CONFIG_KEYS[key].about).not.toBe('')
  }
})

test('[cli 4] a flag speaks before the environment, that before the profile, that before the root, that before the default', () => {
  const root = aHome('agent: {max_turns: 20}\n')
  const work = aHome('agent: {max_turns: 30}\n', 'work', root.root)
  const env = { HERMA_AGENT_MAX_TURNS: '40' }
  const spoken = (config: Config) => config.entry('agent.max_turns')
  expect(spoken(new Config(aHome()))).toEqual({ key: 'agent.max_turns', value: 500, source: 'default' })
  expect(spoken(new Config(root))).toMatchObject({ value: 20, source: 'file' })
  expect(spoken(new Config(work))).toMatchObject({ value: 30, source: 'profile' })
  expect(spoken(new Config(aHome(undefined, 'other', root.root)))).toMatchObject({ value: 20, source: 'file' })
  expect(spoken(new Config(work, {}, env))).toMatchObject({ value: 40, source: 'environment' })
  expect(spoken(new Config(work, { 'agent.max_turns': 50 }, env))).toMatchObject({ value: 50, source: 'flag' })
})

test('[cli 4] looking reads only and makes no file', () => {
  const home = aHome()
  new Config(home).all()
  expect(statSync(configFile(home), { throwIfNoEntry: false })).toBeUndefined()
})

test('[cli 4] comments, unknown keys and their order survive a write', () => {
  const home = aHome('# mine\nmodel:\n  provider: custom # the one in the cellar\n  default: m\nplugins: {x: {y: 1}}\n')
  const config = new Config(home)
  expect(config.set('model.default', 'qwen', null)).toMatchObject({ ok: true, value: { entry: { value: 'qwen' } } })
  expect(config.set('agent.max_turns', 9, null)).toMatchObject({ ok: true })
  expect(textOf(home)).toBe(
    '# mine\nmodel:\n  provider: custom # the one in the cellar\n  default: qwen\nplugins: { x: { y: 1 } }\nagent:\n  max_turns: 9\n',
  )
})

test('[cli 4] a wrong type is passed over with a notice that names key, value and what is used instead', () => {
  const config = new Config(aHome('agent: {max_turns: many}\nui: {theme: pink, density: }\n'))
  expect(config.get('agent.max_turns')).toBe(500)
  expect(config.get('ui.density')).toBe('regular')
  const findings = config.findings()
  expect(findings.map(({ kind }) => kind)).toEqual(['unusable', 'unusable'])
  expect(findings[0]?.text).toMatch(
    /^agent\.max_turns: "many" in .*config\.yaml is not usable .* 500 is used \(default\)\.$/,
  )
})

test('[cli 4] an unusable value leaves the word to the next in line, and says so', () => {
  const root = aHome('agent: {max_turns: 20}\n')
  const work = aHome('agent: {max_turns: -1}\n', 'work', root.root)
  const config = new Config(work, {}, { HERMA_AGENT_MAX_TURNS: 'lots' })
  expect(config.entry('agent.max_turns')).toMatchObject({ value: 20, source: 'file' })
  expect(config.notices()).toEqual([
    expect.stringContaining('"lots" in HERMA_AGENT_MAX_TURNS'),
    expect.stringMatching(/-1 in .*config\.yaml/),
  ])
})

test('[cli 4] unknown keys are told, with the one that was probably meant; groups of others are not ours to judge', () => {
  const findings = new Config(aHome('agent: {max_truns: 3}\nmcp_servers: {files: {command: x}}\n')).findings()
  expect(findings).toEqual([
    { kind: 'unknown', text: expect.stringMatching(/agent\.max_truns .*Did you mean agent\.max_turns\?$/) },
    { kind: 'unknown', text: expect.stringMatching(/mcp_servers\.files\.command .*kept as it is\.$/) },
  ])
})

test.each([
  ['is no YAML', 'model: [demo\n'],
  ['names a key twice', 'ui: {theme: dark}\nui: {theme: light}\n'],
  ['is a list', '- model\n'],
  ['is one word', 'dark\n'],
  ['follows an anchor that is not there', 'model: *gone\n'],
  ['holds several documents', 'a: 1\n---\nb: 2\n'],
])('[cli 4] a file that %s counts as empty, is reported, and is never written', (_what, yaml) => {
  const home = aHome(yaml)
  const config = new Config(home)
  expect(config.get('model.provider')).toBe('demo')
  expect(config.findings()).toEqual([
    { kind: 'broken', text: expect.stringMatching(/cannot be read: .+\. The defaults/) },
  ])
  expect(config.set('ui.theme', 'dark', null)).toMatchObject({
    ok: false,
    refusal: { code: 'invalid_params', next: expect.stringContaining(configFile(home)) },
  })
  expect(textOf(home)).toBe(yaml)
  writeFileSync(configFile(home), 'ui: {theme: light}\n')
  expect(config.get('ui.theme')).toBe('light')
})

test('[cli 4] a folder in the place of the file is reported, not met with a crash', () => {
  const home = aHome()
  mkdirSync(configFile(home))
  expect(new Config(home).findings()).toEqual([{ kind: 'broken', text: expect.stringContaining('it is a folder') }])
})

test('[cli 4] a value where a group should be is kept', () => {
  const home = aHome('model: gpt\n')
  expect(new Config(home).set('model.default', 'x', null)).toMatchObject({
    ok: false,
    refusal: { message: expect.stringMatching(/^model in .* is a value/) },
  })
  expect(textOf(home)).toBe('model: gpt\n')
  const empty = aHome('# none yet\nmodel:\n')
  expect(new Config(empty).set('model.default', 'x', null).ok).toBe(true)
  expect(textOf(empty)).toBe('# none yet\nmodel:\n  default: x\n')
})

test('[U-198] an invalid value keeps the old one and explains', () => {
  const home = aHome('ui: {theme: dark}\n')
  const config = new Config(home)
  expect(config.set('ui.theme', 'pink', null)).toMatchObject({
    ok: false,
    refusal: { code: 'invalid_params', message: expect.stringMatching(/^ui\.theme: .+ The old value stays\.$/) },
  })
  expect(config.set('ui.thme', 'dark', null)).toMatchObject({
    ok: false,
    refusal: { next: expect.stringContaining('ui.theme') },
  })
  expect(textOf(home)).toBe('ui: {theme: dark}\n')
})

test('[kernel 8.3] a write on an old revision is refused with the current value', () => {
  const config = new Config(aHome())
  const base = config.revision
  const first = config.set('ui.theme', 'dark', base)
  expect(first).toMatchObject({ ok: true, value: { revision: base + 1 } })
  expect(config.set('ui.theme', 'light', base)).toMatchObject({
    ok: false,
    refusal: { code: 'stale_revision', data: { revision: base + 1, value: 'dark' } },
  })
  expect(config.set('ui.theme', 'light', base + 1).ok).toBe(true)
})

test('[cli 4] what another program writes is noticed when somebody asks, in the root too', () => {
  const root = aHome('ui: {theme: dark}\n')
  const config = new Config(aHome(undefined, 'work', root.root))
  const heard: number[] = []
  const stop = config.onChange(() => heard.push(config.revision))
  const before = config.revision
  writeFileSync(configFile(root), 'ui: {theme: light}\n')
  expect(config.get('ui.theme')).toBe('light')
  expect(config.revision).toBe(before + 1)
  expect(heard).toEqual([before + 1])
  stop()
  config.set('ui.theme', 'system', null)
  expect(heard).toHaveLength(1)
})

test.skipIf(process.platform === 'win32')('[cli 4] a write keeps the mode of the file, and a link a link', () => {
  const home = aHome()
  const elsewhere = join(tempFolder(), 'dotfiles.yaml')
  writeFileSync(elsewhere, 'ui: {theme: dark}\n')
  chmodSync(elsewhere, 0o664)
  symlinkSync(elsewhere, configFile(home))
  expect(new Config(home).set('ui.theme', 'light', null).ok).toBe(true)
  expect(lstatSync(configFile(home)).isSymbolicLink()).toBe(true)
  expect(readFileSync(elsewhere, 'utf8')).toContain('light')
  expect(statSync(elsewhere).mode & 0o777).toBe(0o664)
})

test('[cli 4] typed text is JSON where that fits the key, and itself where not', () => {
  expect(typedValue('agent.max_turns', '200')).toBe(200)
  expect(typedValue('model.default', '200')).toBe('200')
  expect(typedValue('approvals.deny', '["rm *"]')).toEqual(['rm *'])
  expect(typedValue('ui.spell_check', 'false')).toBe(false)
  expect(typedValue('ui.theme', 'dark')).toBe('dark')
  expect(
    new Config(aHome(), {}, { HERMA_MODEL_DEFAULT: '4', HERMA_UI_SPELL_CHECK: 'false' }).get('model.default'),
  ).toBe('4')
})

test('[cli 4] whatever is set is read back by the next process, and what was there stays', () => {
  const word = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed())
  const change = fc.oneof(
    fc.tuple(fc.constant<ConfigKey>('model.default'), word),
    fc.tuple(fc.constant<ConfigKey>('approvals.deny'), fc.array(word, { maxLength: 3 })),
    fc.tuple(fc.constant<ConfigKey>('agent.max_turns'), fc.integer({ min: 1, max: 1e6 })),
    fc.tuple(fc.constant<ConfigKey>('compression.threshold'), fc.double({ min: 0, max: 1, noNaN: true })),
    fc.tuple(fc.constant<ConfigKey>('ui.tools.reads'), fc.constantFrom('collapsed', 'open')),
  )
  const root = tempFolder()
  let home = 0
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const place = aHome('# kept\nother: [1, 2] # this too\n', 'default', join(root, String(++home)))
      const expected = new Map<ConfigKey, Json>()
      for (const [key, value] of changes) {
        expect(new Config(place).set(key, value as Json, null).ok).toBe(true)
        expected.set(key, value as Json)
      }
      const next = new Config(place)
      for (const [key, value] of expected) expect(next.entry(key)).toEqual({ key, value, source: 'file' })
      expect(textOf(place)).toMatch(/^# kept\nother: \[ 1, 2 \] # this too\n/)
      expect(next.findings().map(({ kind }) => kind)).toEqual(['unknown'])
    }),
    { numRuns: 25 },
  )
})
