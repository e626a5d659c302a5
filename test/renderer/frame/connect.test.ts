import { describe, expect, test } from 'vitest'
import { connect, type Page } from '../../../src/renderer/src/client/connect.ts'
import type { Socket } from '../../../src/renderer/src/client/transports.ts'
import { info, ScriptedCore } from './scripted-core.ts'

interface Door {
  readonly session?: number
  readonly info?: number
  readonly greeting?: unknown
  readonly down?: true
}

/** A browser tab at `hash`, in front of a door that answers as told. */
function aTab(hash: string, door: Door = {}) {
  const requests: { path: string; token: string | null }[] = []
  const sockets: { address: string; protocol: string }[] = []
  const page: Page & { address: string } = {
    bridge: undefined,
    address: `/${hash}`,
    location: { hash, host: '127.0.0.1:4321', protocol: 'http:', pathname: '/' },
    replaceAddress(address) {
      page.address = address
    },
    async fetch(path, init) {
      if (door.down) throw new TypeError('Failed to fetch')
      requests.push({ path, token: new Headers(init?.headers).get('x-herma-token') })
      if (path === '/session') return new Response(null, { status: door.session ?? 204 })
      return new Response(JSON.stringify(door.greeting ?? info), { status: door.info ?? 200 })
    },
    socket(address, protocol) {
      sockets.push({ address, protocol })
      return { send() {}, close() {}, onopen: null, onmessage: null, onclose: null } satisfies Socket
    },
  }
  return { page, requests, sockets }
}

describe('[U-250] a browser tab', () => {
  test('exchanges its token for a cookie, takes it out of the address, and opens the socket', async () => {
    const { page, requests, sockets } = aTab('#token=secret')

    const found = await connect(page)

    expect(found.kind).toBe('connected')
    expect(page.address).toBe('/')
    expect(requests).toEqual([
      { path: '/session', token: 'secret' },
      { path: '/info', token: null },
    ])
    expect(sockets).toEqual([{ address: 'ws://127.0.0.1:4321/rpc', protocol: 'herma.v1' }])
  })

  test('lives on its cookie after a reload', async () => {
    const { page, requests } = aTab('')
    expect((await connect(page)).kind).toBe('connected')
    expect(requests.map(({ path }) => path)).toEqual(['/info'])
  })

  test('without token and cookie has no access', async () => {
    expect(await connect(aTab('', { info: 401 }).page)).toEqual({ kind: 'no-access' })
  })

  test('with a token of an earlier start has no access, and the token is gone from the address', async () => {
    const { page } = aTab('#token=old', { session: 401 })
    expect(await connect(page)).toEqual({ kind: 'no-access' })
    expect(page.address).toBe('/')
  })

  test('says when nothing answers', async () => {
    expect(await connect(aTab('', { down: true }).page)).toEqual({ kind: 'unreachable', detail: 'Failed to fetch' })
  })

  test('says when something else answers', async () => {
    expect((await connect(aTab('', { greeting: { hello: 'world' } }).page)).kind).toBe('unreachable')
  })

  test('says when the core speaks another protocol, and opens no socket', async () => {
    const { page, sockets } = aTab('', { greeting: { ...info, protocol: 99 } })
    expect(await connect(page)).toEqual({ kind: 'other-protocol', theirs: 99 })
    expect(sockets).toEqual([])
  })
})

describe('[U-250] a desktop window', () => {
  const aWindow = (greeting: unknown) => {
    const core = new ScriptedCore()
    const { page } = aTab('')
    const bridge = {
      call: (message: string) => core.answer(message),
      subscribe: (listener: (message: string) => void) => core.subscribe(listener),
      info: async () => JSON.stringify(greeting),
    }
    return { core, page: { ...page, bridge } }
  }

  test('uses the bridge and names its profile in each call', async () => {
    const { core, page } = aWindow(info)
    const found = await connect(page)
    if (found.kind !== 'connected') throw new Error(found.kind)

    const health = await found.client.call('health.get', {})

    expect(health.ok).toBe(true)
    expect(core.calls).toEqual([{ method: 'health.get', params: { profile: 'default' } }])
  })

  test('says when the core speaks another protocol', async () => {
    expect(await connect(aWindow({ ...info, protocol: 2 }).page)).toEqual({ kind: 'other-protocol', theirs: 2 })
  })
})
