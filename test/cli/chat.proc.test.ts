import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventFrame, parseEvent } from '../../src/shared/contract/index.ts'
import { gate, text } from '../support/scripted-provider.ts'
import { aHomeFolder, runHerma, startHerma } from './support/herma.ts'
import { aTalk, roles } from './support/talk.ts'

test('[CLI-02] one turn as JSON: the events in order, then one result line; the transcript holds both rows', async () => {
  const { home, rows } = await aTalk([text('Hello there.', { usage: { prompt: 12, completion: 3 } })])
  const ended = await runHerma(['chat', '-q', 'hi', '--json'], { home })
  expect(ended).toMatchObject({ code: 0, stderr: '' })

  const lines = ended.lines()
  const events = lines.slice(0, -1)
  for (const event of events) {
    expect(eventFrame.safeParse(event).success).toBe(true)
    expect(parseEvent(event)).not.toBeNull()
  }
  const numbered = events.map((event) => event['seq'] as number)
  expect(numbered).toEqual(numbered.toSorted((a, b) => a - b))
  const types = events.map((event) => event['type'])
  expect(types.filter((type) => type === 'message.start' || type === 'message.complete')).toEqual([
    'message.start',
    'message.complete',
  ])
  const deltas = events.filter((event) => event['type'] === 'message.delta')
  expect(deltas.map((event) => (event['payload'] as { text: string }).text).join('')).toBe('Hello there.')

  const start = events.find((event) => event['type'] === 'message.start')
  expect(lines.at(-1)).toEqual({
    type: 'result',
    session_id: start?.['session_id'],
    conversation_id: start?.['conversation_id'],
    turn_id: start?.['turn'],
    end_reason: 'text_response',
    status: 'complete',
    text: 'Hello there.',
    usage: { input_tokens: 12, output_tokens: 3, cache_read_tokens: null, reasoning_tokens: null, cost_usd: null },
    undelivered: [],
  })
  expect(rows()).toMatchObject([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'Hello there.' },
  ])
})

test('[CLI-11] a message that is none is refused before a home is made', async () => {
  const refused = async (stdin: string | Buffer, args = ['chat', '-q', '-']) => {
    const home = aHomeFolder()
    const { code, stdout, stderr } = await runHerma(args, { home, stdin })
    expect({ code, stdout, made: existsSync(home) }).toEqual({ code: 2, stdout: '', made: false })
    return stderr
  }
  expect(await refused('', ['chat', '-q', '  '])).toMatch(/message is empty.*\n.*-q -/)
  expect(await refused(' \n')).toContain('message is empty')
  expect(await refused('x'.repeat(1_000_001))).toMatch(/too long: at most 1,000,000 characters.*\n.*file/)
  expect(await refused('a\0b')).toContain('NUL bytes')
})

test('[kernel C-02] a long message from stdin arrives whole, and half a character as U+FFFD', async () => {
  const { home, provider } = await aTalk([text('read')])
  const long = `${'Zeile für Zeile 😀\n'.repeat(20_000)}`
  const stdin = Buffer.concat([Buffer.from(long), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('end')])
  expect(await runHerma(['chat', '-q', '-'], { home, stdin })).toMatchObject({ code: 0, stdout: 'read\n' })
  const sent = provider.requests[0]?.messages.at(-1)?.content ?? ''
  expect(sent.startsWith(long)).toBe(true)
  expect(sent).toMatch(/\ufffd+end$/)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '[cli 1] %s stops the turn: 130, the result line, the partial answer stored',
  async (signal) => {
    const hold = gate()
    const { home, rows } = await aTalk([text(['Half of ', hold, 'it'])])
    const running = startHerma(['chat', '-q', 'tell me', '--json'], { home })
    await running.printed('Half of')
    running.kill(signal)
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(ended.lines().at(-1)).toMatchObject({
      type: 'result',
      end_reason: 'interrupted_by_user',
      text: expect.stringContaining('Half of'),
    })
    expect(rows()).toMatchObject([{ role: 'user' }, { role: 'assistant', content: expect.stringContaining('Half of') }])
    hold.open()
  },
)

test('[CLI-12] standard output closed early: a quiet end, and the turn is put down, not torn off', async () => {
  const hold = gate()
  const { home, rows } = await aTalk([text(['One. ', hold, 'Two. ', 'Three.'])])
  const running = startHerma(['chat', '-q', 'count'], { home })
  await running.printed('One.')
  running.closeStdout()
  hold.open()
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(roles(rows())).toEqual(['user', 'assistant'])
  const { stdout } = await runHerma(['sessions', 'list', '--json'], { home })
  expect(JSON.parse(stdout)).toMatchObject([{ state: 'idle' }])
})
