/** The browser that tests drive: one that is named, one that is installed, or Playwright's own. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { foreground, say } from './child.mjs'
import { textOf } from './install.mjs'

/** In the order of preference; the headless shell starts in half the time and renders the same. */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
]
const MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const WINDOWS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']
const PLAYWRIGHT_PROGRAMS = [
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-linux/headless_shell',
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-win/chrome.exe',
  'chrome-win64/chrome.exe',
]

/**
 * @param {NodeJS.ProcessEnv} [env] `HERMA_CHROMIUM` names one and wins; if that is not there, none is taken in its place
 * @param {NodeJS.Platform} [platform]
 * @returns {string | null} the program, or null
 */
export function findBrowser(env = process.env, platform = process.platform) {
  const named = env['HERMA_CHROMIUM']
  if (named) return isProgram(named) ? named : null
  return candidates(env, platform).find(isProgram) ?? null
}

/**
 * Finds a browser; on Debian as root, brings it. Nothing else is ever downloaded.
 * @returns {Promise<string | null>} null after saying what was looked for
 */
export async function ensureBrowser() {
  const found = findBrowser()
  if (found !== null) return found
  if (!process.env['HERMA_CHROMIUM'] && isDebianRoot()) {
    say('No browser for the browser tests; installing Chromium with apt-get…')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (/** @type {string[]} */ ...args) =>
      foreground('sh', ['-c', 'exec "$0" "$@" >&2', 'apt-get', ...args], { cwd: '/', env })
    if ((await apt('update', '-qq')) === 0) {
      const install = ['install', '-y', '-qq', '--no-install-recommends']
      // The headless shell is a package of its own in newer releases only.
      if ((await apt(...install, 'chromium', 'chromium-headless-shell')) !== 0) await apt(...install, 'chromium')
    }
    const brought = findBrowser()
    if (brought !== null) return brought
  }
  say(whatWasLookedFor())
  return null
}

/** @returns {string} one sentence for a person whose machine has no browser */
function whatWasLookedFor() {
  const named = process.env['HERMA_CHROMIUM']
  if (named) return `HERMA_CHROMIUM names ${named}, which is no program. Correct it or unset it.`
  return (
    `No browser for the browser tests. Looked for ${COMMANDS.join(', ')} on the path, for Chrome, Chromium and Edge where ` +
    `${process.platform} keeps them, and for Playwright's own in ${playwrightFolder(process.env, process.platform)}. ` +
    'Install one, name one in HERMA_CHROMIUM, run `npx playwright install chromium`, or leave these tests out with HERMA_NO_BROWSER=1.'
  )
}

/** @param {NodeJS.ProcessEnv} env @param {NodeJS.Platform} platform @returns {string[]} */
function candidates(env, platform) {
  const onPath = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const found = platform === 'win32' ? [] : COMMANDS.flatMap((name) => onPath.map((folder) => join(folder, name)))
  if (platform === 'darwin') found.push(...MAC)
  if (platform === 'win32')
    for (const base of [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']])
      if (base) found.push(...WINDOWS.map((tail) => join(base, tail)))
  const own = playwrightFolder(env, platform)
  const versions = existsSync(own) ? readdirSync(own).filter((name) => name.startsWith('chromium')) : []
  for (const version of versions.sort().reverse())
    found.push(...PLAYWRIGHT_PROGRAMS.map((program) => join(own, version, program)))
  return found
}

/** @param {NodeJS.ProcessEnv} env @param {NodeJS.Platform} platform @returns {string} */
function playwrightFolder(env, platform) {
  const set = env['PLAYWRIGHT_BROWSERS_PATH']
  if (set && set !== '0') return set
  if (platform === 'darwin') return join(homedir(), 'Library/Caches/ms-playwright')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? homedir(), 'ms-playwright')
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ms-playwright')
}

/** Ubuntu is left out: its chromium package is a door to a snap, which a container cannot open. */
function isDebianRoot() {
  const release = textOf('/etc/os-release') ?? ''
  return process.getuid?.() === 0 && /^ID="?debian"?$/m.test(release)
}

/** @param {string} file @returns {boolean} */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // not there, or not ours to run: the next candidate
  }
}
