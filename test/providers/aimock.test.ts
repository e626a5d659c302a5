import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf, asking, failureOf, portTo } from './builders.ts'

/** Somebody else's server, so that our reading of the protocol is not only measured against our own writing of it. */
const mock = new LLMock({ port: 0, host: '127.0.0.1' })
beforeAll(async () => {
  await mock.start()
})
afterAll(async () => {
  await mock.stop()
})
const port = () => portTo(`${mock.url}/v1`)

describe('against aimock', () => {
  it('[kernel 7.1] streams a text', async () => {
    mock.onMessage('say hello', { content: 'Hello from elsewhere, 你好 👋' }, { chunkSize: 3 })
    expect(await answerOf(port(), asking('say hello'))).toMatchObject({
      text: 'Hello from elsewhere, 你好 👋',
      finishReason: 'stop',
      calls: [],
    })
  })

  it('[F-09] reads two calls of one answer', async () => {
    mock.onMessage('two files', {
      toolCalls: [
        { name: 'read_file', arguments: '{"path":"a.txt"}' },
        { name: 'read_file', arguments: '{"path":"b.txt"}' },
      ],
    })
    const { calls, finishReason } = await answerOf(port(), asking('two files'))
    expect(finishReason).toBe('tool_calls')
    expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['read_file', { path: 'a.txt' }],
      ['read_file', { path: 'b.txt' }],
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  it('[F-11] keeps the text of a stream that was cut', async () => {
    mock.onMessage(
      'cut me',
      { content: 'abcdefghijklmnopqrstuvwxyz' },
      { chunkSize: 5, latency: 10, truncateAfterChunks: 5 },
    )
    const { failure, partial } = await failureOf(port(), asking('cut me'))
    expect('abcdefghijklmnopqrstuvwxyz'.startsWith(partial.text) && partial.text !== '').toBe(true)
    expect(failure.kind).toBe('timeout')
  })

  it.each([
    [429, 'rate_limit'],
    [401, 'auth'],
    [503, 'overloaded'],
  ] as const)('[CLI-03] reads its %i', async (status, kind) => {
    mock.nextRequestError(status)
    expect((await failureOf(port(), asking('say hello'))).failure).toMatchObject({ kind, status })
  })
})
