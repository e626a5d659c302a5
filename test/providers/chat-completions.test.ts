import { afterEach, describe, expect, it } from 'vitest'
import {
  call,
  calls,
  cutOff,
  drop,
  err,
  errorInStream,
  gate,
  malformed,
  nothing,
  raw,
  type Script,
  type ScriptedProvider,
  sse,
  stall,
  startScriptedProvider,
  text,
} from '../support/scripted-provider.ts'
import { answerOf, asking, failureOf, lastOf, listen, portTo } from './builders.ts'

let server: ScriptedProvider | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})
const given = async (...script: Script[]) => {
  server = await startScriptedProvider(script)
  return { server, port: portTo(server.url) }
}
const delta = (body: object, finish: string | null = null) =>
  sse({ choices: [{ index: 0, delta: body, finish_reason: finish }] })

describe('chat completions', () => {
  it('[kernel 7.1] streams text as it comes and ends with one answer', async () => {
    const { server, port } = await given(text('Hello big world', { usage: { prompt: 7, completion: 3 } }))
    const events = await listen(port)
    expect(events.map((event) => event.type)).toEqual(['text', 'text', 'text', 'done'])
    expect(lastOf(events)).toMatchObject({
      response: { text: 'Hello big world', reasoning: null, calls: [], finishReason: 'stop', model: 'script-1' },
    })
    expect(server.requests[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(server.requests[0]).not.toHaveProperty('tools')
    expect(server.headers[0]?.authorization).toBe('Bearer sk-test-0123456789abcdef')
  })

  it('[kernel 3] sends the same bytes for the same messages', async () => {
    const { server, port } = await given(text('a'), text('b'))
    const tools = [
      { type: 'function' as const, function: { name: 'read_file', description: 'r', parameters: { type: 'object' } } },
    ]
    await listen(port, asking('same', { tools, maxOutputTokens: 8192 }))
    await listen(port, asking('same', { tools, maxOutputTokens: 8192 }))
    expect(server.bodies[1]).toBe(server.bodies[0])
    expect(server.requests[0]).toMatchObject({ max_tokens: 8192, tools })
  })

  it('[kernel 7.5] keeps reasoning out of the text, under either name', async () => {
    const { port } = await given(
      raw([delta({ reasoning_content: 'think ' }), delta({ reasoning: 'more' }), delta({ content: 'so' }, 'stop')]),
    )
    const answer = await answerOf(port)
    expect(answer).toMatchObject({ text: 'so', reasoning: 'think more' })
  })

  it('[F-09] puts interleaved calls together by index and orders them by it', async () => {
    const part = (index: number, more: object) => delta({ tool_calls: [{ index, ...more }] })
    const { port } = await given(
      raw([
        part(1, { id: 'b', function: { name: 'second', arguments: '{"n"' } }),
        part(0, { id: 'a', function: { name: 'first', arguments: '{"m":' } }),
        part(1, { function: { arguments: ':12345678901234567890}' } }),
        part(0, { function: { arguments: '1}' } }),
        delta({}, 'tool_calls'),
      ]),
    )
    const events = await listen(port)
    expect(events.filter((event) => event.type === 'call').map((event) => event.name)).toEqual(['second', 'first'])
    expect(lastOf(events)).toMatchObject({
      response: {
        calls: [
          { id: 'a', name: 'first', arguments: '{"m":1}' },
          { id: 'b', name: 'second', arguments: '{"n":12345678901234567890}' },
        ],
      },
    })
  })

  it('[kernel 3] makes a missing call id from what the call says, the same each time', async () => {
    const { port } = await given(
      calls([
        { name: 'read_file', args: { path: 'a' }, id: null },
        { name: 'read_file', args: { path: 'a' }, id: null },
      ]),
      call('read_file', { path: 'a' }, { id: null }),
    )
    const [first, second] = (await answerOf(port)).calls
    const [again] = (await answerOf(port)).calls
    expect(first?.id).toMatch(/^call_[0-9a-f]{24}$/)
    expect(second?.id).not.toBe(first?.id)
    expect(again?.id).toBe(first?.id)
  })

  it('[kernel 7.5] tells calls apart that all carry index 0', async () => {
    const whole = (id: string) =>
      delta({ tool_calls: [{ index: 0, id, function: { name: 'read_file', arguments: `{"p":"${id}"}` } }] })
    const { port } = await given(raw([whole('x'), whole('y'), delta({}, 'tool_calls')]))
    expect((await answerOf(port)).calls.map((c) => c.arguments)).toEqual(['{"p":"x"}', '{"p":"y"}'])
  })

  it('[kernel C-02] joins a surrogate pair cut between two deltas and replaces a lone half', async () => {
    const { port } = await given(
      raw([
        'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n',
        'data: {"choices":[{"delta":{"content":"\\ude00b\\ud83d"},"finish_reason":"stop"}]}\n\n',
      ]),
    )
    const events = await listen(port)
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(['a', '😀b', '\ufffd'])
    expect(lastOf(events)).toMatchObject({ response: { text: 'a😀b\ufffd' } })
  })

  it('[F-10] calls a stream that says nothing a failure that may be retried', async () => {
    const { port } = await given(nothing())
    const { failure, partial } = await failureOf(port)
    expect(failure).toMatchObject({ kind: 'server_error', message: expect.stringContaining('Scripted') })
    expect(partial).toMatchObject({ text: '', calls: [], usage: null })
  })

  it('[F-11] keeps what had arrived when the connection breaks', async () => {
    const { port } = await given(drop('Hello wor'))
    const { failure, partial } = await failureOf(port)
    expect(failure.kind).toBe('timeout')
    expect(partial).toMatchObject({ text: 'Hello wor', finishReason: null })
  })

  it('[F-12] never calls a broken call an answer', async () => {
    const { port } = await given(
      raw([delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'write_file', arguments: '{"pa' } }] })], {
        ending: 'drop',
      }),
    )
    expect(lastOf(await listen(port))).toMatchObject({ type: 'failed', partial: { finishReason: null } })
  })

  it('[kernel 7.5] hands on an end without a reason as such', async () => {
    const { port } = await given(cutOff('half an ans'), text('', { finish: 'stop' }))
    expect(await answerOf(port)).toMatchObject({ text: 'half an ans', finishReason: null })
    expect(await answerOf(port)).toMatchObject({ text: '', finishReason: 'stop' })
  })

  it('[kernel 7.5] classifies an error inside the stream and keeps the text before it', async () => {
    const { port } = await given(errorInStream({ message: 'Overloaded', code: 529 }, 'some '))
    expect(await failureOf(port)).toMatchObject({
      failure: { kind: 'overloaded', status: 529 },
      partial: { text: 'some ' },
    })
  })

  it('[kernel 7.5] classifies a chunk that is no JSON', async () => {
    const { port } = await given(malformed('so far '))
    expect(await failureOf(port)).toMatchObject({ failure: { kind: 'server_error' }, partial: { text: 'so far ' } })
  })

  it('[A-06] an abort in mid-stream ends as aborted, with the text, and closes the connection', async () => {
    const held = gate()
    const { server, port } = await given(text(['abc', held, 'def']))
    const stop = new AbortController()
    const events = []
    for await (const event of port.stream(asking(), stop.signal)) {
      events.push(event)
      if (event.type === 'text') stop.abort()
    }
    expect(lastOf(events)).toMatchObject({ type: 'aborted', partial: { text: 'abc', finishReason: null } })
    await server.closed(1)
    held.open()
  })

  it('[kernel 7.5] an abort before the headers, or before the request, is aborted too', async () => {
    const { server, port } = await given(stall())
    const stop = new AbortController()
    const running = listen(port, asking(), stop.signal)
    await server.seen(1)
    stop.abort()
    expect(lastOf(await running)).toMatchObject({ type: 'aborted', partial: { text: '' } })
    expect(lastOf(await listen(port, asking(), stop.signal)).type).toBe('aborted')
    expect(server.requests).toHaveLength(1)
  })

  it('[kernel 7.5] a reader that leaves early closes the connection', async () => {
    const held = gate()
    const { server, port } = await given(text(['abc', held]))
    for await (const _ of port.stream(asking(), new AbortController().signal)) break
    await server.closed(1)
    held.open()
  })

  it('[kernel 7.4] sends one request and no more when the server fails', async () => {
    const { server, port } = await given(err(500), err(500))
    expect((await failureOf(port)).failure).toMatchObject({ kind: 'server_error', status: 500 })
    expect(server.requests).toHaveLength(1)
  })

  it('[cli 4] goes without a key where there is none, and cleans one that was pasted', async () => {
    const { server } = await given(text('a'), text('b'))
    await answerOf(portTo(server.url, { apiKey: null }))
    await answerOf(portTo(server.url, { apiKey: ' “sk-abc\u200b123” ' }))
    expect(server.headers.map((headers) => headers.authorization)).toEqual([undefined, 'Bearer sk-abc123'])
  })

  it('[F-16] splits usage into buckets and prices them', async () => {
    const { server } = await given(text('hi', { usage: { prompt: 100, cached: 40, completion: 20 } }))
    const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: null }
    expect((await answerOf(portTo(server.url, { price }))).usage).toEqual({
      inputTokens: 60,
      cacheReadTokens: 40,
      outputTokens: 20,
      cacheWriteTokens: null,
      reasoningTokens: null,
      costMicros: 104,
    })
  })

  it('[U-08] leaves what is not known unknown', async () => {
    const { server, port } = await given(text('a', { usage: null }), text('b', { usage: { prompt: 5, completion: 1 } }))
    expect((await answerOf(port)).usage).toBeNull()
    expect((await answerOf(portTo(server.url))).usage?.costMicros).toBeNull()
  })
})
