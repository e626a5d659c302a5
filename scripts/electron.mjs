/** Can a window open here, and with which binary? Electron's npm package holds no binary; it is fetched on first use. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { INTERRUPTED, run, say } from './child.mjs'
import { textOf } from './install.mjs'

const DOWNLOADS = 'https://github.com/electron/electron/releases/download/'
/** To find out whether the download host answers at all. Longer, and a closed network would be felt at each start. */
const REACH_LIMIT_MS = 6_000
/** For some 120 MB, once; a slow line is not a closed one. */
const FETCH_LIMIT_MS = 15 * 60_000

/**
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null} why no window can be shown, or null
 */
export function withoutDisplay(platform, env) {
  if (platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return null
  return 'this machine has no display (neither DISPLAY nor WAYLAND_DISPLAY is set)'
}

/**
 * Finds Electron's binary: the one that is named, the one that is there, or one try to fetch it.
 * @param {string} root the checkout
 * @param {string} node the Node to fetch with
 * @param {NodeJS.ProcessEnv} env `HERMA_ELECTRON` names another binary; `HERMA_OFFLINE`, `npm_config_offline` and
 *   `ELECTRON_SKIP_BINARY_DOWNLOAD` forbid fetching
 * @returns {Promise<{ binary: string } | { reason: string }>}
 */
export async function findElectron(root, node, env) {
  const named = env['HERMA_ELECTRON']
  if (named)
    return existsSync(named) ? { binary: named } : { reason: `HERMA_ELECTRON names ${named}, which is not there` }
  const there = installedElectron(root, env)
  if (there !== null) return { binary: there }
  const missing = "Electron's binary is not installed"
  if (env['HERMA_OFFLINE'] || env['ELECTRON_SKIP_BINARY_DOWNLOAD'] || env['npm_config_offline'] === 'true')
    return { reason: `${missing} and fetching it is switched off` }
  const closed = await unreachable(env)
  if (closed !== null) return { reason: `${missing} and ${closed}` }
  say('Fetching Electron (once, about 120 MB)…')
  const installer = join(root, 'node_modules/electron/install.js')
  const { code, output } = await run(node, [installer], { cwd: root, env, limitMs: FETCH_LIMIT_MS })
  if (code === INTERRUPTED) process.exit(INTERRUPTED)
  const fetched = installedElectron(root, env)
  if (code === 0 && fetched !== null) return { binary: fetched }
  const why = output.split('\n').find((line) => /error/i.test(line)) ?? `its installer ended with ${code}`
  return { reason: `${missing} and could not be fetched (${why.trim()})` }
}

/** @param {string} root @param {NodeJS.ProcessEnv} env @returns {string | null} as Electron's installer records it */
function installedElectron(root, env) {
  const name = textOf(join(root, 'node_modules/electron/path.txt'))
  if (name === null) return null
  const binary = join(env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(root, 'node_modules/electron/dist'), name.trim())
  return existsSync(binary) ? binary : null
}

/**
 * Any answer of the host will do. Behind a proxy that only the downloader knows, there is nothing to ask.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | null>} why not, or null
 */
async function unreachable(env) {
  if (env['ELECTRON_GET_USE_PROXY']) return null
  const address = env['ELECTRON_MIRROR'] || env['npm_config_electron_mirror'] || DOWNLOADS
  try {
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(REACH_LIMIT_MS) })
    return null
  } catch (error) {
    const { cause, name } = /** @type {{ cause?: { code?: string }, name?: string }} */ (error)
    return `${URL.canParse(address) ? new URL(address).host : address} cannot be reached (${cause?.code ?? name})`
  }
}
