/**
 * Finding the core. In the desktop window it is behind `window.herma`; in a browser tab behind the address the page came
 * from, where a token in the address is exchanged once for a cookie and then taken out of sight (architecture 10).
 */
import type { BridgeInfo, HermaBridge } from '../../../shared/bridge.ts'
import { createClient, type HermaClient } from '../../../shared/client.ts'
import { PROTOCOL } from '../../../shared/contract/index.ts'
import { profileName } from '../../../shared/ids.ts'
import { z } from '../../../shared/schema.ts'
import { ipcTransport, type Socket, socketTransport, type WatchedTransport } from './transports.ts'

export interface Connected {
  readonly kind: 'connected'
  readonly info: BridgeInfo
  readonly transport: WatchedTransport
  readonly client: HermaClient
}

/** Why there is nothing to show. Each has a page of its own. */
export type NoConnection =
  /** A browser tab without token and cookie. */
  | { readonly kind: 'no-access' }
  | { readonly kind: 'other-protocol'; readonly theirs: number }
  | { readonly kind: 'unreachable'; readonly detail: string }

const bridgeInfo = z.object({
  profile: profileName,
  platform: z.string(),
  version: z.string(),
  protocol: z.number().int(),
})

/** What a page needs from its browser; a test hands in its own. */
export interface Page {
  readonly bridge: HermaBridge | undefined
  readonly location: {
    readonly hash: string
    readonly host: string
    readonly protocol: string
    readonly pathname: string
  }
  replaceAddress(address: string): void
  fetch(path: string, init?: RequestInit): Promise<Response>
  socket(address: string, protocol: string): Socket
}

export const browserPage: Page = {
  bridge: typeof window === 'undefined' ? undefined : window.herma,
  get location() {
    return window.location
  },
  replaceAddress: (address) => history.replaceState(null, '', address),
  fetch: (path, init) => fetch(path, init),
  socket: (address, protocol) => new WebSocket(address, protocol) as unknown as Socket,
}

/** Connects once. Never rejects: what went wrong is an answer. */
export async function connect(page: Page = browserPage): Promise<Connected | NoConnection> {
  return page.bridge === undefined ? connectSocket(page) : connectBridge(page.bridge)
}

async function connectBridge(bridge: HermaBridge): Promise<Connected | NoConnection> {
  try {
    return greet(JSON.parse(await bridge.info()), () => ipcTransport(bridge))
  } catch (error) {
    return { kind: 'unreachable', detail: String(error) }
  }
}

async function connectSocket(page: Page): Promise<Connected | NoConnection> {
  const token = new URLSearchParams(page.location.hash.slice(1)).get('token')
  // The token leaves the address at once: bookmarks, screenshots and the history shall not hold it.
  if (token !== null) page.replaceAddress(page.location.pathname)
  try {
    if (token !== null) {
      const entered = await enter(page, token)
      if (!entered.ok && entered.status !== 401 && entered.status !== 403)
        return { kind: 'unreachable', detail: `POST /session answered ${entered.status}` }
      if (!entered.ok) return { kind: 'no-access' }
    }
    const info = await page.fetch('/info')
    if (info.status === 401 || info.status === 403) return { kind: 'no-access' }
    if (!info.ok) return { kind: 'unreachable', detail: `GET /info answered ${info.status}` }
    return greet(await info.json(), () => openSocket(page))
  } catch (error) {
    return { kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) }
  }
}

/** Exchanges the token for the cookie. */
const enter = (page: Page, token: string): Promise<Response> =>
  page.fetch('/session', { method: 'POST', headers: { 'x-herma-token': token } })

function greet(raw: unknown, open: () => WatchedTransport): Connected | NoConnection {
  const parsed = bridgeInfo.safeParse(raw)
  if (!parsed.success) return { kind: 'unreachable', detail: 'What answered is not a Herma core.' }
  if (parsed.data.protocol !== PROTOCOL) return { kind: 'other-protocol', theirs: parsed.data.protocol }
  const transport = open()
  return { kind: 'connected', info: parsed.data, transport, client: createClient(transport, parsed.data.profile) }
}

function openSocket(page: Page): WatchedTransport {
  const scheme = page.location.protocol === 'https:' ? 'wss:' : 'ws:'
  const transport = socketTransport({
    open: () => page.socket(`${scheme}//${page.location.host}/rpc`, 'herma.v1'),
    async probe() {
      try {
        const info = await page.fetch('/info')
        if (info.status === 401 || info.status === 403) return 'shut-out'
        if (!info.ok) return 'unreachable'
        const parsed = bridgeInfo.safeParse(await info.json())
        if (!parsed.success) return 'unreachable'
        return parsed.data.protocol === PROTOCOL ? 'ok' : { otherProtocol: parsed.data.protocol }
      } catch {
        return 'unreachable' // nothing listens; the transport tries again after its pause
      }
    },
    now: () => Date.now(),
    later(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    random: Math.random,
  })
  // A laptop that wakes up, or a tab that is looked at again, does not wait for the pause to pass.
  globalThis.addEventListener?.('online', () => transport.retryNow())
  globalThis.document?.addEventListener('visibilitychange', () => !document.hidden && transport.retryNow())
  // The address of a new start, opened in this very tab, only changes the fragment: nothing is loaded again, so what was
  // typed here meanwhile is kept.
  globalThis.addEventListener?.('hashchange', () => {
    const token = new URLSearchParams(page.location.hash.slice(1)).get('token')
    if (token === null) return
    page.replaceAddress(page.location.pathname)
    void enter(page, token).then(
      () => transport.retryNow(),
      () => transport.retryNow(),
    )
  })
  return transport
}
