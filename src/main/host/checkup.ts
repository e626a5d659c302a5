/**
 * The questions of `herma doctor`: what can be asked without changing anything. A check is a question whose answer is a
 * sentence; what it meets on the way is a failed check with its words, never an exception.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Refusal } from '../../shared/contract/index.ts'
import type { Result } from '../../shared/result.ts'
import { Config } from './config/config.ts'
import { type Home, stateFile } from './home.ts'

export interface Check {
  readonly id: string
  readonly ok: boolean
  readonly detail: string
}
export interface Violation {
  readonly rule: string
  readonly table: string
  readonly key: string
  readonly detail: string
}
export interface Checkup {
  readonly ok: boolean
  readonly checks: readonly Check[]
  readonly violations: readonly Violation[]
  /** Names that HERMA_FAULT takes (cli.md 5). */
  readonly fault_points: readonly string[]
}

export interface CheckupWanted {
  /** The home, or why there is none. */
  readonly home: Result<Home, Refusal>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads every page of the database and asks the invariants, which takes as long as the file is large. */
  readonly deep: boolean
  readonly screensFolder: string
}

export async function checkUp({ home, env, deep, screensFolder }: CheckupWanted): Promise<Checkup> {
  const violations: Violation[] = []
  const checks = [
    await ask('node', nodeVersion),
    await ask('home', () => homeState(home)),
    await ask('config', () => (home.ok ? configState(home.value, env) : 'no home')),
    // Loaded here and not at the top: a binary that does not load is an answer too.
    await ask('sqlite', async () => (await import('./checkup-database.ts')).engine()),
    await ask('database', async () => {
      if (!home.ok) return 'no home'
      if (statSync(stateFile(home.value), { throwIfNoEntry: false }) === undefined) return 'none yet'
      const asked = await (await import('./checkup-database.ts')).database(home.value, deep)
      violations.push(...asked.violations)
      return asked.detail
    }),
    await ask('screens', () => {
      if (statSync(join(screensFolder, 'index.html'), { throwIfNoEntry: false }) === undefined)
        throw new Error('not built; run `npm run build`')
      return 'built'
    }),
    await ask('electron', () => electronState(screensFolder)),
    await ask('browser', () => browserState(env)),
  ]
  const points = await ask('fault_points', async () => (await import('./checkup-database.ts')).faultPoints().join(' '))
  return {
    ok: checks.every((check) => check.ok) && violations.length === 0,
    checks,
    violations,
    fault_points: points.ok ? points.detail.split(' ') : [],
  }
}

async function ask(id: string, question: () => string | Promise<string>): Promise<Check> {
  try {
    return { id, ok: true, detail: await question() }
  } catch (error) {
    return { id, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 15))
    throw new Error(`Node ${process.version} is too old; 22.15 or newer is needed`)
  return process.version
}

function homeState(home: Result<Home, Refusal>): string {
  if (!home.ok) throw new Error(home.refusal.message)
  const { path } = home.value
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return `${path} (made with the first conversation)`
  try {
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new Error(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
  return path
}

/** Unknown keys are told and are no failure: another version or an extension may know them. */
function configState(home: Home, env: CheckupWanted['env']): string {
  const findings = new Config(home, {}, env).findings()
  const said = findings.map(({ text }) => text).join(' ')
  if (findings.some(({ kind }) => kind !== 'unknown')) throw new Error(said)
  return said === '' ? 'fine' : said
}

/** Facts, not failures: without them the same screens are served to any browser. */
function electronState(screensFolder: string): string {
  const folder = join(screensFolder, '../../node_modules/electron/dist')
  return statSync(folder, { throwIfNoEntry: false }) === undefined
    ? 'binary not here; `herma serve` shows the same screens in a browser'
    : folder
}

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']

function browserState(env: CheckupWanted['env']): string {
  const folders = (env['PATH'] ?? '').split(process.platform === 'win32' ? ';' : ':').filter((folder) => folder !== '')
  const names = process.platform === 'win32' ? BROWSERS.map((name) => `${name}.exe`) : BROWSERS
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return (
    found.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true) ??
    'no Chromium in PATH; any current browser will do'
  )
}
