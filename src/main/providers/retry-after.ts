/** How long a provider asked us to wait (kernel 7.4): header in seconds or as a date, or a field of the body. Pure. */

const CAP_MS = 600_000

interface HeaderBag {
  get(name: string): string | null
}

/**
 * @param body the provider's parsed error object; `text` its sentence
 * @param nowMs wall clock, for dates
 * @returns ms, at most ten minutes; null when nothing usable was said. Zero and past times are ignored: a provider that
 *   refuses and says "0" would otherwise be asked again without any pause.
 */
export function retryAfterMs(headers: HeaderBag | null, body: unknown, text: string, nowMs: number): number | null {
  const said = [
    fromMs(headers?.get('retry-after-ms')),
    fromHeader(headers?.get('retry-after'), nowMs),
    fromBody(body, 0),
    fromText(text),
  ]
  const ms = said.find((value) => value !== null && value > 0)
  return ms === undefined || ms === null ? null : Math.min(Math.ceil(ms), CAP_MS)
}

const numeric = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}

const fromMs = (value: unknown): number | null => numeric(value)

function fromHeader(value: string | null | undefined, nowMs: number): number | null {
  const seconds = numeric(value)
  if (seconds !== null) return seconds * 1000
  const date = Date.parse(value ?? '')
  return Number.isNaN(date) ? null : date - nowMs
}

/** `retry_after` (s), `retry_after_ms`, Google's `retryDelay: "34s"`, at the top or in `metadata` and `details`. */
function fromBody(body: unknown, depth: number): number | null {
  if (typeof body !== 'object' || body === null || depth > 3) return null
  if (Array.isArray(body)) return first(body.slice(0, 10).map((item) => fromBody(item, depth + 1)))
  const fields = body as Record<string, unknown>
  const seconds = numeric(fields['retry_after']) ?? numeric(fields['retry_after_seconds'])
  const delay = typeof fields['retryDelay'] === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(fields['retryDelay']) : null
  return first([
    fromMs(fields['retry_after_ms']),
    seconds === null ? null : seconds * 1000,
    delay === null ? null : Number(delay[1]) * 1000,
    fromBody(fields['metadata'], depth + 1),
    fromBody(fields['details'], depth + 1),
    fromBody(fields['error'], depth + 1),
  ])
}

/** "Please try again in 1m7.5s", as OpenAI and Groq write it. */
function fromText(text: string): number | null {
  const match = /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?\s?(?:ms|h|m|s)[a-z]*\s?)+)/i.exec(text)
  if (match === null) return null
  const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
  let ms = 0
  for (const [, amount, unit] of (match[1] ?? '').matchAll(/(\d+(?:\.\d+)?)\s?(ms|h|m|s)/gi))
    ms += Number(amount) * (unitMs[(unit ?? '').toLowerCase()] ?? 0)
  return ms
}

const first = (values: readonly (number | null)[]): number | null => values.find((value) => value !== null) ?? null
