import { afterEach, describe, expect, it } from 'vitest'
import { type ScriptedProvider, startScriptedProvider, text } from '../support/scripted-provider.ts'
import { answerOf, portTo } from './builders.ts'

const DISPATCHER = Symbol.for('undici.globalDispatcher.1')
interface Dispatcher {
  dispatch(options: Record<string, unknown>, handler: unknown): boolean
}
const place = globalThis as { [DISPATCHER]?: Dispatcher }

let server: ScriptedProvider | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

describe('fetch without limits of its own', () => {
  it('[kernel 7.5] Node’s 300 s limits are off, so that only the watch on silence ends a slow server', async () => {
    server = await startScriptedProvider([text('first'), text('second')], { whenSpent: 'refuse' })
    // The first request makes Node set its dispatcher up.
    await answerOf(portTo(server.url))
    const own = place[DISPATCHER]
    if (own === undefined) throw new Error('this Node keeps its dispatcher elsewhere')
    const seen: Record<string, unknown>[] = []
    place[DISPATCHER] = {
      dispatch: (options, handler) => {
        seen.push(options)
        return own.dispatch(options, handler)
      },
    }
    try {
      expect((await answerOf(portTo(server.url))).text).toBe('second')
    } finally {
      place[DISPATCHER] = own
    }
    expect(seen).toMatchObject([{ path: '/v1/chat/completions', headersTimeout: 0, bodyTimeout: 0 }])
  })
})
