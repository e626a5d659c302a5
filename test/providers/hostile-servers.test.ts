import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { FailureKind } from '../../src/main/kernel/ports.ts'
import {
  drop,
  raw,
  type ScriptedProvider,
  type Step,
  sse,
  stall,
  startScriptedProvider,
} from '../support/scripted-provider.ts'
import { failureOf, lastOf, listen, portTo } from './builders.ts'

let server: ScriptedProvider | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})
const serverThat = async (step: Step) => {
  server = await startScriptedProvider([step])
  return { server, port: portTo(server.url) }
}
const delta = (body: object | null, finish: string | null = null) =>
  sse({ choices: [{ index: 0, delta: body, finish_reason: finish }] })
const page = (title: string) => `<!doctype html><html><head><title>${title}</title></head></html>`
const as = (type: string) => ({ headers: { 'content-type': type } })

const BROKEN: readonly (readonly [what: string, step: Step, kind: FailureKind])[] = [
  ['a login page instead of an answer', raw([page('Sign in')], as('text/html; charset=utf-8')), 'format_error'],
  ['plain words instead of a stream', raw(['OK'], as('text/plain')), 'server_error'],
  ['JSON that is cut off', raw(['{"choices":[{"mess'], as('application/json')), 'server_error'],
  ['JSON that is no object', raw(['null'], as('application/json')), 'server_error'],
  [
    'a redirect',
    raw([], { status: 307, headers: { location: 'http://127.0.0.1:9/v1/chat/completions' } }),
    'format_error',
  ],
  ['an answer without a body', raw([], { status: 204, headers: {} }), 'server_error'],
  [
    'bytes that are not the gzip they claim',
    raw(['nonsense'], { headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' } }),
    'server_error',
  ],
  ['a gateway’s error page', raw([page('502 Bad Gateway')], { status: 502, ...as('text/html') }), 'server_error'],
  ['an error body that is cut off', raw(['{"error":'], { status: 500, ...as('application/json') }), 'server_error'],
  ['a hang-up before the headers', drop(), 'timeout'],
  ['a hang-up after half a word', drop('hal'), 'timeout'],
]

describe('hostile servers', () => {
  it.each(BROKEN)('[kernel 7.5] %s ends as one failure of its class', async (_what, step, kind) => {
    const { port } = await serverThat(step)
    const events = await listen(port)
    expect(events.filter(({ type }) => type !== 'text')).toHaveLength(1)
    expect(lastOf(events)).toMatchObject({ type: 'failed', failure: { kind } })
  })

  it.each(BROKEN)('[U-210] %s is told without the insides of the program', async (_what, step) => {
    const { port } = await serverThat(step)
    const { failure } = await failureOf(port)
    expect(failure.message).toContain('Scripted')
    expect(failure.next).not.toBe('')
    expect(`${failure.message} ${failure.next}`).not.toMatch(
      /undefined|\[object|TypeError|Cannot read|iterate over|at \S+:\d+:\d+|sk-test|<html|<!doctype/i,
    )
  })

  it('[kernel 7.5] a hang-up in mid-answer is not told as no answer', async () => {
    const { port } = await serverThat(drop('Hello wor'))
    const { failure, partial } = await failureOf(port)
    expect(partial.text).toBe('Hello wor')
    expect(failure.message).not.toMatch(/did not answer/)
  })

  it('[kernel 7.5] a hang-up behind the reason to end loses nothing of the answer', async () => {
    const { port } = await serverThat(raw([delta({ content: 'whole' }), delta({}, 'stop')], { ending: 'drop' }))
    expect(lastOf(await listen(port))).toMatchObject({
      type: 'done',
      response: { text: 'whole', finishReason: 'stop' },
    })
  })

  it('[kernel 7.5] chunks of another shape are passed over', async () => {
    const odd = ['null', '5', '[]', '{}', '{"choices":null}', '{"choices":[null]}', '{"choices":[{"delta":null}]}'].map(
      sse,
    )
    const calls = delta({ tool_calls: [null, 7, { index: 'x' }] })
    const { port } = await serverThat(
      raw([...odd, calls, delta({ content: ['?', null] }), delta({ content: 'ok' }, 'stop')]),
    )
    expect(lastOf(await listen(port))).toMatchObject({ type: 'done', response: { text: 'ok', finishReason: 'stop' } })
  })

  it('[kernel 7.5] bytes that are no UTF-8 become U+FFFD', async () => {
    const bytes = Buffer.concat([
      Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a'),
      Buffer.from([0xff]),
      Buffer.from('b"},"finish_reason":"stop"}]}\n\n'),
    ])
    const { port } = await serverThat(raw([bytes]))
    expect(lastOf(await listen(port))).toMatchObject({ type: 'done', response: { text: 'a\ufffdb' } })
  })

  it('[kernel 7.5] one chunk of five megabytes is an answer like any other', async () => {
    const { port } = await serverThat(raw([delta({ content: 'é'.repeat(2_500_000) }), delta({}, 'stop')]))
    const last = lastOf(await listen(port))
    expect(last.type === 'done' && last.response.text.length).toBe(2_500_000)
  })

  it('[kernel 7.5] an answer beyond any sensible size is ended', async () => {
    const { port } = await serverThat(raw([delta({ content: 'x'.repeat(16_000_001) })], { ending: 'stall' }))
    expect(lastOf(await listen(port))).toMatchObject({ type: 'failed', failure: { kind: 'server_error' } })
  })

  it.each([
    ['before the headers', stall()],
    ['in mid-answer', stall('Hel')],
  ])('[A-06] an abort ends a server that falls silent %s', async (_when, step) => {
    const { server, port } = await serverThat(step)
    const stop = new AbortController()
    const heard = listen(port, undefined, stop.signal)
    await server.seen(1)
    stop.abort()
    expect(lastOf(await heard).type).toBe('aborted')
    await server.closed(1)
  })

  it('[cli 7] a port where nobody listens names the address and what to check', async () => {
    const { failure } = await failureOf(portTo(`http://127.0.0.1:${await freePort()}/v1`))
    expect(failure).toMatchObject({ kind: 'timeout', status: null })
    expect(failure.message).toMatch(/Scripted at 127\.0\.0\.1:\d+ did not answer/)
    expect(failure.next).toMatch(/server is running/)
  })

  it('[kernel 7.5] a redirect is never followed, so the conversation stays where it was sent', async () => {
    const elsewhere = await startScriptedProvider([])
    try {
      const { port } = await serverThat(
        raw([], { status: 302, headers: { location: `${elsewhere.url}/chat/completions` } }),
      )
      await listen(port)
      expect(elsewhere.requests).toHaveLength(0)
    } finally {
      await elsewhere.stop()
    }
  })
})

/** A port that was free a moment ago. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
