import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRouter, type Handlers } from '../../src/main/rpc/router.ts'
import { METHOD_NAMES, responseFrame } from '../../src/shared/contract/index.ts'
import { ok } from '../../src/shared/result.ts'

const faults: string[] = []
const router = createRouter({
  handlers: Object.fromEntries(
    METHOD_NAMES.map((name) => [
      name,
      async () => {
        if (name === 'health.get') throw new Error('secret path /x/y')
        return ok({ rows: [] })
      },
    ]),
  ) as unknown as Handlers,
  subscribe: () => () => {},
  serves: (profile) => profile === 'default',
  onFault: (method) => faults.push(method),
})
const ask = async (frame: unknown) =>
  responseFrame.parse(JSON.parse(await router.handle(typeof frame === 'string' ? frame : JSON.stringify(frame))))

test('[G-07] a method without a profile, or with one that is not served, is refused and never answered from a default', async () => {
  expect(await ask({ jsonrpc: '2.0', id: 1, method: 'session.list', params: {} })).toMatchObject({
    id: 1,
    error: { code: -32602, message: expect.stringContaining('profile') },
  })
  expect(await ask({ jsonrpc: '2.0', id: 2, method: 'session.list', params: { profile: 'other' } })).toMatchObject({
    error: { code: 4011, data: { refusal: 'profile_unknown' } },
  })
  expect(await ask({ jsonrpc: '2.0', id: 3, method: 'session.list', params: { profile: 'default' } })).toMatchObject({
    result: { rows: [] },
  })
})

test('[kernel 8.3] an unknown method, unknown params and a fault of ours each get their own refusal', async () => {
  expect(await ask({ jsonrpc: '2.0', id: 1, method: 'nope', params: {} })).toMatchObject({ error: { code: -32601 } })
  expect(await ask({ jsonrpc: '2.0', id: 1, method: 'toString', params: {} })).toMatchObject({
    error: { code: -32601 },
  })
  expect(
    await ask({ jsonrpc: '2.0', id: 1, method: 'session.list', params: { profile: 'default', more: 1 } }),
  ).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('more') },
  })
  const broken = await ask({ jsonrpc: '2.0', id: 1, method: 'health.get', params: { profile: 'default' } })
  expect(broken).toMatchObject({ error: { code: -32603 } })
  expect(JSON.stringify(broken)).not.toContain('/x/y')
  expect(faults).toEqual(['health.get'])
})

test('[kernel 8.3] whatever arrives, one valid response frame goes back', async () => {
  const frame = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.integer(), fc.string()),
        method: fc.constantFrom(...METHOD_NAMES),
        params: fc.jsonValue(),
      })
      .map((each) => JSON.stringify(each)),
  )
  await fc.assert(
    fc.asyncProperty(frame, async (message) => {
      const answer = await ask(message)
      expect('result' in answer !== 'error' in answer).toBe(true)
    }),
    { numRuns: 300 },
  )
})
