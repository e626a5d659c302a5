/** Opens the desktop window; where none can open, says why in one line and serves the same app to a browser. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { codeOf, foreground, INTERRUPTED, passSignals, say, TERMINATED } from './child.mjs'
import { findElectron, withoutDisplay } from './electron.mjs'
import { ensure, ROOT } from './ensure.mjs'

/** An Electron that ends with an error this early has never shown a window (no sandbox, a missing library, root). */
const START_MS = 10_000

/**
 * @param {readonly string[]} argv passed on to whichever shell opens
 * @returns {Promise<never>} ends the process with the shell's exit code
 */
export async function openApp(argv) {
  const { node, env } = await ensure({ build: true })
  const reason = await tryWindow(node, env, argv)
  say(`No desktop window: ${reason}. Herma runs in your browser instead (Ctrl+C ends it):`)
  process.exit(await foreground(node, [join(ROOT, 'out/main/herma.js'), 'serve', ...argv], { cwd: process.cwd(), env }))
}

/**
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} argv
 * @returns {Promise<string>} why there is no window; when there was one, the process ends here
 */
async function tryWindow(node, env, argv) {
  const blind = withoutDisplay(process.platform, env)
  if (blind !== null) return blind
  const electron = await findElectron(ROOT, node, env)
  if ('reason' in electron) return electron.reason
  const began = Date.now()
  const { code, lastWords } = await windowed(electron.binary, [ROOT, ...argv], env)
  if (code === 0 || code === INTERRUPTED || code === TERMINATED || Date.now() - began > START_MS) process.exit(code)
  return `Electron ended at once with code ${code}${lastWords === '' ? '' : ` (${lastWords})`}`
}

/**
 * @param {string} binary
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, lastWords: string }>}
 */
function windowed(binary, args, env) {
  return new Promise((resolve) => {
    const child = spawn(binary, args, { cwd: process.cwd(), env, stdio: ['ignore', 'inherit', 'pipe'] })
    const stopPassing = passSignals(child)
    let tail = ''
    child.stderr.on('data', (/** @type {Buffer} */ data) => {
      tail = (tail + data).slice(-4_000)
      process.stderr.write(data)
    })
    /** @param {number} code @param {string} words */
    const end = (code, words) => {
      stopPassing()
      resolve({ code, lastWords: words.trim().split('\n').at(-1)?.trim().slice(-200) ?? '' })
    }
    child.on('error', (error) => end(127, error.message))
    child.on('close', (code, signal) => end(codeOf(code, signal), tail))
  })
}
