import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildState } from '../../scripts/build.mjs'
import { aCheckout, type Checkout } from './checkout.ts'

const SET_UP = ['-e', 'import("./scripts/ensure.mjs").then((m) => m.ensure({ build: true }))']

describe('is the build that of these sources', () => {
  const cases: [string, (c: Checkout) => void, string][] = [
    ['nothing changed', () => {}, 'fresh'],
    ['a source edited', (c) => c.write('src/main/app/index.ts', 'export const a = 1'), 'stale'],
    ['a source added', (c) => c.write('src/main/app/more.ts', ''), 'stale'],
    ['a resource added', (c) => c.write('resources/icon.svg', '<svg/>'), 'stale'],
    [
      'a source renamed with the same bytes',
      (c) => rename(c, 'src/main/app/index.ts', 'src/main/app/main.ts'),
      'stale',
    ],
    ['another version in package.json', (c) => c.write('package.json', '{"version":"2.0.0"}'), 'stale'],
    ['a test edited', (c) => c.write('test/some.test.ts', ''), 'fresh'],
    ['an output deleted', (c) => rmSync(join(c.root, 'out/main/index.js')), 'missing'],
    ['built by hand since', (c) => utimesSync(join(c.root, 'out/main/index.js'), 1, 1), 'stale'],
    ['the stamp damaged', (c) => c.write('out/.stamp.json', '{'), 'stale'],
  ]
  test.each(cases)('[CLI-01] %s', async (_what, change, state) => {
    const checkout = await aCheckout('built')
    change(checkout)
    expect(buildState(checkout.root)).toBe(state)
  })
})

test('[CLI-01] builds when stale and not again', async () => {
  const checkout = await aCheckout('installed')
  await checkout.run(SET_UP)
  await checkout.run(SET_UP)
  expect(checkout.read('builds.log')).toBe('built\n')
})

test("[CLI-01] a build that fails ends with the bundler's words, and the next run tries again", async () => {
  const checkout = await aCheckout('installed')
  const { code, stderr } = await checkout.run(SET_UP, { BUNDLER_FAILS: '1' })
  expect(code).toBe(1)
  expect(stderr).toContain('cannot resolve ./gone.ts')
  expect((await checkout.run(SET_UP)).code).toBe(0)
  expect(buildState(checkout.root)).toBe('fresh')
})

function rename(checkout: Checkout, from: string, to: string): void {
  checkout.write(to, checkout.read(from))
  rmSync(join(checkout.root, from))
}
