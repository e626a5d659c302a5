import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STORIES, tell } from '../../../src/main/providers/demo/stories/index.ts'
import { type DemoReply, readDemoRequest } from '../../../src/main/providers/demo/story.ts'
import { DEMO_SUGGESTIONS } from '../../../src/renderer/src/features/onboarding/demo-suggestions.ts'

type Message = Readonly<Record<string, unknown>>
const TOOLS = ['read_file', 'search_files', 'terminal', 'write_file'].map((name) => ({
  type: 'function',
  function: { name },
}))
const user = (content: string): Message => ({ role: 'user', content })

const reply = (messages: readonly Message[], tools: readonly object[] = TOOLS): DemoReply =>
  tell(
    readDemoRequest({
      model: 'scripted',
      messages: [{ role: 'system', content: 'You are Herma.' }, ...messages],
      tools,
    }),
  )

/** Plays a turn: every call the demo makes is answered by `results` in order, until it answers in words. */
function play(
  prompt: string,
  results: readonly string[],
): { calls: DemoReply['calls'][number][]; said: string[]; last: DemoReply } {
  const messages: Message[] = [user(prompt)]
  const calls: DemoReply['calls'][number][] = []
  const said: string[] = []
  for (;;) {
    const last = reply(messages)
    said.push(last.text)
    const call = last.calls[0]
    if (call === undefined) return { calls, said, last }
    const id = `call_${calls.push(call)}`
    const fn = { name: call.name, arguments: JSON.stringify(call.args) }
    messages.push(
      { role: 'assistant', content: last.text, tool_calls: [{ id, type: 'function', function: fn }] },
      { role: 'tool', tool_call_id: id, content: results[calls.length - 1] ?? '' },
    )
  }
}
const ran = (output: string, exit_code = 0) => JSON.stringify({ output, exit_code, error: null })
/** What the approval gate answers a model with. */
const DO_NOT_REPHRASE =
  'Do not try the same thing in other words or by another tool; say what you wanted to do and why.'
const DENIED = `Not run: the person denied it. ${DO_NOT_REPHRASE}`
const REFUSALS = [
  DENIED,
  `Not run: the person denied it. Their note: exit_code 0 is not enough. ${DO_NOT_REPHRASE}`,
  `Not run: nobody answered the approval question in time, which counts as no. ${DO_NOT_REPHRASE}`,
  `Not run: this needs a person's approval and nobody is attached here, so it was denied. ${DO_NOT_REPHRASE}`,
  `Blocked: the rule "terminal:rm *" of approvals.deny forbids it. Nothing was executed. ${DO_NOT_REPHRASE}`,
]
const storyOf = (prompt: string) =>
  STORIES.find((story) => story.matches(readDemoRequest({ messages: [user(prompt)], tools: TOOLS })))?.name

describe('the demo’s stories', () => {
  it.each([
    ['hi', 'greeting'],
    ['What can you do?', 'greeting'],
    ['你好', 'greeting'],
    ['run a command', 'tools'],
    ['请运行一个命令', 'tools'],
    ['long answer', 'long'],
    ['写一个长回答', 'long'],
    ['show an error', 'failing'],
    ['演示错误', 'failing'],
    ['drop the connection', 'failing'],
    ['Please fix the error handling in this file.', 'tools'],
  ])('[decisions 5] “%s” is answered by the story %s', (prompt, story) => {
    expect(storyOf(prompt)).toBe(story)
  })

  it('[U-35] the suggestions of the first run start a story each', () => {
    const started = DEMO_SUGGESTIONS.map(({ text }) => storyOf(text))
    expect(started.toSorted()).toEqual(['failing', 'greeting', 'long', 'tools'])
  })

  it.each([
    ['hi', []],
    ['long answer', []],
    ['run a command', [ran('step 1'), ran(''), 'Written by Herma\n']],
    ['run a command', [ran('step 1'), DENIED]],
    ['你好', []],
    ['长回答', []],
    ['运行命令', [ran('step 1'), ran(''), 'Written by Herma\n']],
  ])('[decisions 5] the end of “%s” says that it is a script', (prompt, results) => {
    expect(play(prompt, results).last.text).toMatch(/script|脚本/i)
  })

  it.each(['你好', '长回答', '运行命令', '断开连接'])('[decisions 5] “%s” is answered in Chinese', (prompt) => {
    expect(reply([user(prompt)]).text).toMatch(/\p{Script=Han}{4}/u)
  })

  it.each(['hi', 'long answer', 'run a command', 'drop the connection'])(
    '[decisions 5] “%s” is answered in English',
    (prompt) => {
      expect(reply([user(prompt)]).text).not.toMatch(/\p{Script=Han}/u)
    },
  )
})

