import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tell } from '../../../src/main/providers/demo/stories/index.ts'
import { DEMO_FILE, outcomeOf } from '../../../src/main/providers/demo/stories/tools.ts'
import { type DemoReply, readDemoRequest } from '../../../src/main/providers/demo/story.ts'

const TOOLS = ['read_file', 'terminal'].map((name) => ({ type: 'function', function: { name } }))
const RAN = '{"output":"","exit_code":0,"error":null}'
const DENIED = 'The command was denied by the person. Do not try it in other words.'

/** A conversation as it would come over the wire. */
const conversation = (
  prompt: string,
  turns: readonly (readonly [reply: DemoReply, result: string])[] = [],
  tools: unknown[] = TOOLS,
) => ({
  model: 'scripted',
  tools,
  messages: [
    { role: 'system', content: 'You are Herma.' },
    { role: 'user', content: prompt },
    ...turns.flatMap(([reply, result], n) => [
      {
        role: 'assistant',
        content: reply.text,
        tool_calls: reply.calls.map((call) => ({
          id: `c${n}`,
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.args) },
        })),
      },
      { role: 'tool', tool_call_id: `c${n}`, content: result },
    ]),
  ],
})
/** Plays the tool story with these results; gives every reply. */
function play(prompt: string, results: readonly string[]): DemoReply[] {
  const turns: [DemoReply, string][] = []
  for (const result of results) turns.push([tell(readDemoRequest(conversation(prompt, turns))), result])
  return [...turns.map(([reply]) => reply), tell(readDemoRequest(conversation(prompt, turns)))]
}
const answerTo = (prompt: string, tools?: unknown[]): DemoReply =>
  tell(readDemoRequest(conversation(prompt, [], tools)))

describe('demo stories', () => {
  it('[decisions 5] the greeting says that it is a script and what it can show', () => {
    const { text, calls, ending } = answerTo('hello there')
    expect([calls, ending]).toEqual([[], 'stop'])
    expect(text).toMatch(/script/)
    expect(text).toMatch(/not a language model/)
    for (const shown of ['run a command', 'long answer', 'show an error', '```ts', '| --- |', '## '])
      expect(text).toContain(shown)
  })

  it('[U-35] what the greeting offers leads to another story', () => {
    const greeting = answerTo('hello')
    for (const offer of [
      'run a command',
      'long answer',
      'show an error',
      'drop the connection',
      '运行命令',
      '长回答',
      '演示错误',
      '断开连接',
    ])
      expect([offer, answerTo(offer)]).not.toEqual([offer, greeting])
  })

  it('[U-35] the long answer has some pages and many languages of code', () => {
    const { text } = answerTo('give me a long answer')
    expect(text.length).toBeGreaterThan(7_500)
    expect(text.length).toBeLessThan(11_000)
    for (const language of ['ts', 'python', 'rust', 'sql', 'go', 'bash', 'json'])
      expect(text).toContain(`\`\`\`${language}\n`)
    expect(text.match(/```/g)?.length).toBeGreaterThan(0)
    expect((text.match(/```/g)?.length ?? 1) % 2).toBe(0)
  })

  it('[U-35] an allowed command: live output, a question, a file read back, an honest end', () => {
    const [first, second, third, last] = play('run a command', [RAN, RAN, 'Written by Herma'])
    expect(first?.calls).toMatchObject([{ name: 'terminal', args: { command: expect.stringContaining('sleep') } }])
    expect(second?.calls).toMatchObject([
      { name: 'terminal', args: { command: expect.stringMatching(`^rm -f ${DEMO_FILE} && `) } },
    ])
    expect(third?.calls).toEqual([{ name: 'read_file', args: { path: DEMO_FILE } }])
    expect(last).toMatchObject({ calls: [], ending: 'stop', text: expect.stringContaining('You allowed') })
  })

  it('[U-35] a denied command is told as one that never ran, and not tried again', () => {
    const [, , last, ...more] = play('run a command', [RAN, DENIED])
    expect(more).toEqual([])
    expect(last).toMatchObject({ calls: [], text: expect.stringContaining('never ran') })
  })

  it('[U-35] a command that failed is not told as done', () => {
    expect(play('run a command', [RAN, '{"output":"","exit_code":1,"error":"read-only"}']).at(-1)?.text).toContain(
      'did not end well',
    )
  })

  it.each([
    [RAN, 'done'],
    ['{"output":"Permission denied","exit_code":1}', 'failed'],
    ['No answer within 300 s, so the command was not approved.', 'denied'],
    ['Outcome unknown: Herma stopped before this call was answered.', 'failed'],
    ['{"output":"","exit_code":null,"error":"timed out"}', 'failed'],
    ['Written.', 'failed'],
    ['{"output":"cut in the middle … \\"","exit_code":0', 'done'],
  ] as const)('[U-35] reads the result %s as %s', (result, outcome) => {
    expect(outcomeOf(result)).toBe(outcome)
  })

  it('[A-03] answers in words when no tools are offered', () => {
    expect(answerTo('run a command', [])).toMatchObject({
      calls: [],
      ending: 'stop',
      text: expect.stringMatching(/no tools/),
    })
    expect(answerTo('Please summarize the conversation so far', []).text).toMatch(/^## Summary/)
  })

  it('[U-210] errors on demand: a status, or a connection that breaks', () => {
    expect(answerTo('show an error')).toMatchObject({ ending: 500 })
    expect(answerTo('drop the connection')).toMatchObject({ ending: 'cut', text: expect.stringMatching(/\S/) })
  })

  it('[decisions 5] answers Chinese in Chinese, Japanese not', () => {
    expect(answerTo('你好').text).toContain('脚本')
    expect(answerTo('运行命令').text).toMatch(/\p{Script=Han}/u)
    expect(answerTo('長い話はいらない').text).not.toContain('脚本')
  })

  it('[decisions 5] whatever comes, there is an answer, and the same one again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (body, prompt) => {
        const ask = () => tell(readDemoRequest(body))
        expect(ask()).toEqual(ask())
        const reply = answerTo(prompt)
        expect(reply.text !== '' || typeof reply.ending === 'number').toBe(true)
      }),
    )
  })
})
