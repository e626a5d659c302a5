/** The build: is it that of these sources, and making it when not. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INTERRUPTED, run, say } from './child.mjs'
import { textOf } from './install.mjs'

const SOURCES = ['src', 'resources', 'electron.vite.config.ts', 'package.json', 'package-lock.json']
const OUTPUTS = ['out/main/index.js', 'out/main/herma.js', 'out/preload/index.cjs', 'out/renderer/index.html']
const STAMP = 'out/.stamp.json'

/**
 * @param {string} root the checkout
 * @returns {'fresh' | 'stale' | 'missing'} `stale` also when somebody built since without leaving a stamp: what such a
 *   build was made of is not known
 */
export function buildState(root) {
  if (!OUTPUTS.every((file) => existsSync(join(root, file)))) return 'missing'
  return textOf(join(root, STAMP)) === stampOf(root, sourcesHash(root)) ? 'fresh' : 'stale'
}

/**
 * Builds the three parts.
 * @param {string} root the checkout
 * @param {string} node the Node that does the work
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<void>} rejects with the bundler's words
 */
export async function buildApp(root, node, env) {
  say('Building…')
  // Taken before: a file that changes while the bundler runs makes the result stale again.
  const sources = sourcesHash(root)
  rmSync(join(root, STAMP), { force: true })
  const bundler = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const { code, output } = await run(node, [bundler, 'build', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...env, NODE_ENV: 'production' },
  })
  if (code === INTERRUPTED) process.exit(INTERRUPTED)
  if (code !== 0)
    throw new Error(
      `${output.trim()}\n\nThe build failed. Correct what is named above, then run the same command again.`,
    )
  writeFileSync(join(root, STAMP), stampOf(root, sources))
}

/** @param {string} root @param {string} sources */
const stampOf = (root, sources) =>
  JSON.stringify({ sources, outputs: OUTPUTS.map((file) => Math.round(statSync(join(root, file)).mtimeMs)) })

/** One hash over the names and bytes of everything the build is made of. @param {string} root */
function sourcesHash(root) {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((source) => filesAt(root, source))) {
    const bytes = readFileSync(join(root, file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

/** @param {string} root @param {string} path @returns {string[]} the file itself, or all below a folder, in one order everywhere */
function filesAt(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesAt(root, `${path}/${name}`))
}
