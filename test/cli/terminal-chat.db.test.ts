import { expect, test } from 'vitest'
import { terminalChat } from '../../src/cli/chat/terminal-chat.ts'
import type { TerminalInput } from '../../src/cli/chat/terminal-input.ts'
import { createOutput, type Output } from '../../src/cli/output.ts'
import { call, gate, type Script, text } from '../support/scripted-provider.ts'
import { startTestHost } from '../support/temp-host.ts'

/** A person who types the lines one after the other, answers every question with `answer`, then leaves. */
async function aChat(script: readonly Script[], typed: readonly string[], answer: string | null = null) {
  const core = await startTestHost(script)
  const lines = [...typed]
  const asked: string[] = []
  let interrupt: () => void = () => {}
  const terminal: TerminalInput = {
    next: async () => lines.shift() ?? null,
    ask: async (prompt) => {
      asked.push(prompt)
      return answer
    },
    onInterrupt: (work) => {
      interrupt = work
    },
    close: () => {},
  }
  const said = { out: '', notes: '' }
  const out: Output = {
    ...createOutput({ json: false, color: false }),
    write: (piece) => {
      said.out += piece
    },
    note: (line) => {
      said.notes += `${line}\n`
    },
  }
  const code = terminalChat(core, out, terminal, null, () => core.conversation())
  return { core, said, asked, code, ctrlC: () => interrupt() }
}
const conversations = async (core: Awaited<ReturnType<typeof aChat>>['core']) =>
  (await core.call('session.list', { limit: 50 })).rows.map((row) => row.preview)

test('[cli 2] opening and leaving leaves no conversation behind', async () => {
  const { core, code, said } = await aChat([], ['', '/help', '/nonsense', '/exit', 'not read'])
  expect(await code).toBe(0)
  expect(said.notes).toContain('There is no command /nonsense.')
  expect(await conversations(core)).toEqual([])
})

test('[cli 2] messages follow each other in one conversation until /new', async () => {
  const { core, code, said } = await aChat([text('one'), text('two'), text('three')], ['a', 'b', '/new', 'c'])
  expect(await code).toBe(0)
  expect(said.out).toBe('one\ntwo\nthree\n')
  expect((await conversations(core)).sort()).toEqual(['a', 'c'])
  expect(core.provider.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
})

test('[cli 1] Ctrl+C stops the running turn and the chat goes on', async () => {
  const hold = gate()
  const { code, said, ctrlC } = await aChat([text(['Half ', hold, 'rest']), text('next')], ['a', 'b'])
  await hold.reached
  ctrlC()
  expect(await code).toBe(0)
  expect(said.notes).toContain('stopped by you')
  expect(said.out).toMatch(/next\n$/)
  hold.open()
})

test.each([
  ['o', 'ran'],
  ['', 'denied'],
] as const)('[decisions 26] a question is asked in the chat, and "%s" means %s', async (answer, outcome) => {
  const script = [call('terminal', { command: 'rm -rf ./nothing-here' }), text('Well.')]
  const { code, asked, said } = await aChat(script, ['clean'], answer)
  expect(await code).toBe(0)
  expect(asked).toEqual([expect.stringMatching(/^Allow \(o\)nce, .*\[d\] $/)])
  expect(said.notes).toContain('rm -rf ./nothing-here')
  expect(said.notes.includes('not run: you said no')).toBe(outcome === 'denied')
})
