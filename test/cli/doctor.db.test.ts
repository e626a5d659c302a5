import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aConversation, answered, aStartedTurn, aStore } from '../support/session-store.ts'
import { tempFolder } from '../support/temp-home.ts'
import { aHomeFolder } from './support/herma.ts'
import { runHere } from './support/in-process.ts'

interface Checkup {
  readonly ok: boolean
  readonly checks: readonly { id: string; ok: boolean; detail: string }[]
  readonly violations: readonly unknown[]
  readonly fault_points: readonly string[]
}
async function doctor(home: string, ...flags: string[]): Promise<Checkup & { code: number | null; failed: string[] }> {
  const ended = await runHere(['doctor', '--json', ...flags], { home })
  const found = ended.json() as Checkup
  // Whether the screens are built is a fact of the checkout, not of the home.
  return {
    ...found,
    code: ended.code,
    failed: found.checks.flatMap(({ id, ok }) => (ok || id === 'screens' ? [] : [id])),
  }
}

test('[CLI-10] doctor answers with one document, and looks without making anything', async () => {
  const home = aHomeFolder()
  const found = await doctor(home)
  expect(found.failed).toEqual([])
  expect(found.ok).toBe(found.checks.every(({ ok }) => ok))
  expect(found.code).toBe(found.ok ? 0 : 1)
  expect(found.checks.map(({ id }) => id)).toEqual([
    'node',
    'home',
    'config',
    'sqlite',
    'database',
    'screens',
    'electron',
    'browser',
  ])
  expect(found.checks.find(({ id }) => id === 'database')?.detail).toBe('none yet')
  expect(found.violations).toEqual([])
  expect(found.fault_points).toEqual(
    expect.arrayContaining(['admission.submit.before', 'admission.submit.after', 'stage.prologue.before']),
  )
  expect(() => doctorMade(home)).toThrow('ENOENT')
})
const doctorMade = (home: string): void => writeFileSync(join(home, 'x'), '')

test('[cli 2] doctor --deep asks the whole database and names what breaks a rule', async () => {
  const home = tempFolder()
  const bench = await aStore(home)
  const lease = await aStartedTurn(bench, await aConversation(bench))
  await answered(bench, lease, 'fine')
  const sound = await doctor(home, '--deep')
  expect([sound.failed, sound.violations]).toEqual([[], []])
  expect(sound.checks.find(({ id }) => id === 'database')?.detail).toBe('integrity_check: ok, 1 conversations')

  await bench.store.write('break', 'routine', (db) => db.exec('update sessions set message_count = 99'))
  const broken = await doctor(home, '--deep')
  expect(broken.violations).toEqual([expect.objectContaining({ rule: 'I14', table: 'sessions' })])
  expect([broken.ok, broken.code]).toEqual([false, 1])
})

test('[CLI-09] doctor tells what is wrong with a home instead of failing on it', async () => {
  const file = join(tempFolder(), 'notes.txt')
  writeFileSync(file, 'mine')
  expect(await doctor(file)).toMatchObject({ code: 1, ok: false, failed: ['home'] })

  const home = tempFolder()
  writeFileSync(join(home, 'config.yaml'), 'a: [\n')
  writeFileSync(join(home, 'state.db'), 'not a database, and longer than a header of one hundred bytes '.repeat(3))
  expect(await doctor(home)).toMatchObject({ code: 1, failed: ['config', 'database'] })

  mkdirSync(join(home, 'other'))
  writeFileSync(join(home, 'other', 'config.yaml'), 'cron: {tick: 1}\n')
  const unknown = await doctor(join(home, 'other'))
  expect(unknown.failed).toEqual([])
  expect(unknown.checks.find(({ id }) => id === 'config')?.detail).toContain('cron.tick')
})
