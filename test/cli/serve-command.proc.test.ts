import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../support/temp-home.ts'
import { aHomeFolder, runHerma, startHerma } from './support/herma.ts'

/** A turn that ends at once, for want of a key: it needs the whole home for itself like any other. */
const QUICK_TURN = ['chat', '-q', 'hi', '--provider', 'openai']

test('[cli 2] serve prints where it is, stays, and ends when told to', async () => {
  const home = aHomeFolder()
  const running = startHerma(['serve', '--json'], { home })
  const facts = JSON.parse(await running.printed('}\n'))
  expect(facts).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//),
    port: expect.any(Number),
    token_file: expect.stringContaining(home),
    pid: expect.any(Number),
  })
  if (process.platform !== 'win32') expect(statSync(facts.token_file).mode & 0o777).toBe(0o600)
  expect((await fetch(facts.url)).status).toBe(200)

  const second = await runHerma(['chat', '-q', 'hi'], { home })
  expect(second).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/Another Herma is using .*\n.*--home/),
  })

  running.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(facts.token_file)).toBe(false)
  expect(await runHerma(QUICK_TURN, { home })).toMatchObject({ code: 78 })
})

test('[cli 2] a port in use is exit 1 with the way out, and the home is given back', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  const home = aHomeFolder()
  const { code, stdout, stderr } = await runHerma(['serve', '--port', String(port)], { home })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^herma: .*${port}.*\\n.*--port`))
  expect(await runHerma(QUICK_TURN, { home })).toMatchObject({ code: 78 })
})

test.each([
  ['is removed', [], false],
  ['is kept with --keep', ['--keep'], true],
])('[cli 2] the home of a demo %s when it ends', async (_what, flags, stays) => {
  const temporary = tempFolder()
  const real = aHomeFolder()
  const running = startHerma(['demo', '--json', ...flags], {
    home: real,
    env: { TMPDIR: temporary, HERMA_PROFILE: 'work' },
  })
  const facts = JSON.parse(await running.printed('}\n'))
  const root = dirname(dirname(facts.token_file))
  expect(dirname(root)).toBe(temporary)
  expect(readFileSync(join(root, 'config.yaml'), 'utf8')).toContain('demo')
  running.kill('SIGINT')
  expect((await running.ended).code).toBe(0)
  expect([existsSync(root), existsSync(real)]).toEqual([stays, false])
  expect(readdirSync(temporary)).toHaveLength(stays ? 1 : 0)
})
