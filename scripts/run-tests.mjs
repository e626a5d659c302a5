/**
 * All tests, whatever is needed for them, and one line at the end.
 *
 *     npm test                              everything
 *     npm test -- --only unit               without the browser (`--only e2e`: only the browser)
 *     npm test -- test/sessions leases      only files whose path holds one of the words
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { foreground, INTERRUPTED, run, say, TERMINATED } from './child.mjs'
import { ensure, ROOT } from './ensure.mjs'
import { countListed, line, sum, tallyPlaywright, tallyVitest } from './tally.mjs'

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const PLAYWRIGHT = join(ROOT, 'node_modules/@playwright/test/cli.js')

/**
 * @typedef {{ node: string, env: NodeJS.ProcessEnv, filters: string[], reports: string }} Run
 * @typedef {import('./tally.mjs').Tally} Tally
 */

/** @param {readonly string[]} argv @returns {Promise<never>} ends the process: 0 when nothing failed and something ran */
export async function runTests(argv) {
  const { only, filters } = parse(argv)
  const { node, env } = await ensure({ build: true })
  const reports = mkdtempSync(join(tmpdir(), 'herma-reports-'))
  process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
  const tests = { node, env, filters, reports }
  /** @type {Tally[]} */
  const tallies = []
  if (only !== 'e2e') tallies.push(await unitTests(tests))
  if (only !== 'unit') tallies.push(await browserTests(tests))
  const total = sum(tallies)
  if (total.passed + total.failed === 0 && total.skipped === 0) say(`No test file matches ${filters.join(' ')}.`)
  process.stdout.write(`${line(total)}\n`)
  process.exit(total.failed > 0 || total.passed + total.skipped === 0 ? 1 : 0)
}

/** @param {readonly string[]} argv @returns {{ only: string | null, filters: string[] }} */
function parse(argv) {
  /** @type {string | null} */
  let only = null
  const filters = []
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? ''
    if (arg === '--only' || arg.startsWith('--only=')) only = arg === '--only' ? (argv[++i] ?? '') : arg.slice(7)
    else filters.push(arg)
  }
  if (only === null || only === 'unit' || only === 'e2e') return { only, filters }
  say(`--only takes unit or e2e, not "${only}".`)
  process.exit(2)
}

/** @param {Run} tests @returns {Promise<Tally>} */
async function unitTests({ node, env, filters, reports }) {
  const file = join(reports, 'vitest.json')
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, '--passWithNoTests']
  const code = await foreground(node, [VITEST, 'run', ...reporting, ...filters], { cwd: ROOT, env })
  stopIfInterrupted(code)
  return tallyVitest(file, code)
}

/** @param {Run} tests @returns {Promise<Tally>} */
async function browserTests(tests) {
  const { node, env, filters, reports } = tests
  if (env['HERMA_NO_BROWSER'] === '1') {
    say('Browser tests are left out: HERMA_NO_BROWSER=1.')
    return { passed: 0, failed: 0, skipped: await howMany(tests) }
  }
  const browser = await ensureBrowser()
  if (browser === null) return { passed: 0, failed: await howMany(tests), skipped: 0 }
  const file = join(reports, 'playwright.json')
  const code = await foreground(
    node,
    [PLAYWRIGHT, 'test', '--pass-with-no-tests', '--reporter=list,json', ...filters],
    {
      cwd: ROOT,
      env: { ...env, HERMA_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    },
  )
  stopIfInterrupted(code)
  return tallyPlaywright(file, code)
}

/** The browser tests that cannot run are counted, so that none goes missing. @param {Run} tests @returns {Promise<number>} */
async function howMany({ node, env, filters, reports }) {
  const file = join(reports, 'list.json')
  await run(node, [PLAYWRIGHT, 'test', '--list', '--reporter=json', ...filters], {
    cwd: ROOT,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  return countListed(file)
}

/** @param {number} code */
function stopIfInterrupted(code) {
  if (code === INTERRUPTED || code === TERMINATED) process.exit(code)
}
