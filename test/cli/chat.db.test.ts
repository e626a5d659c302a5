import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, err, startScriptedProvider, text } from '../support/scripted-provider.ts'
import { tempFolder } from '../support/temp-home.ts'
import { aHomeFolder } from './support/herma.ts'
import { runHere } from './support/in-process.ts'
import { aTalk, roles } from './support/talk.ts'

test('[cli 2] as text the answer alone is on stdout; what it did with tools is on stderr', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'price.txt'), 'forty two')
  const script = [call('read_file', { path: 'price.txt' }, { text: 'Looking. ' }), text('It is \x1b[31m42\x1b[0m.')]
  const { home, rows } = await aTalk(script)
  const { code, stdout, stderr } = await runHere(['chat', '-q', 'price?', '--cwd', cwd], { home })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Looking. \nIt is 42.\n' })
  expect(stderr).toContain('→ read_file {"path":"price.txt"}')
  const stored = rows()
  expect(roles(stored)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  const [, asked, answered] = stored
  expect(answered?.['tool_call_id']).toBe((asked?.['tool_calls'] as { id: string }[] | undefined)?.[0]?.id)
})

test.each([
  ['401', err(401), 78, 'auth_failed'],
  ['402', err(402, { error: { message: 'out of credits', code: 'insufficient_quota' } }), 78, 'billing_blocked'],
  [
    '404 for the model',
    err(404, { error: { message: 'model not found', code: 'model_not_found' } }),
    78,
    'provider_error',
  ],
  ['429 for ever', err(429, { error: { message: 'slow down' } }, { 'retry-after': '1' }), 75, 'retries_exhausted'],
  ['500 for ever', err(500), 1, 'retries_exhausted'],
])(
  '[CLI-03] a server that answers %s: the exit code says so, the words name provider and next step',
  async (_what, step, code, reason) => {
    const { home, rows } = await aTalk([step], { whenSpent: 'repeat', config: 'agent: {api_max_retries: 1}\n' })
    const ended = await runHere(['chat', '-q', 'hi', '--json'], { home, env: { OPENAI_API_KEY: 'sk-wrong-key-1234' } })
    expect(ended.lines().at(-1)).toMatchObject({ type: 'result', end_reason: reason, status: 'failed' })
    expect(ended.code).toBe(code)
    const [first = '', second = ''] = ended.stderr.trimEnd().split('\n')
    expect(first).toMatch(/^herma: Other compatible server .+\.$/)
    expect(second).not.toBe('')
    expect(ended.stderr + ended.stdout).not.toMatch(/\n\s+at |sk-wrong/)
    expect(rows()).toMatchObject([{ role: 'user', content: 'hi' }])
  },
)

test('[CLI-03] a server that cannot be reached is exit 1', async () => {
  const { home, provider } = await aTalk([], { config: 'agent: {api_max_retries: 1}\n' })
  await provider.stop()
  const { code, stdout, stderr } = await runHere(['chat', '-q', 'hi'], { home })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^herma: .*\n.+\n$/)
  expect(stderr).not.toMatch(/\n\s+at /)
})

test('[CLI-03] a provider without a key says where to put one, and sends nothing', async () => {
  const ended = await runHere(['chat', '-q', 'hi', '--provider', 'openai'], {
    home: aHomeFolder(),
    env: { OPENAI_API_KEY: '' },
  })
  expect(ended).toMatchObject({ code: 78, stdout: '', stderr: expect.stringContaining('OPENAI_API_KEY') })
})

test('[cli 4] flags go to the server they name; what is configured for another one does not go along', async () => {
  const { home, provider: configured } = await aTalk([text('from the configured one')])
  const other = await startScriptedProvider([text('from the other')])
  onTestFinished(() => other.stop())
  writeFileSync(
    join(home, 'config.yaml'),
    `model: {provider: ollama, default: secret-model, base_url: "${configured.url}"}\n`,
  )
  const { stdout } = await runHere(['chat', '-q', 'hi', '--base-url', other.url, '-m', 'model-b'], { home })
  expect(stdout).toBe('from the other\n')
  expect(other.requests.map(({ model }) => model)).toEqual(['model-b'])
  expect(configured.requests).toEqual([])
})

test('[cli 2] --session goes on by a unique prefix, --continue with the newest', async () => {
  const { home, provider, rows } = await aTalk([text('one'), text('two'), text('three')])
  const first = (await runHere(['chat', '-q', 'a', '--json'], { home })).lines().at(-1)
  const id = first?.['conversation_id'] as string
  await runHere(['chat', '-q', 'b', '--session', id.slice(0, -2)], { home })
  await runHere(['chat', '-q', 'c', '--continue', '-Q'], { home })
  expect(rows().map((row) => row['content'])).toEqual(['a', 'one', 'b', 'two', 'c', 'three'])
  expect(provider.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ])
  const missing = await runHere(['chat', '-q', 'x', '--session', 'nobody'], { home })
  expect(missing).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/no conversation "nobody".*\n.*sessions list/),
  })
  expect(await runHere(['chat', '-q', 'x', '--continue'], { home: aHomeFolder() })).toMatchObject({
    code: 1,
    stdout: '',
  })
})

test('[decisions 26] without a terminal a dangerous command is denied, and that is said', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'kept.txt'), 'x')
  const script = [call('terminal', { command: 'rm -rf kept.txt' }), text('Then not.')]
  const { home, rows } = await aTalk(script)
  const { code, stdout, stderr } = await runHere(['chat', '-q', 'clean up', '--cwd', cwd], { home })
  expect({ code, stdout, kept: existsSync(join(cwd, 'kept.txt')) }).toEqual({
    code: 0,
    stdout: 'Then not.\n',
    kept: true,
  })
  expect(stderr).toContain('not run: it needs a yes, and no terminal is attached')
  expect(rows()[2]).toMatchObject({ role: 'tool', effect_disposition: 'not_executed' })
})

test('[decisions 26] --yolo runs it without asking', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'gone.txt'), 'x')
  const { home } = await aTalk([call('terminal', { command: 'rm -rf gone.txt' }), text('Done.')])
  expect(await runHere(['chat', '-q', 'clean up', '--cwd', cwd, '--yolo'], { home })).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, 'gone.txt'))).toBe(false)
})
