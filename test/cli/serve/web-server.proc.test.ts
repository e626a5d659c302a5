import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startWebServer, type WebServer } from '../../../src/cli/serve/web-server.ts'
import { SOCKET_LIMITS, type SocketLimits } from '../../../src/main/rpc/transports/websocket.ts'
import { PROTOCOL, REQUEST_LIMIT_BYTES } from '../../../src/shared/contract/index.ts'
import { DEFAULT_PROFILE } from '../../../src/shared/ids.ts'
import { aScriptedDoor, type ScriptedDoor } from '../../support/scripted-door.ts'

const screens = mkdtempSync(join(tmpdir(), 'herma-screens-'))
mkdirSync(join(screens, 'assets'))
writeFileSync(join(screens, 'index.html'), '<!doctype html><title>Herma</title>')
writeFileSync(join(screens, 'assets/app-abc123.js'), 'export {}')
writeFileSync(join(screens, '..', `${screens.split('/').at(-1)}-secret`), 'outside')
afterAll(() => {
  rmSync(screens, { recursive: true })
  rmSync(`${screens}-secret`)
})

async function aServer(
  limits: SocketLimits = SOCKET_LIMITS,
  rendererDir = screens,
): Promise<{ server: WebServer; door: ScriptedDoor }> {
  const door = aScriptedDoor()
  const started = await startWebServer({
    door,
    rendererDir,
    port: 0,
    profile: DEFAULT_PROFILE,
    version: '1.2.3',
    limits,
  })
  if (!started.ok) throw new Error(started.refusal.message)
  onTestFinished(() => started.value.close())
  return { server: started.value, door }
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
/** A request as it stands, without the corrections that `fetch` makes to paths and hosts. */
function ask(server: WebServer, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: server.port, path, method, headers }, (response) => {
      let body = ''
      response.on('data', (data) => {
        body += data
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    asked.on('error', reject)
    asked.end()
  })
}
async function enter(server: WebServer): Promise<string> {
  const { headers } = await ask(server, '/session', { 'x-herma-token': server.token }, 'POST')
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}
const ownOrigin = (server: WebServer): string => `http://127.0.0.1:${server.port}`

/** Opens a socket; answers `open` or the status it was turned away with. */
async function dial(
  server: WebServer,
  protocols: string[],
  headers: Record<string, string>,
  path = '/rpc',
): Promise<{ outcome: 'open' | number; socket: WebSocket }> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols, { headers })
  onTestFinished(() => socket.terminate())
  const outcome = await new Promise<'open' | number>((resolve, reject) => {
    socket.once('open', () => resolve('open'))
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.once('error', reject)
  })
  return { outcome, socket }
}
const dialIn = async (server: WebServer): Promise<WebSocket> =>
  (await dial(server, ['herma.v1', `token.${server.token}`], {})).socket

