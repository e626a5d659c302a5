import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findHome, type Home, prepareHome, stateFile, workspaceOf } from '../../src/main/host/home.ts'
import { tempFolder } from '../support/temp-home.ts'

const found = (env: Record<string, string>, flags: { home?: string; profile?: string } = {}): Home => {
  const home = findHome(env, flags)
  if (!home.ok) throw new Error(home.refusal.message)
  return home.value
}
const isRoot = process.getuid?.() === 0

test('[session-db 1.5] under test the default home is refused, with the variable that mends it', () => {
  for (const env of [{ VITEST: 'true' }, { HERMA_TEST: '1' }, { HERMA_TEST: '1', HERMA_HOME: '' }])
    expect(findHome(env)).toMatchObject({ ok: false, refusal: { next: expect.stringContaining('HERMA_HOME') } })
})

test('[cli 3] a flag speaks before the variable, and an empty variable is an unset one', () => {
  const [one, two] = [tempFolder(), tempFolder()]
  expect(found({ HERMA_HOME: one }).path).toBe(one)
  expect(found({ HERMA_HOME: one }, { home: two }).path).toBe(two)
  expect(found({ HERMA_HOME: one, HERMA_PROFILE: '' })).toMatchObject({ path: one, profile: 'default' })
  expect(found({ HERMA_HOME: one }, { home: '' }).path).toBe(one)
})

test('[cli 3] another profile is a home below the root', () => {
  const root = tempFolder()
  const path = join(root, 'profiles', 'work')
  expect(found({ HERMA_HOME: root, HERMA_PROFILE: 'work' })).toEqual({ root, path, profile: 'work' })
  expect(found({ HERMA_HOME: root, HERMA_PROFILE: 'work' }, { profile: 'default' }).path).toBe(root)
  for (const name of ['../work', 'Work', 'a/b', '-x'])
    expect(findHome({}, { home: root, profile: name })).toMatchObject({
      ok: false,
      refusal: { code: 'invalid_params' },
    })
})

test('[cli 3] looking makes nothing; the first write makes folders that only their owner can open', () => {
  const root = join(tempFolder(), 'deep', 'home')
  const home = found({}, { home: root, profile: 'work' })
  expect([stateFile(home), workspaceOf(home)].map((path) => path.startsWith(home.path))).toEqual([true, true])
  expect(existsSync(join(root, '..'))).toBe(false)

  expect(prepareHome(home)).toEqual({ ok: true, value: home })
  expect(prepareHome(home)).toEqual({ ok: true, value: home })
  expect(readdirSync(home.path).sort()).toEqual(['backups', 'cache', 'logs', 'run'])
  for (const path of [root, home.path, join(home.path, 'run')]) expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('[CLI-09] a home that is a file, or lies in one, is refused by name and left as it is', () => {
  const file = join(tempFolder(), 'notes.txt')
  writeFileSync(file, 'mine')
  for (const home of [file, join(file, 'home')])
    expect(findHome({}, { home })).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining(home), next: expect.stringContaining('--home') },
    })
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('[CLI-09] a profile that is a file is refused as well', () => {
  const root = tempFolder()
  mkdirSync(join(root, 'profiles'))
  writeFileSync(join(root, 'profiles', 'work'), '')
  expect(findHome({}, { home: root, profile: 'work' })).toMatchObject({ ok: false })
})

test('[CLI-09] a home that cannot be finished is taken away again', () => {
  const root = join(tempFolder(), 'home')
  mkdirSync(root)
  writeFileSync(join(root, 'logs'), 'not a folder')
  const refused = prepareHome(found({}, { home: root }))
  expect(refused).toMatchObject({ ok: false, refusal: { code: 'db_readonly', next: expect.any(String) } })
  expect(readdirSync(root)).toEqual(['logs'])
})

// /proc takes no folder from anybody, which is a read-only disk to us.
test.runIf(process.platform === 'linux')('[CLI-09] a place that takes no folder is refused by name', () => {
  const home = found({}, { home: '/proc/herma/home' })
  expect(prepareHome(home)).toMatchObject({
    ok: false,
    refusal: { code: 'db_readonly', message: expect.stringContaining('/proc/herma/home') },
  })
})

test.skipIf(isRoot)('[CLI-09] a read-only folder and an unreadable home are refused by name', () => {
  const parent = tempFolder()
  mkdirSync(join(parent, 'closed'))
  chmodSync(join(parent, 'closed'), 0)
  expect(findHome({}, { home: join(parent, 'closed') })).toMatchObject({ ok: false })
  chmodSync(parent, 0o500)
  expect(prepareHome(found({}, { home: join(parent, 'home') }))).toMatchObject({
    ok: false,
    refusal: { code: 'db_readonly' },
  })
  chmodSync(parent, 0o700)
  expect(readdirSync(parent)).toEqual(['closed'])
})