describe('the demo’s tool story', () => {
  it.each(REFUSALS)('[E-13] after “%s” it stops at once and claims nothing', (refusal) => {
    const { calls, last } = play('run a command', [ran('step 1 of 4\n'), refusal])
    expect(calls).toHaveLength(2)
    expect(last.text).toMatch(/not/)
    expect(last.text).not.toMatch(/you allowed/i)
  })

  it.each([
    ['the first command fails', [ran('', 127)]],
    ['the first command is refused', [DENIED]],
    ['writing fails', [ran('x'), ran('sh: permission denied', 1)]],
    [
      'the outcome of writing is not known',
      [ran('x'), 'Outcome unknown: Herma stopped before this call was answered.'],
    ],
    ['the file cannot be read back', [ran('x'), ran(''), 'There is no file herma-demo.txt.']],
  ])('[U-210] claims no success when %s', (_what, results) => {
    const { last, said } = play('run a command', results)
    expect(last.calls).toEqual([])
    expect(said.slice(results.length).join('\n')).not.toMatch(/That worked|and I read it back|Done\./)
  })

  it('[A-03] without tools it answers in words, at any point of the story', () => {
    expect(reply([user('run a command')], [])).toMatchObject({ calls: [], ending: 'stop' })
    const half = [
      user('run a command'),
      {
        role: 'assistant',
        content: 'x',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'terminal', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: ran('') },
    ]
    const last = reply(half, [])
    expect(last.calls).toEqual([])
    expect(last.text).not.toBe('')
  })

  it('[decisions 5] a new prompt begins a new story, whatever was called before', () => {
    const before = play('run a command', [ran('x'), DENIED])
    const messages = [
      user('run a command'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'terminal', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: ran('') },
      { role: 'assistant', content: before.last.text },
    ]
    expect(reply([...messages, user('hi')]).text).toMatch(/demo/i)
    expect(reply([...messages, user('run a command')]).calls[0]?.args).toEqual(before.calls[0]?.args)
  })
})

describe('the demo’s failures', () => {
  it('[U-210] the prompt after an error is not answered by it again', () => {
    // A turn that failed has no answer, so its prompt is sent joined with the next one.
    expect(reply([user('Show me an error.\n\nhi')]).ending).toBe('stop')
    expect(reply([user('Show me an error.\n\nrun a command')]).calls).toHaveLength(1)
    expect(reply([user('run a command\n\nShow me an error.')]).ending).toBe(500)
  })
})

describe('any conversation', () => {
  const content = fc.oneof(
    fc.string(),
    fc.constantFrom('run a command', '长回答', 'show an error', 'hi', '', ran('x')),
    fc.constant(null),
    fc.jsonValue(),
  )
  const message = fc.record({
    role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'other'),
    content,
    tool_calls: fc.jsonValue(),
  })

  it('[decisions 5] gets an answer that says or does something, and always the same one', () => {
    fc.assert(
      fc.property(fc.array(message), fc.constantFrom(TOOLS, []), (messages, tools) => {
        const first = reply(messages, tools)
        expect(reply(messages, tools)).toEqual(first)
        expect(first.text !== '' || first.calls.length > 0 || typeof first.ending === 'number').toBe(true)
        expect(first.text).toSatisfy((text: string) => text.isWellFormed())
      }),
    )
  })

  it('[decisions 5] and so does what is no request at all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(tell(readDemoRequest(body)).text).not.toBe('')
      }),
    )
  })
})