describe('the screens', () => {
  test('[U-250] come with the content policy and without a way to be framed, sniffed or kept', async () => {
    const { server } = await aServer()
    const { status, headers, body } = await ask(server, '/')
    expect(status).toBe(200)
    expect(body).toContain('<title>Herma</title>')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(headers['content-security-policy']).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe-inline/)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
  test('[U-250] files with a hash in their name are kept for ever', async () => {
    const { server } = await aServer()
    const { headers } = await ask(server, '/assets/app-abc123.js')
    expect(headers['content-type']).toContain('text/javascript')
    expect(headers['cache-control']).toContain('immutable')
  })
  test.each([
    '/../secret',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    `/..%2f${screens.split('/').at(-1)}-secret`,
    '/assets/..%5c..%5csecret',
    '/%00',
    '/%',
    '/assets',
    '//etc/passwd',
    '//',
    'http://[/',
  ])('[CLI-07] nothing outside of them is handed out: %s', async (path) => {
    const { server } = await aServer()
    expect((await ask(server, path)).status).toBe(401)
    expect((await ask(server, path, { cookie: await enter(server) })).status).toBe(404)
  })
  test('[cli 2] that were never built are missed by name', async () => {
    const { server } = await aServer(SOCKET_LIMITS, join(screens, 'nowhere'))
    expect(await ask(server, '/')).toMatchObject({ status: 503, body: expect.stringContaining('not built') })
  })
  test('[CLI-07] only reading is allowed', async () => {
    const { server } = await aServer()
    expect((await ask(server, '/', {}, 'HEAD')).body).toBe('')
    expect((await ask(server, '/', {}, 'PUT')).status).toBe(405)
    expect((await ask(server, '/session', {}, 'GET')).status).toBe(405)
  })
})

describe('who may come in', () => {
  test('[CLI-07] without the token: 401; with it once: a cookie that scripts cannot read, good for a reload', async () => {
    const { server } = await aServer()
    expect((await ask(server, '/info')).status).toBe(401)
    expect((await ask(server, '/session', { 'x-herma-token': 'wrong' }, 'POST')).status).toBe(401)
    expect((await ask(server, '/session', {}, 'POST')).status).toBe(401)

    const entered = await ask(server, '/session', { 'x-herma-token': server.token }, 'POST')
    expect(entered.status).toBe(204)
    expect(entered.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(entered.headers['set-cookie']?.[0]).not.toContain(server.token)

    const info = await ask(server, '/info', { cookie: `other=1; ${await enter(server)}` })
    expect(JSON.parse(info.body)).toEqual({
      profile: 'default',
      platform: process.platform,
      version: '1.2.3',
      protocol: PROTOCOL,
    })
  })
  test('[CLI-07] the cookie of another server of this machine opens nothing', async () => {
    const { server } = await aServer()
    const { server: other } = await aServer()
    expect((await ask(server, '/info', { cookie: await enter(other) })).status).toBe(401)
    const stolenName = (await enter(other)).replace(/^herma_\d+/, `herma_${server.port}`)
    expect((await ask(server, '/info', { cookie: stolenName })).status).toBe(401)
  })
  test.each([
    ['another host name', { host: 'evil.example' }],
    ['our name on another port', { host: '127.0.0.1:1' }],
    ['the page of another site', { origin: 'http://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a picture on another site', { 'sec-fetch-site': 'cross-site' }],
    ['another server of this machine', { 'sec-fetch-site': 'same-site' }],
  ])('[CLI-07] %s: 403, also with the token', async (_who, headers) => {
    const { server } = await aServer()
    const full = { ...headers, 'x-herma-token': server.token, cookie: await enter(server) }
    for (const path of ['/', '/info', '/health', '/nothing']) expect((await ask(server, path, full)).status).toBe(403)
    expect((await ask(server, '/session', full, 'POST')).status).toBe(403)
    expect((await dial(server, ['herma.v1', `token.${server.token}`], full)).outcome).toBe(403)
  })
  test('[CLI-07] a person may follow a link to us; a frame may not', async () => {
    const { server } = await aServer()
    const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await ask(server, '/', { ...followed, 'sec-fetch-dest': 'document' })).status).toBe(200)
    expect((await ask(server, '/', { ...followed, 'sec-fetch-dest': 'iframe' })).status).toBe(403)
  })
  test('[CLI-07] an address that is none does not bring the server down', async () => {
    const { server } = await aServer()
    const line = connect({ host: '127.0.0.1', port: server.port })
    line.write(
      `GET http://[ HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    )
    expect(String((await once(line, 'data'))[0])).toContain('401 Unauthorized')
    expect((await ask(server, '/health')).status).toBe(200)
  })
  test('[CLI-07] localhost is us as well, with its own origin', async () => {
    const { server } = await aServer()
    const host = `localhost:${server.port}`
    expect((await ask(server, '/info', { host, 'x-herma-token': server.token })).status).toBe(200)
    const headers = { host, 'x-herma-token': server.token, origin: `http://${host}` }
    expect((await ask(server, '/session', headers, 'POST')).status).toBe(204)
  })
  test('[CLI-07] whether something lives here is no secret', async () => {
    const { server } = await aServer()
    expect(JSON.parse((await ask(server, '/health')).body)).toEqual({ ok: true, protocol: PROTOCOL })
  })
  test('[CLI-07] the socket opens with the cookie from our page, or with the token from a program', async () => {
    const { server } = await aServer()
    const cookie = await enter(server)
    const origin = ownOrigin(server)
    const token = `token.${server.token}`
    const cases: [string[], Record<string, string>, string, 'open' | number][] = [
      [['herma.v1'], { cookie, origin }, '/rpc', 'open'],
      [['herma.v1', token], {}, '/rpc', 'open'],
      [['herma.v1'], { origin }, '/rpc', 401],
      [['herma.v1', 'token.wrong'], {}, '/rpc', 401],
      [['herma.v1'], { cookie }, '/rpc', 403],
      [['other.v1'], { cookie, origin }, '/rpc', 400],
      [['herma.v1'], { cookie, origin }, '/other', 404],
    ]
    for (const [protocols, headers, path, outcome] of cases) {
      const dialled = await dial(server, protocols, headers, path)
      expect({ protocols, headers, path, outcome: dialled.outcome }).toEqual({ protocols, headers, path, outcome })
      if (outcome === 'open') expect(dialled.socket.protocol).toBe('herma.v1')
    }
  })
})

describe('the socket', () => {
  test('[kernel 8] carries frames there and back, and events to every screen', async () => {
    const { server, door } = await aServer()
    const [one, two] = [await dialIn(server), await dialIn(server)]
    one.send('{"id":1}')
    expect(String((await once(one, 'message'))[0])).toBe('answer to {"id":1}')
    const heard = Promise.all([once(one, 'message'), once(two, 'message')])
    door.say('something happened')
    expect((await heard).map(([data]) => String(data))).toEqual(['something happened', 'something happened'])
    expect(server.connections()).toBe(2)
  })
  test('[kernel 8] a socket that closes is no longer told anything', async () => {
    const { server, door } = await aServer()
    const socket = await dialIn(server)
    socket.close()
    await once(socket, 'close')
    await expect.poll(() => door.listeners()).toBe(0)
  })
  test('[kernel 8] binary frames and frames over the limit end the connection, and only that one', async () => {
    const { server, door } = await aServer()
    const kept = await dialIn(server)
    const binary = await dialIn(server)
    binary.send(Buffer.from([1, 2, 3]))
    expect((await once(binary, 'close'))[0]).toBe(1003)
    const large = await dialIn(server)
    large.on('error', () => large.terminate())
    large.send('x'.repeat(REQUEST_LIMIT_BYTES + 1))
    expect([1009, 1006]).toContain((await once(large, 'close'))[0])
    expect(door.heard).toEqual([])
    kept.send('still here')
    expect(String((await once(kept, 'message'))[0])).toBe('answer to still here')
    await expect.poll(() => door.listeners()).toBe(1)
  })
  test('[U-234] a screen that does not read is closed instead of filling the memory', async () => {
    const { server, door } = await aServer({ ...SOCKET_LIMITS, bufferedBytes: 100_000 })
    const socket = await dialIn(server)
    socket.pause()
    const frame = 'x'.repeat(65_536)
    let said = 0
    while (door.listeners() > 0 && said < 10_000) {
      door.say(frame)
      said++
      await new Promise(setImmediate)
    }
    expect(door.listeners()).toBe(0)
    const closed = once(socket, 'close')
    let received = 0
    socket.on('message', () => {
      received++
    })
    socket.resume()
    expect((await closed)[0]).toBe(4008)
    expect(received).toBe(said) // in order and without a gap up to the end
  })
  test('[kernel 8] a screen that answers no ping is gone', async () => {
    const { server, door } = await aServer({ ...SOCKET_LIMITS, pingMs: 20 })
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, ['herma.v1', `token.${server.token}`], {
      autoPong: false,
    })
    await once(socket, 'open')
    expect((await once(socket, 'close'))[0]).toBe(1006)
    await expect.poll(() => door.listeners()).toBe(0)
  })
})

describe('the port', () => {
  test('[cli 2] a port in use is named, with the next step', async () => {
    const { server } = await aServer()
    const second = await startWebServer({
      door: aScriptedDoor(),
      rendererDir: screens,
      port: server.port,
      profile: DEFAULT_PROFILE,
      version: '1.2.3',
    })
    expect(second).toMatchObject({ ok: false, refusal: { code: 'busy', next: expect.stringContaining('--port') } })
    expect(!second.ok && second.refusal.message).toContain(String(server.port))
  })
  test('[cli 2] only the loopback address is bound', async () => {
    const { server } = await aServer()
    const elsewhere = connect({ host: '127.0.0.2', port: server.port })
    expect((await once(elsewhere, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' })
  })
  test('[cli 2] closing tells the screens, frees the port and can be repeated', async () => {
    const { server } = await aServer()
    const socket = await dialIn(server)
    const told = once(socket, 'close')
    await Promise.all([server.close(), server.close()])
    expect((await told)[0]).toBe(1001)
    await expect(ask(server, '/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
