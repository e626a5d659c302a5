/**
 * The packages of the lock file: are they there, and bringing them when not. npm's own record of an installation
 * (`node_modules/.package-lock.json`) serves as the stamp: npm writes it last, so an installation that was cut off has
 * none, and one made by hand counts as well.
 */
import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INTERRUPTED, run, say } from './child.mjs'

/** Optional packages are asked for by name: one of them is the Node that does the work. */
const NPM_CI = [
  'ci',
  '--no-fund',
  '--no-audit',
  '--ignore-scripts',
  '--loglevel=error',
  '--include=dev',
  '--include=optional',
]
/** A registry that stumbles once is common; twice is news for a person. */
const ATTEMPTS = 2

/**
 * @param {string} root the checkout
 * @returns {'ready' | 'missing' | 'broken' | 'stale' | 'foreign'} `broken`: cut off or partly deleted; `stale`: of another
 *   lock file; `foreign`: for another kind of machine (a folder shared with a container). Throws when there is no lock file
 */
export function installState(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  if (wanted === null)
    throw new Error('package-lock.json is gone or damaged. Restore it: git checkout package-lock.json')
  if (!existsSync(join(root, 'node_modules'))) return 'missing'
  const present = packagesOf(join(root, 'node_modules/.package-lock.json'))
  if (present === null) return 'broken'
  const platform = textOf(join(root, 'node_modules/.herma-platform'))
  if (platform !== null && platform !== kindOfMachine()) return 'foreign'
  if (!isSame(wanted, present)) return 'stale'
  const whole = Object.keys(present).every((path) => path === '' || existsSync(join(root, path, 'package.json')))
  return whole ? 'ready' : 'broken'
}

/**
 * Installs from the lock file. No install script runs: none is needed, and an older npm would otherwise try to compile
 * better-sqlite3, which brings its binaries along.
 * @param {string} root the checkout
 * @param {string} why shown to the person who waits
 * @returns {Promise<void>} rejects with npm's words and the next step
 */
export async function installPackages(root, why) {
  const folder = join(root, 'node_modules')
  // npm empties the folder it installs into, and it would follow the link to do so.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(
      `${folder} is a link to ${readlinkSync(folder)}, and packages have to be installed (${why}), which would empty that ` +
        'folder. Nothing was touched. Install there, or remove the link, then run the same command again.',
    )
  say(`Installing packages from the lock file (${why}); this takes a minute or more…`)
  let output = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { command, first } = npm()
    const ended = await run(command, [...first, ...NPM_CI], { cwd: root })
    if (ended.code === 0) return writeFileSync(join(root, 'node_modules/.herma-platform'), kindOfMachine())
    if (ended.code === INTERRUPTED) process.exit(INTERRUPTED)
    output = ended.output
  }
  throw new Error(
    `${output.trim()}\n\nThe packages could not be installed. Nothing else was touched; run the same command again.`,
  )
}

/** @param {string} file @returns {string | null} its text, or null when there is none */
export function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }>} Packages */

/** Parts for other platforms are in the lock file and left out by npm without a word. @param {Packages} wanted @param {Packages} present */
function isSame(wanted, present) {
  for (const path of Object.keys(present)) if (!(path in wanted)) return false
  return Object.entries(wanted).every(([path, entry]) => {
    const there = present[path]
    if (path === '') return true
    if (there === undefined) return entry.optional === true || entry.devOptional === true
    return there.version === entry.version && there.integrity === entry.integrity
  })
}

/** @param {string} file a lock file @returns {Packages | null} null when it is not there or not whole */
function packagesOf(file) {
  const text = textOf(file)
  if (text === null) return null
  try {
    return JSON.parse(text).packages ?? null
  } catch {
    return null // cut off while it was written
  }
}

/** The npm that started us, so that its settings hold; else the one on the path. */
function npm() {
  const ours = process.env['npm_execpath']
  if (ours?.endsWith('.js') && existsSync(ours)) return { command: process.execPath, first: [ours] }
  // Windows starts a .cmd only through its shell.
  return process.platform === 'win32' ? { command: 'cmd', first: ['/d', '/c', 'npm'] } : { command: 'npm', first: [] }
}

const kindOfMachine = () => `${process.platform}-${process.arch}`
