import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { askInTerminal } from '../../src/cli/chat/ask-in-terminal.ts'
import { openTerminalInput } from '../../src/cli/chat/terminal-input.ts'
import type { HermaClient } from '../../src/shared/client.ts'
import type { ApprovalRequest } from '../../src/shared/contract/index.ts'
import { turn as oneLoop } from '../support/fake-clock.ts'

function aTerminal() {
  const keys = new PassThrough()
  const screen = new PassThrough()
  let shown = ''
  screen.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece
  })
  const input = openTerminalInput(keys, screen)
  onTestFinished(() => input.close())
  /** Sends keys and lets everything that is ready happen. */
  const type = async (text: string): Promise<void> => {
    keys.write(text)
    for (let i = 0; i < 5; i++) await oneLoop()
  }
  return { input, type, shown: () => shown }
}
const CTRL_C = '\x03'
const CTRL_D = '\x04'

test('[cli 2] a line is a message, and one typed before it was asked for is kept', async () => {
  const { input, type } = aTerminal()
  await type('early\r')
  expect(await input.next('> ')).toBe('early')
  const next = input.next('> ')
  await type('late\r')
  expect(await next).toBe('late')
})

test('[cli 2] a marked paste of several lines is one message, sent by Enter', async () => {
  const { input, type } = aTerminal()
  let message: string | null | undefined
  void input.next('> ').then((text) => {
    message = text
  })
  await type('\x1b[200~first\r\rthird\r\x1b[201~')
  expect(message).toBeUndefined()
  await type('and more\r')
  expect(message).toBe('first\n\nthird\nand more')
})

test('[cli 2] where pastes are not marked, lines that arrive at once are one message', async () => {
  const { input, type } = aTerminal()
  const whole = input.next('> ')
  await type('one\rtwo\rthree\r')
  expect(await whole).toBe('one\ntwo\nthree')
  const open = input.next('> ')
  await type('one\rtwo\rthr')
  await type('ee\r')
  expect(await open).toBe('one\ntwo\nthree')
})

test('[cli 2] Ctrl+C empties the line, then leaves; while nothing is awaited it goes to the running turn', async () => {
  const { input, type } = aTerminal()
  let stops = 0
  input.onInterrupt(() => stops++)
  await type(CTRL_C)
  expect(stops).toBe(1)
  const message = input.next('> ')
  await type(`unwanted${CTRL_C}`)
  await type('wanted\r')
  expect(await message).toBe('wanted')
  const last = input.next('> ')
  await type(CTRL_C)
  expect(await last).toBeNull()
  expect(stops).toBe(1)
})

test('[cli 2] Ctrl+D leaves', async () => {
  const { input, type } = aTerminal()
  const message = input.next('> ')
  await type(CTRL_D)
  expect(await message).toBeNull()
  expect(await input.next('> ')).toBeNull()
})

const aRequest = (always: string | null = null): ApprovalRequest =>
  ({
    request_id: 's1',
    tool: 'terminal',
    subject: 'rm -rf build',
    cwd: '/p',
    reason: 'deletes files',
    always_rule: always,
  }) as ApprovalRequest

function aQuestion(always: string | null = null) {
  const terminal = aTerminal()
  const sent: unknown[] = []
  const said: string[] = []
  const client = {
    call: async (_method: string, params: unknown) => {
      sent.push(params)
      return { ok: true, value: {} }
    },
  } as unknown as HermaClient
  const withdrawn = new AbortController()
  const ask = () =>
    askInTerminal(client, aRequest(always), terminal.input, { note: (text) => said.push(text) }, withdrawn.signal)
  return { ...terminal, ask, sent, said, withdrawn }
}

test.each([
  ['o', null, 'once'],
  [' Once ', null, 'once'],
  ['s', null, 'session'],
  ['a', 'rm -rf build', 'always'],
  ['a', null, 'deny'],
  ['', null, 'deny'],
  ['y', null, 'deny'],
  ['ok', null, 'deny'],
  ['d', null, 'deny'],
])('[decisions 26] "%s" (always: %s) is %s', async (typed, always, choice) => {
  const { ask, type, sent, said } = aQuestion(always)
  const answered = ask()
  await type(`${typed}\r`)
  await answered
  expect(sent).toEqual([{ request_id: 's1', choice }])
  expect(said.join('\n')).toContain('rm -rf build')
})

test('[decisions 26] nothing that was typed before the question answers it', async () => {
  const { input, ask, type, sent } = aQuestion()
  await type('once\r')
  await type('o')
  const answered = ask()
  await type('\r')
  await answered
  expect(sent).toEqual([{ request_id: 's1', choice: 'deny' }])
  expect(await input.next('> ')).toBe('once')
})

test('[decisions 26] Ctrl+C at the question is a no and a stop', async () => {
  const { input, ask, type, sent } = aQuestion()
  let stops = 0
  input.onInterrupt(() => stops++)
  const answered = ask()
  await type(CTRL_C)
  await answered
  expect(sent).toEqual([{ request_id: 's1', choice: 'deny' }])
  expect(stops).toBe(1)
})

test('[kernel 8.3] a question that is taken back is no longer asked, and no answer is sent', async () => {
  const { ask, type, sent, said, withdrawn } = aQuestion()
  const answered = ask()
  withdrawn.abort()
  await answered
  await type('o\r')
  expect(sent).toEqual([])
  expect(said.at(-1)).toContain('No longer asked')
})
