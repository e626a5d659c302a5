import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../support/temp-home.ts'
import { aHomeFolder } from './support/herma.ts'
import { runHere } from './support/in-process.ts'

test.each([
  [['chta'], 'unknown command', 'Did you mean chat?'],
  [['sessions', 'exprot'], 'unknown command', 'Did you mean export?'],
  [['chat', '-q', 'hi', '--modle', 'x'], "unknown option '--modle'", 'Did you mean --model?'],
  [['sessions', 'show'], "missing required argument 'id'", ''],
  [['config', 'set', 'ui.theme'], "missing required argument 'value'", ''],
  [['config', 'path', 'extra'], 'too many arguments', ''],
  [['chat', '--session'], 'argument missing', ''],
  [['config', 'get', 'ui.thme'], 'no configuration key "ui.thme"', 'Did you mean ui.theme?'],
  [['config', 'set', 'ui.theme', 'pink'], 'ui.theme: ', 'The old value stays.'],
  [['chat', '-q', 'hi', '--provider', 'opnai'], 'no provider "opnai"', 'Did you mean openai?'],
  [['chat', '-q', 'hi', '--max-turns', '0'], '--max-turns takes a whole number', ''],
  [['chat', '-q', 'hi', '--session', 'x', '--continue'], 'give one of them', ''],
  [['chat', '-q', 'hi', '--cwd', '/no/such/place'], 'is not a folder', '--cwd'],
  [['chat'], 'needs a terminal', '-q -'],
  [['sessions', 'list', '--limit', '1e3'], '--limit takes a whole number', ''],
  [['sessions', 'export'], '--session-id ID (repeatable), or --all', ''],
  [['sessions', 'export', '--all', '--format', 'csv'], 'does not export csv yet', '--format jsonl'],
  [['serve', '--port', '70000'], '--port takes a number', ''],
  [['-p', 'No Such', 'config', 'path'], 'is not a profile name', ''],
])('[CLI-11] %j is bad usage: exit 2, the reason on stderr, nothing written', async (args, said, near) => {
  const home = aHomeFolder()
  const { code, stdout, stderr } = await runHere(args, { home })
  expect({ code, stdout, wrote: existsSync(home) }).toEqual({ code: 2, stdout: '', wrote: false })
  expect(stderr).toMatch(/^herma: /)
  expect(stderr).toContain(said)
  expect(stderr).toContain(near)
  expect(stderr).not.toMatch(/\n\s+at /)
})

test('[cli 1] global flags stand before or after the verb, and the value of a flag is never taken for one', async () => {
  const home = aHomeFolder()
  const path = { path: join(home, 'profiles/work/config.yaml') }
  for (const args of [
    ['-p', 'work', '--json', 'config', 'path'],
    ['config', '--profile=work', 'path', '--json'],
    ['config', 'path', '--json', '-p', 'work', '--no-color'],
  ])
    expect((await runHere(args, { home })).json()).toEqual(path)
  const other = aHomeFolder()
  expect((await runHere(['config', 'path', '--home', other], { home })).stdout).toBe(`${other}/config.yaml\n`)
  await runHere(['chat', '-q', '--json', '--provider', 'openai'], { home, env: { OPENAI_API_KEY: '' } })
  const list = (await runHere(['sessions', 'list', '--json'], { home })).json()
  expect(list).toMatchObject([{ preview: '--json' }])
})

test('[cli 1] the version names the protocol, and every verb shows one example', async () => {
  const home = aHomeFolder()
  expect((await runHere(['--version'], { home })).stdout).toMatch(/^herma \d+\.\d+\.\d+ \(protocol \d+\)\n$/)
  const { stdout, code } = await runHere(['--help'], { home })
  expect(code).toBe(0)
  const verbs = [...stdout.matchAll(/^ {2}(\w+) (\[|<)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
  expect(verbs).toEqual(expect.arrayContaining(['chat', 'config', 'demo', 'doctor', 'serve', 'sessions']))
  for (const verb of verbs) {
    const help = await runHere([verb as string, '--help'], { home })
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain(`Example:\n  herma ${verb}`)
  }
})

test('[CLI-09] a home that is a file is exit 1 with the next step, for every verb', async () => {
  const file = join(tempFolder(), 'notes.txt')
  writeFileSync(file, 'mine')
  for (const args of [['config', 'get'], ['sessions', 'list'], ['chat', '-q', 'hi'], ['serve']]) {
    const { code, stdout, stderr } = await runHere([...args, '--json'], { home: file })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `herma: ${file} is a file, but Herma's home has to be a folder. The file was left as it is.\nChoose another folder with --home or HERMA_HOME.\n`,
    )
  }
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test.runIf(process.platform === 'linux')(
  '[CLI-09] a home that cannot be made is exit 1 and names the way out',
  async () => {
    const { code, stdout, stderr } = await runHere(['chat', '-q', 'hi', '--json'], { home: '/proc/herma/home' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^herma: \/proc\/herma\/home cannot be written \(\w+\)\.[^\n]*\nMake [^\n]+--home\.\n$/)
  },
)

test('[cli 1] an error of ours shows no stack, unless HERMA_LOG=debug asks', async () => {
  const env = { HERMA_FAULTS: '1', HERMA_FAULT: 'nonsense' }
  const home = aHomeFolder()
  const quiet = await runHere(['chat', '-q', 'hi'], { home, env })
  expect(quiet).toMatchObject({ code: 1, stderr: expect.stringContaining('an error inside Herma: TypeError') })
  expect(quiet.stderr).not.toMatch(/\n\s+at /)
  const loud = await runHere(['chat', '-q', 'hi'], { home, env: { ...env, HERMA_LOG: 'debug' } })
  expect(loud.stderr).toMatch(/\n\s+at /)
})
