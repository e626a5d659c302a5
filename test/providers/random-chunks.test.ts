import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelEvent, ModelResponse } from '../../src/main/kernel/ports.ts'
import { raw, type ScriptedProvider, sse, startScriptedProvider } from '../support/scripted-provider.ts'
import { lastOf, listen, portTo } from './builders.ts'

const delta = (body: object, finish: string | null = null) =>
  sse({ id: 'c', model: 'script-1', choices: [{ index: 0, delta: body, finish_reason: finish }] })
const call = (index: number, fn: object, id?: string) => ({
  tool_calls: [{ index, ...(id ? { id } : {}), function: fn }],
})

/** Text of one to four bytes a character, a pair cut between two deltas, two calls that arrive interleaved, usage. */
const STREAM = Buffer.from(
  [
    ': a comment\n\n',
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'hm, 好' }),
    delta({ content: 'Grüße, 你好 👋\r\n' }),
    sse('{"choices":[{"index":0,"delta":{"content":"\\ud83d"}}]}'),
    sse('{"choices":[{"index":0,"delta":{"content":"\\ude80 data: x\\n\\n"}}]}'),
    delta(call(1, { name: 'write_file', arguments: '' }, 'b')),
    delta(call(0, { name: 'read_file', arguments: '{"path"' }, 'a')),
    delta(call(1, { arguments: '{"content":"é\\n"}' })),
    delta(call(0, { arguments: ':"a.txt","big":12345678901234567890}' })),
    delta({}, 'tool_calls'),
    sse({
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } },
    }),
    sse('[DONE]'),
  ].join(''),
)

const EXPECTED: ModelResponse = {
  text: 'Grüße, 你好 👋\r\n🚀 data: x\n\n',
  reasoning: 'hm, 好',
  calls: [
    { id: 'a', name: 'read_file', arguments: '{"path":"a.txt","big":12345678901234567890}' },
    { id: 'b', name: 'write_file', arguments: '{"content":"é\\n"}' },
  ],
  finishReason: 'tool_calls',
  usage: {
    inputTokens: 60,
    outputTokens: 20,
    cacheReadTokens: 40,
    cacheWriteTokens: null,
    reasoningTokens: null,
    costMicros: null,
  },
  model: 'script-1',
}

let server: ScriptedProvider
beforeAll(async () => {
  server = await startScriptedProvider([])
})
afterAll(() => server.stop())

const hear = (pieces: readonly Uint8Array[], ending: 'end' | 'drop' = 'end'): Promise<ModelEvent[]> => {
  server.add(raw(pieces, { ending }))
  return listen(portTo(server.url))
}
const said = (events: readonly ModelEvent[], type: 'text' | 'reasoning'): string =>
  events.map((event) => (event.type === type ? event.text : '')).join('')

/** Places to cut at, in bytes; any place may be inside a character, a line end or a number. */
const cuts = fc.uniqueArray(fc.nat({ max: STREAM.length }), { maxLength: 24 })
const cut = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, at) => bytes.subarray(edges[at], end))
}

describe('one stream in random pieces', () => {
  it('[kernel 7.5] gives the same answer however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const events = await hear(cut(STREAM, places))
        expect(lastOf(events)).toEqual({ type: 'done', response: EXPECTED })
        expect(said(events, 'text')).toBe(EXPECTED.text)
        expect(said(events, 'reasoning')).toBe(EXPECTED.reasoning)
      }),
      { numRuns: 60 },
    )
  })

  it('[kernel 7.5] byte by byte, too', async () => {
    const events = await hear(Array.from(STREAM, (_byte, at) => STREAM.subarray(at, at + 1)))
    expect(lastOf(events)).toEqual({ type: 'done', response: EXPECTED })
  })

  it('[kernel 7.5] broken off anywhere, it is one failure or the whole answer, and what was shown is what is kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: STREAM.length - 1 }), async (length) => {
        const events = await hear([STREAM.subarray(0, length)], 'drop')
        const last = lastOf(events)
        expect(events.filter(({ type }) => type === 'done' || type === 'failed' || type === 'aborted')).toHaveLength(1)
        if (last.type === 'done') expect(last.response.calls).toEqual(EXPECTED.calls)
        if (last.type !== 'failed') return
        expect(said(events, 'text')).toBe(last.partial.text)
        expect(last.partial.text).toSatisfy((text: string) => text.isWellFormed())
      }),
      { numRuns: 60 },
    )
  })
})
