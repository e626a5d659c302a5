import { afterEach, describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../src/main/kernel/ports.ts'
import { silenceLimitMs } from '../../src/main/providers/adapters/silence.ts'
import { fakeClock } from '../support/fake-clock.ts'
import {
  gate,
  raw,
  type ScriptedProvider,
  sse,
  stall,
  startScriptedProvider,
  text,
} from '../support/scripted-provider.ts'
import { asking, failureOf, lastOf, listen, portTo } from './builders.ts'

let server: ScriptedProvider | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

/** Listens, and says when the first event came. */
function listening(port: ReturnType<typeof portTo>) {
  const heard = Promise.withResolvers<void>()
  const run = async (): Promise<ModelEvent> => {
    const events: ModelEvent[] = []
    for await (const event of port.stream(asking(), new AbortController().signal)) {
      events.push(event)
      heard.resolve()
    }
    return lastOf(events)
  }
  return { last: run(), heard: heard.promise }
}

describe('silence', () => {
  it('[F-13] ends a silent stream at its limit; after five in a row nothing is asked for a minute', async () => {
    const clock = fakeClock()
    server = await startScriptedProvider([stall('some ')], { whenSpent: 'repeat' })
    const port = portTo(server.url, { clock, silenceMs: 180_000 })
    for (let n = 1; n <= 5; n++) {
      const { last, heard } = listening(port)
      await heard
      await clock.advance(180_000)
      expect(await last).toMatchObject({ type: 'failed', failure: { kind: 'timeout' }, partial: { text: 'some ' } })
      await server.closed(n)
    }
    const { failure } = await failureOf(port)
    expect(failure).toMatchObject({ kind: 'timeout', message: expect.stringContaining('five times') })
    expect(server.requests).toHaveLength(5)

    await clock.advance(60_000)
    const stop = new AbortController()
    const probe = listen(port, asking(), stop.signal)
    await server.seen(6)
    stop.abort()
    expect(lastOf(await probe).type).toBe('aborted')
  })

  it('[kernel 7.5] each chunk starts the wait anew', async () => {
    const clock = fakeClock()
    const held = gate()
    server = await startScriptedProvider([text(['a', held, 'b'])])
    const { last, heard } = listening(portTo(server.url, { clock, silenceMs: 1_000 }))
    await clock.whenSleeping()
    await clock.advance(900)
    await heard
    await held.reached
    held.open()
    expect(await last).toMatchObject({ type: 'done', response: { text: 'ab' } })
    expect(clock.sleeping()).toEqual([])
  })

  it('[kernel 7.5] silence behind the reason to end loses nothing of the answer', async () => {
    const clock = fakeClock()
    const chunk = sse({ choices: [{ delta: { content: 'all' }, finish_reason: 'stop' }] })
    server = await startScriptedProvider([raw([chunk], { ending: 'stall' })])
    const { last, heard } = listening(portTo(server.url, { clock, silenceMs: 1_000 }))
    await heard
    await clock.advance(1_000)
    expect(await last).toMatchObject({ type: 'done', response: { text: 'all', finishReason: 'stop' } })
  })

  it.each([
    [1_000, false, 180_000],
    [200_004, false, 240_000],
    [400_004, false, 300_000],
    [1_000, true, 900_000],
  ])('[kernel 7.5] %i characters, local %s: %i ms', (units, isLocal, ms) => {
    expect(silenceLimitMs(units, isLocal)).toBe(ms)
  })
})
