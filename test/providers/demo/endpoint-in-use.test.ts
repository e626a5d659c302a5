import { afterEach, describe, expect, it } from 'vitest'
import type { ModelEvent, ModelPort } from '../../../src/main/kernel/ports.ts'
import { type DemoEndpoint, startDemoEndpoint } from '../../../src/main/providers/demo/endpoint.ts'
import { createProviders, type Providers } from '../../../src/main/providers/index.ts'
import { answerOf, asking, lastOf, portTo } from '../builders.ts'

let demo: DemoEndpoint | undefined
let providers: Providers | undefined
afterEach(async () => {
  await demo?.close()
  await providers?.close()
  demo = undefined
  providers = undefined
})
const given = async (options: Parameters<typeof startDemoEndpoint>[0] = { pace: 0 }) => {
  demo = await startDemoEndpoint(options)
  return {
    demo,
    port: portTo(demo.baseUrl, {
      apiKey: demo.apiKey,
      binding: { provider: 'demo', model: 'scripted', baseUrl: demo.baseUrl },
    }),
  }
}
const terminal = {
  type: 'function' as const,
  function: { name: 'terminal', description: 't', parameters: { type: 'object' } },
}
const post = (
  endpoint: DemoEndpoint,
  body: string,
  headers: Record<string, string> = { authorization: `Bearer ${endpoint.apiKey}` },
) => fetch(`${endpoint.baseUrl}/chat/completions`, { method: 'POST', body, headers })
const boundDemo = async (from: Providers): Promise<ModelPort> => {
  const bound = await from.bind({ provider: 'demo', model: '', baseUrl: '' })
  if (!bound.ok) throw new Error(bound.refusal.message)
  return bound.value
}

/** The beginning of an answer; leaving ends the request. */
const firstEvents = async (port: ModelPort, count: number): Promise<ModelEvent[]> => {
  const events: ModelEvent[] = []
  for await (const event of port.stream(asking('hi'), new AbortController().signal))
    if (events.push(event) === count) break
  return events
}

describe('the demo’s endpoint in use', () => {
  it('[U-35] speaks in pieces: the first is there long before the last', async () => {
    providers = createProviders({ keyFor: async () => null, log: () => {} })
    const port = await boundDemo(providers)
    expect(port.binding).toMatchObject({ provider: 'demo', model: 'scripted' })
    const [first] = await firstEvents(port, 1)
    expect(first).toMatchObject({ type: 'text' })
    expect(first?.type === 'text' && first.text.length).toBeLessThan(100)
  })

  it('[C-04] gives the calls of one conversation ids of their own', async () => {
    const { port } = await given()
    const request = asking('run a command', { tools: [terminal] })
    const first = (await answerOf(port, request)).calls[0]
    if (first === undefined) throw new Error('the story began without a call')
    const second = await answerOf(port, {
      ...request,
      messages: [
        ...request.messages,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: first.id, type: 'function', function: { name: first.name, arguments: first.arguments } }],
        },
        { role: 'tool', tool_call_id: first.id, content: '{"output":"","exit_code":0,"error":null}' },
      ],
    })
    expect(second.calls[0]?.id).not.toBe(first.id)
    expect((await answerOf(port, request)).calls[0]?.id).toBe(first.id)
  })

  it.each(['null', '5', '[]', '{', ''])('[kernel 7.5] lives on after the body %j', async (body) => {
    const { demo, port } = await given()
    const response = await post(demo, body)
    await response.text()
    expect([200, 400]).toContain(response.status)
    expect((await answerOf(port, asking('hi'))).finishReason).toBe('stop')
  })

  it('[A-06] a stop in mid-answer keeps what had arrived, and the endpoint serves the next prompt', async () => {
    const { port } = await given({ pace: 5 })
    const stop = new AbortController()
    const events = []
    for await (const event of port.stream(asking('long answer'), stop.signal)) {
      events.push(event)
      if (events.length === 3) stop.abort()
    }
    const last = lastOf(events)
    expect(last.type === 'aborted' && last.partial.text.length).toBeGreaterThan(0)
    expect((await answerOf(port, asking('hi'))).finishReason).toBe('stop')
  })

  it('[decisions 5] closes while it speaks, twice if need be, and starts again when it is asked again', async () => {
    providers = createProviders({ keyFor: async () => null, log: () => {} })
    const port = await boundDemo(providers)
    const speaking = port.stream(asking('long answer'), new AbortController().signal)[Symbol.asyncIterator]()
    await speaking.next()
    await Promise.all([providers.close(), providers.close()])
    let last = await speaking.next()
    while (!last.done && last.value.type === 'text') last = await speaking.next()
    expect(last.done === false && last.value.type).toBe('failed')
    expect(await firstEvents(await boundDemo(providers), 1)).toMatchObject([{ type: 'text' }])
  })
})
