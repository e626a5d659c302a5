/** A small checkout in a temporary folder: the real scripts, with programs beside them that only say that they ran. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished, vi } from 'vitest'

export interface Checkout {
  readonly root: string
  write(path: string, text: string, mode?: number): void
  read(path: string): string
  has(path: string): boolean
  /** Runs a program of the checkout to its end. */
  run(args: readonly string[], env?: Record<string, string | undefined>): Promise<Ended>
  start(args: readonly string[], env?: Record<string, string | undefined>): Running
}
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}
export interface Running {
  readonly pid: number
  /** Resolves once standard output holds the text. */
  printed(text: string): Promise<void>
  /** The same for standard error. */
  said(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
  closeStdout(): void
  readonly ended: Promise<Ended>
}

const PACKAGES = { '': {}, 'node_modules/left': { version: '1.0.0', integrity: 'sha512-left' } }
/** Writes what a build writes, so that nothing has to be bundled. */
const BUNDLER = `import { mkdirSync, writeFileSync, appendFileSync } from 'node:fs'
appendFileSync('builds.log', 'built\\n')
if (process.env.BUNDLER_FAILS) { console.error('cannot resolve ./gone.ts'); process.exit(1) }
for (const file of ['main/index.js', 'main/herma.js', 'preload/index.cjs', 'renderer/index.html']) {
  mkdirSync('out/' + file.split('/')[0], { recursive: true })
  writeFileSync('out/' + file, file === 'main/herma.js' ? process.env.HERMA_PROGRAM ?? '' : '')
}
`
/** Does what npm ci does to the folders, after failing as often as it is told. */
const NPM = `const { appendFileSync, mkdirSync, writeFileSync, readFileSync, rmSync } = require('node:fs')
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
if (process.env.NPM_HANGS) return void process.on('SIGTERM', () => process.exit(1)) || setInterval(() => {}, 1000)
const calls = readFileSync('npm.log', 'utf8').trim().split('\\n').length
if (calls <= Number(process.env.NPM_FAILS ?? 0)) { console.error('npm error ECONNRESET'); process.exit(1) }
rmSync('node_modules/left', { recursive: true, force: true })
mkdirSync('node_modules/left', { recursive: true })
mkdirSync('node_modules/electron-vite/bin', { recursive: true })
writeFileSync('node_modules/left/package.json', '{}')
writeFileSync('node_modules/.package-lock.json', readFileSync('package-lock.json'))
`

/**
 * @param as `fresh`: nothing installed; `installed`: packages there; `built`: and a build of the sources
 * @param program text of `out/main/herma.js`
 */
export async function aCheckout(as: 'fresh' | 'installed' | 'built', program = ''): Promise<Checkout> {
  const root = mkdtempSync(join(tmpdir(), 'herma-checkout-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string, mode?: number): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    if (mode !== undefined) chmodSync(join(root, path), mode)
  }
  for (const folder of ['scripts', 'bin']) cpSync(resolve(folder), join(root, folder), { recursive: true })
  write('package.json', '{"name":"small","type":"module","main":"./out/main/index.js"}')
  write('package-lock.json', JSON.stringify({ packages: PACKAGES }))
  write('src/main/app/index.ts', 'export {}')
  write('fake/npm.js', NPM)
  write('fake/package.json', '{"type":"commonjs"}')
  const checkout: Checkout = {
    root,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    has: (path) => existsSync(join(root, path)),
    run: (args, env) => start(root, args, env).ended,
    start: (args, env) => start(root, args, env),
  }
  if (as === 'fresh') return checkout
  write('node_modules/.package-lock.json', JSON.stringify({ packages: PACKAGES }))
  write('node_modules/left/package.json', '{}')
  write('node_modules/electron-vite/bin/electron-vite.js', BUNDLER)
  if (as === 'installed') return checkout
  const { buildApp } = await import('../../scripts/build.mjs')
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await buildApp(root, process.execPath, { ...process.env, HERMA_PROGRAM: program })
  said.mockRestore()
  rmSync(join(root, 'builds.log'))
  return checkout
}

function start(root: string, args: readonly string[], env: Record<string, string | undefined> = {}): Running {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      npm_execpath: join(root, 'fake/npm.js'),
      DISPLAY: undefined,
      WAYLAND_DISPLAY: undefined,
      HERMA_ELECTRON: undefined,
      HERMA_CHROMIUM: undefined,
      HERMA_NO_BROWSER: undefined,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }) as Ended)
  return {
    pid: child.pid ?? 0,
    async printed(text) {
      while (!stdout.includes(text)) await Promise.race([once(child.stdout, 'data'), failAtEnd(ended)])
    },
    async said(text) {
      while (!stderr.includes(text)) await Promise.race([once(child.stderr, 'data'), failAtEnd(ended)])
    },
    kill: (signal) => child.kill(signal),
    closeStdout: () => child.stdout.destroy(),
    ended,
  }
}

const failAtEnd = async (ended: Promise<Ended>): Promise<never> => {
  const { code, stderr } = await ended
  throw new Error(`ended with ${code} before it printed what was awaited\n${stderr}`)
}
