import { expect, test } from 'vitest'
import { withoutDisplay } from '../../scripts/electron.mjs'
import { aCheckout, type Checkout } from './checkout.ts'

/** Stands for `herma serve`: says the address, lives until it is told to end, and ends cleanly. */
const SERVE = `const alive = setInterval(() => {}, 1000)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log('drained after ' + signal); clearInterval(alive) })
console.log('http://127.0.0.1:1/#token=t ' + process.argv.slice(2).join(' '))`
const ONCE = "console.log('served ' + process.argv.slice(2).join(' '))"

const program = (checkout: Checkout, text: string): string => {
  checkout.write('fake/electron', `#!${process.execPath}\n${text}`, 0o755)
  return `${checkout.root}/fake/electron`
}
const DISPLAY = { DISPLAY: ':99' }

test('[CLI-01] without a display: one line with the reason, and the app is served', async () => {
  const checkout = await aCheckout('built', ONCE)
  const { code, stdout, stderr } = await checkout.run(['scripts/start.mjs', '--home', '/tmp/x'])
  expect(code).toBe(0)
  expect(stdout).toBe('served serve --home /tmp/x\n')
  expect(stderr).toMatch(/^No desktop window: this machine has no display.*\n$/)
})

test('[CLI-01] with a display and a binary: the window opens with the checkout as its app', async () => {
  const checkout = await aCheckout('built', ONCE)
  const electron = program(checkout, "console.log('window ' + process.argv.slice(2).join(' '))")
  const { code, stdout, stderr } = await checkout.run(['scripts/start.mjs', '--session', 's1'], {
    ...DISPLAY,
    HERMA_ELECTRON: electron,
  })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `window ${checkout.root} --session s1\n`, stderr: '' })
})

test.each([
  [
    'a binary that is named and not there',
    { HERMA_ELECTRON: '/nowhere/electron' },
    'HERMA_ELECTRON names /nowhere/electron',
  ],
  ['fetching switched off', { HERMA_OFFLINE: '1' }, 'fetching it is switched off'],
  ['a host that cannot be reached', { ELECTRON_MIRROR: 'http://127.0.0.1:9/' }, '127.0.0.1:9 cannot be reached'],
])('[CLI-01] %s: served, with that reason', async (_what, env, reason) => {
  const checkout = await aCheckout('built', ONCE)
  const { code, stdout, stderr } = await checkout.run(['scripts/start.mjs'], { ...DISPLAY, ...env })
  expect(code).toBe(0)
  expect(stdout).toBe('served serve\n')
  expect(stderr).toContain(reason)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('[CLI-01] a binary that ends at once with an error: its last words are the reason', async () => {
  const checkout = await aCheckout('built', ONCE)
  const electron = program(
    checkout,
    "console.error('Running as root without --no-sandbox is not supported'); process.exit(1)",
  )
  const { code, stdout, stderr } = await checkout.run(['scripts/start.mjs'], { ...DISPLAY, HERMA_ELECTRON: electron })
  expect(code).toBe(0)
  expect(stdout).toBe('served serve\n')
  expect(stderr).toContain('No desktop window: Electron ended at once with code 1 (Running as root without')
})

test.each(['SIGINT', 'SIGTERM'] as const)('[CLI-01] %s ends the server cleanly, and then us', async (signal) => {
  const checkout = await aCheckout('built', SERVE)
  const running = checkout.start(['scripts/start.mjs'])
  await running.printed('http://127.0.0.1:1/#token=t serve')
  running.kill(signal)
  const { code, stdout, stderr } = await running.ended
  expect(code).toBe(0)
  expect(stdout).toContain(`drained after ${signal}`)
  expect(stderr).not.toContain('at ')
})

test('[CLI-01] when npm is told to end, the server that it started ends as well', async () => {
  const checkout = await aCheckout(
    'built',
    `import { writeFileSync } from 'node:fs'
writeFileSync('served.pid', String(process.pid))
${SERVE}`,
  )
  // As npm does it: a shell that waits for us, and that dies of the signal without passing it on.
  checkout.write(
    'fake/as-npm.js',
    `const { spawn } = require('node:child_process')
const shell = spawn('sh', ['-c', process.execPath + ' scripts/start.mjs; true'], { stdio: 'inherit' })
process.on('SIGTERM', () => shell.kill('SIGTERM'))
shell.on('exit', () => process.exit(143))`,
  )
  const running = checkout.start(['fake/as-npm.js'], { npm_lifecycle_event: 'start' })
  await running.printed('#token=t serve')
  const server = Number(checkout.read('served.pid'))
  running.kill('SIGTERM')
  const { stdout } = await running.ended
  expect(stdout).toContain('drained after SIGTERM')
  expect(() => process.kill(server, 0)).toThrow('ESRCH')
})

test.each([
  ['linux', {}, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
] as const)('[CLI-01] %s with %o can show a window: %s', (platform, env, can) => {
  expect(withoutDisplay(platform, env) === null).toBe(can)
})
