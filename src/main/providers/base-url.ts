/** Addresses of model servers: one normal form, checked before anything is sent. Pure. */
import { ok, type Result, refused } from '../../shared/result.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0'])

/**
 * The normal form: no trailing slash, no query, no `/chat/completions` somebody copied along. Refuses what is no http(s)
 * address and what carries a user name or password, which would end up in configuration and logs.
 */
export function normalizeBaseUrl(text: string): Result<string, string> {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return refused(`“${trimmed}” is not an address. It looks like https://host/v1.`)
  const url = new URL(trimmed)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refused(`The address must begin with http:// or https://, not ${url.protocol}//.`)
  if (url.username !== '' || url.password !== '')
    return refused('The address must not hold a user name or password. Store the key instead.')
  return ok(url.origin + url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, ''))
}

/** Whether the server is on this machine: it may work without a key, and answers may be slow to begin. */
export function isLoopback(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false
  const host = new URL(baseUrl).hostname
  return LOOPBACK.has(host) || host.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * A key as a header can carry it: pasted keys bring spaces, quotes and invisible characters along, and one such
 * character makes every request fail before it is sent. null when nothing is left.
 */
export function cleanKey(key: string | null): string | null {
  const cleaned = (key ?? '').replace(/[^\x21-\x7e]/g, '').replace(/^["']+|["']+$/g, '')
  return cleaned === '' ? null : cleaned
}
