import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installState } from '../../scripts/install.mjs'
import { canWork, tooOldToStart } from '../../scripts/node-version.mjs'
import { aCheckout, type Checkout } from './checkout.ts'

const SET_UP = ['-e', 'import("./scripts/ensure.mjs").then((m) => m.ensure({ build: false }))']

describe('which packages are there', () => {
  const cases: [string, (c: Checkout) => void, string][] = [
    ['all of the lock file', () => {}, 'ready'],
    ['none', (c) => rmSync(join(c.root, 'node_modules'), { recursive: true }), 'missing'],
    ['a folder whose install was cut off', (c) => rmSync(join(c.root, 'node_modules/.package-lock.json')), 'broken'],
    ['a lock that was cut off while written', (c) => c.write('node_modules/.package-lock.json', '{"pack'), 'broken'],
    ['one package deleted by hand', (c) => rmSync(join(c.root, 'node_modules/left'), { recursive: true }), 'broken'],
    [
      'another version than the lock file wants',
      (c) => c.write('package-lock.json', JSON.stringify({ packages: { 'node_modules/left': { version: '1.0.1' } } })),
      'stale',
    ],
    [
      'one that the lock file has dropped',
      (c) => c.write('package-lock.json', JSON.stringify({ packages: { '': {} } })),
      'stale',
    ],
    ['packages for another kind of machine', (c) => c.write('node_modules/.herma-platform', 'plan9-mips'), 'foreign'],
    [
      'all but an optional one of another platform',
      (c) => {
        const packages = JSON.parse(c.read('package-lock.json')).packages
        packages['node_modules/only-mac'] = { version: '1.0.0', optional: true }
        c.write('package-lock.json', JSON.stringify({ packages }))
      },
      'ready',
    ],
  ]
  test.each(cases)('[CLI-01] %s', async (_what, change, state) => {
    const checkout = await aCheckout('installed')
    change(checkout)
    expect(installState(checkout.root)).toBe(state)
  })
})

test('[CLI-01] a fresh clone installs exactly the lock file, once', async () => {
  const checkout = await aCheckout('fresh')
  const first = await checkout.run(SET_UP)
  const second = await checkout.run(SET_UP)
  expect([first.code, second.code]).toEqual([0, 0])
  expect(checkout.read('npm.log').trim().split('\n')).toEqual([
    'ci --no-fund --no-audit --ignore-scripts --loglevel=error --include=dev --include=optional',
  ])
  expect(second.stderr).toBe('')
})

test('[CLI-01] an install that fails once is tried again', async () => {
  const checkout = await aCheckout('fresh')
  const { code } = await checkout.run(SET_UP, { NPM_FAILS: '1' })
  expect(code).toBe(0)
  expect(installState(checkout.root)).toBe('ready')
})

test("[CLI-01] an install that fails twice ends with npm's words and the next step", async () => {
  const checkout = await aCheckout('fresh')
  const { code, stderr } = await checkout.run(SET_UP, { NPM_FAILS: '9' })
  expect(code).toBe(1)
  expect(stderr).toContain('npm error ECONNRESET')
  expect(stderr).toContain('run the same command again')
  expect(stderr).not.toContain('at ')
})

test('[CLI-01] an install that is told to stop is not tried again', async () => {
  const checkout = await aCheckout('fresh')
  const running = checkout.start(SET_UP, { NPM_HANGS: '1' })
  await running.said('Installing')
  await expect.poll(() => checkout.has('npm.log')).toBe(true)
  running.kill('SIGTERM')
  expect((await running.ended).code).toBe(130)
  expect(checkout.read('npm.log').trim().split('\n')).toHaveLength(1)
})

test('[CLI-01] packages of another checkout, reached through a link, are never emptied', async () => {
  const other = await aCheckout('installed')
  const checkout = await aCheckout('fresh')
  symlinkSync(join(other.root, 'node_modules'), join(checkout.root, 'node_modules'))
  expect((await checkout.run(SET_UP)).code).toBe(0)
  checkout.write('package-lock.json', JSON.stringify({ packages: { 'node_modules/left': { version: '2.0.0' } } }))
  const { code, stderr } = await checkout.run(SET_UP)
  expect(code).toBe(1)
  expect(stderr).toContain(`is a link to ${join(other.root, 'node_modules')}`)
  expect(checkout.has('npm.log')).toBe(false)
  expect(installState(other.root)).toBe('ready')
})

test('[CLI-01] a lock file that is gone is named, not guessed', async () => {
  const checkout = await aCheckout('installed')
  rmSync(join(checkout.root, 'package-lock.json'))
  const { code, stderr } = await checkout.run(SET_UP)
  expect(code).toBe(1)
  expect(stderr).toContain('git checkout package-lock.json')
})

test('[CLI-01] a Node below 20 is refused with one line, before anything else is loaded', async () => {
  const checkout = await aCheckout('fresh')
  checkout.write(
    'old-node.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })",
  )
  for (const script of ['start', 'test', 'check']) {
    const { code, stderr } = await checkout.run(['--require', './old-node.cjs', `scripts/${script}.mjs`])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Herma needs Node 20 or newer.*18\.20\.4.*\n$/)
  }
  expect(checkout.has('npm.log')).toBe(false)
})

test.each([
  ['18.20.4', false, false],
  ['20.0.0', true, false],
  ['22.14.9', true, false],
  ['22.15.0', true, true],
  ['24.21.0', true, true],
])('[CLI-01] Node %s: starts %s, works %s', (version, starts, works) => {
  expect(tooOldToStart(version) === null).toBe(starts)
  expect(canWork(version)).toBe(works)
})
