import { afterEach, describe, expect, it } from 'vitest'
import { type DemoEndpoint, startDemoEndpoint } from '../../../src/main/providers/demo/endpoint.ts'
import { answerOf, asking, failureOf, portTo } from '../builders.ts'

let demo: DemoEndpoint | undefined
afterEach(async () => {
  await demo?.close()
  demo = undefined
})
const open = async () => {
  demo = await startDemoEndpoint({ pace: 0 })
  return { demo, port: portTo(demo.baseUrl, { apiKey: demo.apiKey }) }
}
const terminal = { type: 'function' as const, function: { name: 'terminal', description: 'runs', parameters: {} } }

describe('demo endpoint', () => {
  it('[decisions 5] streams an answer with usage through the same adapter as every provider', async () => {
    const { port } = await open()
    const answer = await answerOf(port, asking('hello'))
    expect(answer).toMatchObject({ finishReason: 'stop', usage: { inputTokens: expect.any(Number) } })
    expect(answer.text).toContain('script inside this app')
  })

  it('[decisions 5] calls tools with whole arguments, the same id for the same request', async () => {
    const { port } = await open()
    const request = asking('run a command', { tools: [terminal] })
    const [first, again] = [await answerOf(port, request), await answerOf(port, request)]
    expect(first.finishReason).toBe('tool_calls')
    expect(JSON.parse(first.calls[0]?.arguments ?? '')).toHaveProperty('command')
    expect(again.calls).toEqual(first.calls)
  })

  it('[U-210] fails on demand, and keeps the text of a broken answer', async () => {
    const { port } = await open()
    expect((await failureOf(port, asking('show an error'))).failure).toMatchObject({
      kind: 'server_error',
      status: 500,
    })
    expect((await failureOf(port, asking('drop the connection'))).partial.text).toContain('breaks off')
  })

  it('[decisions 5] answers nobody without the key of this run', async () => {
    const { demo } = await open()
    expect((await failureOf(portTo(demo.baseUrl, { apiKey: `${demo.apiKey}x` }))).failure.kind).toBe('auth')
    expect((await failureOf(portTo(demo.baseUrl, { apiKey: null }))).failure.kind).toBe('auth')
    const other = await startDemoEndpoint({ pace: 0 })
    await other.close()
    expect(other.apiKey).not.toBe(demo.apiKey)
  })

  it('[decisions 5] closing ends an answer under way', async () => {
    demo = await startDemoEndpoint({ pace: 5 })
    let closing: Promise<void> | undefined
    let last = ''
    for await (const event of portTo(demo.baseUrl, { apiKey: demo.apiKey }).stream(
      asking('long answer'),
      new AbortController().signal,
    )) {
      if (event.type === 'text') closing ??= demo.close()
      last = event.type
    }
    await closing
    demo = undefined
    expect(last).toBe('failed')
  })
})
