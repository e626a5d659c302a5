/**
 * Who may talk to the loopback server (cli.md 2, CLI-07). Loopback is not a border: every program of every user of this
 * machine can connect, and every web page in the browser can try. So each request must name us as its host (a page that
 * rebinds its own name to 127.0.0.1 does not), come from our own page if it comes from a page, and know the token or the
 * cookie that the token was exchanged for.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type Verdict = 'welcome' | 'stranger' | 'misled'

export interface Access {
  /** For the address that is printed: 32 random bytes, new at each start. */
  readonly token: string
  /** `misled` (403): another host name, or another site's page. */
  origin(request: IncomingMessage): Verdict
  /** `stranger` (401): neither cookie nor token. Says `misled` first. */
  admit(request: IncomingMessage): Verdict
  /** Whether the request carries the token itself, in a header or a subprotocol. */
  holdsToken(request: IncomingMessage): boolean
  /** `Set-Cookie` for a page that showed the token. */
  cookie(): string
}

/**
 * @param port asked when needed, since the system chooses it
 * @param token given by a test; else random
 */
export function createAccess(port: () => number, token = randomBytes(32).toString('base64url')): Access {
  // Not the token itself: what the browser stores opens nothing after this process has ended.
  const pass = randomBytes(32).toString('base64url')
  // Cookies know no ports: two servers on one machine must not overwrite each other's.
  const name = (): string => `herma_${port()}`
  const holdsCookie = (request: IncomingMessage): boolean =>
    (request.headers.cookie ?? '').split(';').some((pair) => same(pair.trim(), `${name()}=${pass}`))
  const holdsToken = (request: IncomingMessage): boolean => {
    const header = request.headers['x-herma-token']
    if (typeof header === 'string') return same(header, token)
    return subprotocols(request).some((offered) => same(offered, `token.${token}`))
  }
  const origin = (request: IncomingMessage): Verdict => {
    const host = request.headers.host
    if (host !== `127.0.0.1:${port()}` && host !== `localhost:${port()}`) return 'misled'
    const from = request.headers.origin
    if (from !== undefined && from !== `http://${host}`) return 'misled'
    // What a page of another site asks without `Origin` (a picture, a frame) the browser still marks. A person who
    // follows a link to us is welcome: that page cannot read what comes, and the strict cookie does not travel with it.
    const site = request.headers['sec-fetch-site']
    if (site === undefined || site === 'same-origin' || site === 'none') return 'welcome'
    return request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document'
      ? 'welcome'
      : 'misled'
  }
  return {
    token,
    origin,
    holdsToken,
    admit(request) {
      const verdict = origin(request)
      if (verdict !== 'welcome') return verdict
      return holdsToken(request) || holdsCookie(request) ? 'welcome' : 'stranger'
    },
    cookie: () => `${name()}=${pass}; Path=/; HttpOnly; SameSite=Strict`,
  }
}

/** The subprotocols a WebSocket client offers. */
export const subprotocols = (request: IncomingMessage): string[] =>
  (request.headers['sec-websocket-protocol'] ?? '').split(',').map((offered) => offered.trim())

function same(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}
