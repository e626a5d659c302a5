import { expect, test } from 'vitest'
import { findBrowser } from '../../scripts/browser.mjs'
import { aCheckout, type Checkout } from './checkout.ts'

interface Outcome {
  readonly report?: unknown
  readonly code?: number
}
const suite = (specs: number) => ({ suites: [{ specs: Array.from({ length: specs }, () => ({ tests: [{}] })) }] })

/** Puts runners into the checkout that report what the test says and log how they were called. */
async function checkoutWith({
  vitest,
  playwright,
  listed = 4,
}: {
  vitest: Outcome
  playwright: Outcome
  listed?: number
}) {
  const checkout = await aCheckout('built')
  const runner = (name: string, target: string, { report, code = 0 }: Outcome): string => `
import { appendFileSync, writeFileSync } from 'node:fs'
const args = process.argv.slice(2)
appendFileSync('calls.log', ${JSON.stringify(name)} + ' ' + args.filter((a) => !a.startsWith('--')).join(' ') + '\\n')
const list = args.includes('--list')
const report = list ? ${JSON.stringify(suite(listed))} : ${JSON.stringify(report ?? null)}
if (report) writeFileSync(${target}, JSON.stringify(report))
process.exit(list ? 0 : ${code})`
  const vitestTarget = "args.find((a) => a.startsWith('--outputFile.json=')).slice(18)"
  checkout.write('node_modules/vitest/vitest.mjs', runner('vitest', vitestTarget, vitest))
  checkout.write('node_modules/@playwright/package.json', '{"type":"module"}')
  checkout.write(
    'node_modules/@playwright/test/cli.js',
    runner('playwright', 'process.env.PLAYWRIGHT_JSON_OUTPUT_FILE', playwright),
  )
  return checkout
}
const allPassed = (n: number) => ({ numPassedTests: n, numFailedTests: 0, numPendingTests: 0, testResults: [] })
const stats = (expected: number, unexpected = 0, skipped = 0) => ({
  stats: { expected, unexpected, skipped, flaky: 0 },
})
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''
const withBrowser = (checkout: Checkout) => {
  checkout.write('fake/browser', '#!/bin/sh\n', 0o755)
  return { HERMA_CHROMIUM: `${checkout.root}/fake/browser` }
}

test.each<[string, Outcome, Outcome, string, number]>([
  ['both green', { report: allPassed(7) }, { report: stats(3) }, '10 passed, 0 failed', 0],
  ['some skipped', { report: allPassed(7) }, { report: stats(3, 0, 2) }, '10 passed, 0 failed, 2 skipped', 0],
  [
    'one of each failed',
    { report: { ...allPassed(7), numFailedTests: 1 }, code: 1 },
    { report: stats(3, 1), code: 1 },
    '10 passed, 2 failed',
    1,
  ],
  ['a runner that broke down', { code: 134 }, { report: stats(3) }, '3 passed, 1 failed', 1],
  ['an error outside of any test', { report: allPassed(7), code: 1 }, { report: stats(3) }, '10 passed, 1 failed', 1],
  [
    'a test file that could not be loaded',
    { report: { ...allPassed(7), testResults: [{ status: 'failed', assertionResults: [] }] }, code: 1 },
    { report: stats(3) },
    '10 passed, 1 failed',
    1,
  ],
])('[CLI-01] the last line sums all runners: %s', async (_what, vitest, playwright, line, code) => {
  const checkout = await checkoutWith({ vitest, playwright })
  const ended = await checkout.run(['scripts/test.mjs'], withBrowser(checkout))
  expect(lastLine(ended.stdout)).toBe(line)
  expect(ended.code).toBe(code)
})

test('[CLI-01] --only and file words reach the runners', async () => {
  const checkout = await checkoutWith({ vitest: { report: allPassed(1) }, playwright: { report: stats(1) } })
  await checkout.run(['scripts/test.mjs', '--only', 'unit', 'test/sessions'], withBrowser(checkout))
  await checkout.run(['scripts/test.mjs', '--only=e2e', 'chat'], withBrowser(checkout))
  expect(checkout.read('calls.log').trim().split('\n')).toEqual(['vitest run test/sessions', 'playwright test chat'])
  expect((await checkout.run(['scripts/test.mjs', '--only', 'all'])).code).toBe(2)
})

test('[CLI-01] words that match no test are no success', async () => {
  const checkout = await checkoutWith({ vitest: {}, playwright: {} })
  const { code, stdout, stderr } = await checkout.run(['scripts/test.mjs', 'nosuch'], withBrowser(checkout))
  expect(code).toBe(1)
  expect(lastLine(stdout)).toBe('0 passed, 0 failed')
  expect(stderr).toContain('No test file matches nosuch')
})

test('[CLI-01] without a browser the browser tests count as failed, and it says what it looked for', async () => {
  const checkout = await checkoutWith({ vitest: { report: allPassed(7) }, playwright: { report: stats(3) } })
  const { code, stdout, stderr } = await checkout.run(['scripts/test.mjs'], { HERMA_CHROMIUM: '/nowhere/chromium' })
  expect(lastLine(stdout)).toBe('7 passed, 4 failed')
  expect(code).toBe(1)
  expect(stderr).toContain('/nowhere/chromium')
})

test('[CLI-01] HERMA_NO_BROWSER=1 leaves them out in plain sight', async () => {
  const checkout = await checkoutWith({ vitest: { report: allPassed(7) }, playwright: { report: stats(3) } })
  const { code, stdout } = await checkout.run(['scripts/test.mjs'], { HERMA_NO_BROWSER: '1' })
  expect(lastLine(stdout)).toBe('7 passed, 0 failed, 4 skipped')
  expect(code).toBe(0)
})

test("[CLI-01] an installed browser is preferred to Playwright's own, which is better than none", async () => {
  const checkout = await aCheckout('installed')
  const own = 'cache/chromium-1200/chrome-linux64/chrome'
  checkout.write(own, '', 0o755)
  const env = { PATH: `${checkout.root}/bin-of-machine`, PLAYWRIGHT_BROWSERS_PATH: `${checkout.root}/cache` }
  expect(findBrowser(env, 'linux')).toBe(`${checkout.root}/${own}`)
  checkout.write('bin-of-machine/google-chrome', '', 0o755)
  expect(findBrowser(env, 'linux')).toBe(`${checkout.root}/bin-of-machine/google-chrome`)
  checkout.write('bin-of-machine/chromium', '', 0o644)
  expect(findBrowser(env, 'linux')).toBe(`${checkout.root}/bin-of-machine/google-chrome`)
  expect(findBrowser({ PATH: '', PLAYWRIGHT_BROWSERS_PATH: '/nowhere' }, 'linux')).toBe(null)
})
