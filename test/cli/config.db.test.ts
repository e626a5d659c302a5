import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONFIG_KEY_NAMES } from '../../src/main/host/config/keys.ts'
import { aHomeFolder } from './support/herma.ts'
import { runHere } from './support/in-process.ts'

function aHomeWith(yaml: string): string {
  const home = aHomeFolder()
  mkdirSync(home)
  writeFileSync(join(home, 'config.yaml'), yaml)
  return home
}

test('[CLI-10] config prints one JSON document a verb, typed, with the source', async () => {
  const home = aHomeWith('agent: {max_turns: 20}\n')
  const get = async (key: string, env = {}) => (await runHere(['config', 'get', key, '--json'], { home, env })).json()
  expect(await get('agent.max_turns')).toEqual({ key: 'agent.max_turns', value: 20, source: 'file' })
  expect(await get('ui.theme')).toEqual({ key: 'ui.theme', value: 'system', source: 'default' })
  expect(await get('ui.theme', { HERMA_UI_THEME: 'dark' })).toMatchObject({ value: 'dark', source: 'environment' })
  expect((await runHere(['config', 'get', '--json'], { home })).json()).toHaveLength(CONFIG_KEY_NAMES.length)
  const set = await runHere(['config', 'set', 'agent.max_turns', '7', '--json'], { home })
  expect([set.code, set.json()]).toEqual([0, { key: 'agent.max_turns', value: 7, source: 'file' }])
  expect((await runHere(['config', 'path', '--json'], { home })).json()).toEqual({ path: join(home, 'config.yaml') })
  expect((await runHere(['config', 'check', '--json'], { home })).json()).toEqual({ ok: true, notices: [] })
})

test('[cli 2] the value alone is on stdout for a script; who spoke is beside it', async () => {
  const { stdout, stderr } = await runHere(['config', 'get', 'model.provider'], { home: aHomeFolder() })
  expect(stdout).toBe('demo\n')
  expect(stderr).toMatch(/^\(default\) /)
})

test('[cli 4] check tells what is not used: unknown keys are fine, unusable values and broken files are exit 1', async () => {
  const check = (yaml: string) => runHere(['config', 'check', '--json'], { home: aHomeWith(yaml) })
  const unknown = await check('cron: {tick: 5}\n')
  const wrong = await check('agent: {max_turns: many}\n')
  const broken = await check('a: [\n')
  expect([unknown.code, unknown.json()]).toEqual([0, { ok: true, notices: [expect.stringContaining('cron.tick')] }])
  expect([wrong.code, wrong.json()]).toEqual([1, { ok: false, notices: [expect.stringContaining('"many"')] }])
  expect([broken.code, broken.json()]).toEqual([1, { ok: false, notices: [expect.stringContaining('cannot be read')] }])
})

test('[CLI-11] a broken file is never written', async () => {
  const home = aHomeWith('a: [\n')
  const { code, stderr } = await runHere(['config', 'set', 'ui.theme', 'dark'], { home })
  expect(code).toBe(2)
  expect(stderr).toContain('Nothing was written')
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('a: [\n')
})
