/**
 * The loopback door: the same built screens in a browser tab, and the same Door behind a WebSocket (decisions 3). One
 * transport, not a second application. Only 127.0.0.1 is bound, whatever is asked.
 *
 *     GET  /, /assets/…   the screens, the same bytes for everyone
 *     POST /session       header `x-herma-token` → cookie
 *     GET  /info          profile, version, protocol, platform
 *     GET  /rpc           WebSocket, subprotocol `herma.v1`; cookie or `token.<token>` as a second subprotocol
 *     GET  /health        whether something lives here; no secret needed
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Door } from '../../main/rpc/door.ts'
import { screenFile } from '../../main/rpc/transports/screen-files.ts'
import { attachDoor, SOCKET_LIMITS, type SocketLimits, SUBPROTOCOL } from '../../main/rpc/transports/websocket.ts'
import type { BridgeInfo } from '../../shared/bridge.ts'
import { PROTOCOL, REQUEST_LIMIT_BYTES, type Refusal, refusal } from '../../shared/contract/index.ts'
import type { Profile } from '../../shared/ids.ts'
import { ok, type Result, refused } from '../../shared/result.ts'
import { type Access, createAccess, subprotocols, type Verdict } from './access.ts'

export interface WebServerOptions {
  readonly door: Door
  /** Absolute folder of the built screens. */
  readonly rendererDir: string
  /** 0 = any free one. */
  readonly port: number
  readonly profile: Profile
  readonly version: string
  /** For tests; else 32 random bytes. */
  readonly token?: string
  readonly limits?: SocketLimits
}

export interface WebServer {
  /** With the token in its fragment, which no server, log or Referer ever sees. */
  readonly url: string
  readonly port: number
  readonly token: string
  /** Screens connected right now: somebody who can be asked. */
  connections(): number
  /** Tells each screen that the server goes away, then frees the port. Repeatable. */
  close(): Promise<void>
}

/** Starts to listen. Refused when the port is taken or not ours to take. */
export async function startWebServer(options: WebServerOptions): Promise<Result<WebServer, Refusal>> {
  const server = createServer()
  const failed = await listen(server, options.port)
  if (failed !== null) return refused(failed)
  const port = (server.address() as AddressInfo).port
  const access = createAccess(() => port, options.token)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: REQUEST_LIMIT_BYTES,
    handleProtocols: () => SUBPROTOCOL,
  })
  const info: BridgeInfo = {
    profile: options.profile,
    platform: process.platform,
    version: options.version,
    protocol: PROTOCOL,
  }
  server.on('request', (request, response) => {
    answer(request, response, { access, info, rendererDir: options.rendererDir }).catch((error: unknown) => {
      // The disk failed under a file of the screens; the page shows the status, the next request tries again.
      if (response.headersSent) response.destroy()
      else plain(response, 500, `The screens could not be read: ${error instanceof Error ? error.message : error}`)
    })
  })
  server.on('upgrade', (request, socket, head) => {
    const refusal = refuseUpgrade(request, access)
    if (refusal !== null) return endUpgrade(socket, refusal)
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      attachDoor(accepted, options.door, options.limits ?? SOCKET_LIMITS),
    )
  })
  let closing: Promise<void> | null = null
  return ok({
    url: `http://127.0.0.1:${port}/#token=${access.token}`,
    port,
    token: access.token,
    connections: () => sockets.clients.size,
    close() {
      closing ??= close(server, sockets)
      return closing
    },
  })
}

function listen(server: Server, port: number): Promise<Refusal | null> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(whyNot(error, port)))
    server.listen(port, '127.0.0.1', () => {
      server.removeAllListeners('error')
      resolve(null)
    })
  })
}

function whyNot(error: NodeJS.ErrnoException, port: number): Refusal {
  const next = 'Choose another one with --port, or leave it out for any free one.'
  if (error.code === 'EADDRINUSE')
    return refusal('busy', `Port ${port} of 127.0.0.1 is in use by another program.`, { next })
  if (error.code === 'EACCES') return refusal('permission_denied', `Port ${port} is not yours to open.`, { next })
  return refusal('internal', `127.0.0.1:${port} cannot be opened (${error.code ?? error.message}).`, { next })
}

interface Answering {
  readonly access: Access
  readonly info: BridgeInfo
  readonly rendererDir: string
}

async function answer(request: IncomingMessage, response: ServerResponse, it: Answering): Promise<void> {
  request.resume() // no route reads a body
  const from = it.access.origin(request)
  if (from !== 'welcome') return turnAway(response, from)
  const pathname = pathOf(request)
  const reading = request.method === 'GET' || request.method === 'HEAD'
  if (pathname === '/session') {
    if (request.method !== 'POST') return plain(response, 405, 'POST only', { allow: 'POST' })
    if (!it.access.holdsToken(request)) return turnAway(response, 'stranger')
    response.writeHead(204, { ...NO_STORE, 'set-cookie': it.access.cookie() }).end()
    return
  }
  if (!reading) return plain(response, 405, 'GET only', { allow: 'GET, HEAD' })
  if (pathname === '/health') return json(response, { ok: true, protocol: PROTOCOL })
  if (pathname === '/info') {
    const verdict = it.access.admit(request)
    return verdict === 'welcome' ? json(response, it.info) : turnAway(response, verdict)
  }
  const file = await screenFile(it.rendererDir, pathname)
  if (file !== null) {
    response.writeHead(200, { ...file.headers, 'content-length': file.body.length })
    response.end(request.method === 'HEAD' ? undefined : file.body)
    return
  }
  if (pathname === '/') return plain(response, 503, `The screens are not built: ${it.rendererDir} holds no index.html.`)
  // To a stranger nothing here exists or does not exist.
  const verdict = it.access.admit(request)
  return verdict === 'welcome' ? plain(response, 404, 'There is nothing at this address.') : turnAway(response, verdict)
}

/** Why a WebSocket may not be opened; null when it may. Only programs come without `Origin`, and they show the token. */
function refuseUpgrade(request: IncomingMessage, access: Access): number | null {
  const verdict = access.admit(request)
  if (verdict !== 'welcome') return STATUS[verdict]
  if (request.headers.origin === undefined && !access.holdsToken(request)) return 403
  if (pathOf(request) !== '/rpc') return 404
  return subprotocols(request).includes(SUBPROTOCOL) ? null : 400
}

/** As it was sent: a URL parser would throw at some addresses and follow the dots in others. */
const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/'

const STATUS = { stranger: 401, misled: 403 } as const
const WORDS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
}
const NO_STORE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

function endUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy()) // whoever is turned away may hang up first
  socket.end(`HTTP/1.1 ${status} ${WORDS[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function turnAway(response: ServerResponse, verdict: Exclude<Verdict, 'welcome'>): void {
  if (verdict === 'misled') plain(response, 403, 'This address serves its own page only.')
  else plain(response, 401, 'Open the address that `herma serve` printed; it carries the token.')
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { ...NO_STORE, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(value))
}

function plain(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...NO_STORE, ...headers, 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}

/** Time for a screen to read why it is closed; after that the connection is cut. */
const GOODBYE_MS = 500

async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of sockets.clients) socket.close(1001, 'the server ends')
  const cut = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate()
  }, GOODBYE_MS)
  server.closeIdleConnections()
  await Promise.all([...sockets.clients].map((socket) => new Promise((gone) => socket.once('close', gone))))
  clearTimeout(cut)
  server.closeAllConnections()
  await closed
}
