// Written in the syntax of Node 12 on purpose: an older Node must reach the sentence below instead of a syntax error.

/** What the set-up scripts themselves need: the oldest line that still gets fixes. */
export const FLOOR_MAJOR = 20
/** What the work needs: `module.registerHooks` (the test harness) and the Node-API level of the SQLite binding. */
export const WORK_VERSION = '22.15.0'

/**
 * @param {string} version as in `process.versions.node`
 * @returns {string | null} one line saying why nothing can start, or null
 */
export function tooOldToStart(version) {
  if (Number(version.split('.')[0]) >= FLOOR_MAJOR) return null
  return (
    'Herma needs Node ' +
    FLOOR_MAJOR +
    ' or newer to set itself up, and this is ' +
    version +
    '. Install Node 24 from https://nodejs.org and run the same command again.'
  )
}

/**
 * @param {string} version as in `process.versions.node`
 * @returns {boolean} whether Herma itself can run on it
 */
export function canWork(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantMajor = 0, wantMinor = 0] = WORK_VERSION.split('.').map(Number)
  return major > wantMajor || (major === wantMajor && minor >= wantMinor)
}

/** Ends the process with one line when this Node is too old to go on. */
export function gate() {
  const refusal = tooOldToStart(process.versions.node)
  if (refusal === null) return
  process.stderr.write(`${refusal}\n`)
  process.exit(1)
}
