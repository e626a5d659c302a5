/** Addresses of model servers: one normal form, checked before anything is sent. Pure. */
import { ok, type Result, refused } from '../../shared/result.ts'
import { previewOf } from '../../shared/text.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0'])

/**
 * The normal form: no trailing slash, no query, no `/chat/completions` somebody copied along; an address without a path
 * gets `/v1`, where nearly every server has its doors. Refuses what is no http(s) address and what carries a user name
 * or password, which would end up in configuration and logs.
 */
export function normalizeBaseUrl(text: string): Result<string, string> {
  const trimmed = text.trim()
  // `localhost:8080` can be parsed, with `localhost:` as its scheme.
  if (!URL.canParse(trimmed) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed))
    return refused(`${shown(trimmed)} is not an address. It looks like https://host/v1.`)
  const url = new URL(trimmed)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refused(`The address must begin with http:// or https://, not ${url.protocol}//.`)
  if (url.username !== '' || url.password !== '')
    return refused('The address must not hold a user name or password. Store the key instead.')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  return ok(url.origin + (path === '' ? '/v1' : path))
}

const shown = (text: string): string => (text === '' ? 'An empty text' : `“${previewOf(text)}”`)

/** Whether the server is on this machine: it may work without a key, and answers may be slow to begin. */
export function isLoopback(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false
  const host = new URL(baseUrl).hostname
  return LOOPBACK.has(host) || host.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * A key as a header can carry it: pasted keys bring spaces, quotes, `Bearer` and invisible characters along, and one such
 * character makes every request fail before it is sent. null when nothing is left.
 */
export function cleanKey(key: string | null): string | null {
  const cleaned = (key ?? '')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .replace(/^bearer /i, '')
    .replaceAll(' ', '')
  return cleaned === '' ? null : cleaned
}
