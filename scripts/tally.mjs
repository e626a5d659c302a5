/** Sums what the runners report. A runner that broke down counts as one failed test: silence is never a pass. */
import { textOf } from './install.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/**
 * @param {string} file Vitest's JSON report
 * @param {number} code how Vitest ended
 * @returns {Tally}
 */
export function tallyVitest(file, code) {
  const report = parsed(file)
  if (report === null) return brokenDown(code)
  // A test file that could not even be loaded has no tests in the report, only a status.
  const unloaded = (report.testResults ?? []).filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ suite) =>
      suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length
  return withCode(
    {
      passed: report.numPassedTests ?? 0,
      failed: (report.numFailedTests ?? 0) + unloaded,
      skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
    },
    code,
  )
}

/**
 * @param {string} file Playwright's JSON report
 * @param {number} code how Playwright ended
 * @returns {Tally}
 */
export function tallyPlaywright(file, code) {
  const stats = parsed(file)?.stats
  if (stats === undefined) return brokenDown(code)
  return withCode(
    { passed: (stats.expected ?? 0) + (stats.flaky ?? 0), failed: stats.unexpected ?? 0, skipped: stats.skipped ?? 0 },
    code,
  )
}

/**
 * @param {string} file Playwright's JSON report of `--list`
 * @returns {number} how many tests there are; at least 1, since a list that cannot be read hides some
 */
export function countListed(file) {
  const count = (/** @type {any} */ suite) =>
    (suite.specs ?? []).reduce((/** @type {number} */ n, /** @type {any} */ spec) => n + spec.tests.length, 0) +
    (suite.suites ?? []).reduce((/** @type {number} */ n, /** @type {any} */ inner) => n + count(inner), 0)
  return Math.max(1, count(parsed(file) ?? {}))
}

/** @param {readonly Tally[]} tallies @returns {Tally} */
export const sum = (tallies) =>
  tallies.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    { passed: 0, failed: 0, skipped: 0 },
  )

/** The one line that every reader of a build log knows. @param {Tally} tally */
export const line = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/** @param {number} code @returns {Tally} */
const brokenDown = (code) => ({ passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 })

/** An error outside of any test ends a runner badly with all tests passed. @param {Tally} tally @param {number} code */
const withCode = (tally, code) => (code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally)

/** @param {string} file @returns {any} null when there is no report, or a damaged one */
function parsed(file) {
  try {
    return JSON.parse(textOf(file) ?? '')
  } catch {
    return null // the runner died before or while it wrote
  }
}
