/**
 * The one table that says what a provider's failure means (kernel 7.3). First match wins, and the order carries rules:
 * throttling words beat token words, an unsupported `max_tokens` is no overflow.
 */
import { APIConnectionTimeoutError, APIError } from 'openai'
import type { FailureKind, ProviderFailure } from '../kernel/ports.ts'
import { failureText, withoutSecrets } from './failure-text.ts'
import { retryAfterMs } from './retry-after.ts'

export interface FailureContext {
  /** Name for a person. */
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  readonly isLocal: boolean
  /** Sent with the request; only used to keep it out of messages. */
  readonly apiKey: string | null
  /** Estimated tokens of the request over the model's window; null when the window is unknown. */
  readonly windowShare: number | null
  /** Whether any part of an answer had arrived. */
  readonly hadAnswer: boolean
  readonly nowMs: number
}

interface Signal {
  readonly status: number | null
  /** Codes and types the provider or the system gave, lower case, joined by spaces. */
  readonly codes: string
  /** All words of the failure, unwrapped. */
  readonly text: string
  readonly transport: 'timeout' | 'cut' | 'tls' | null
  readonly isLocal: boolean
  readonly isLarge: boolean
  readonly hadAnswer: boolean
}

type Rule = readonly [kind: FailureKind, matches: (signal: Signal) => boolean]

const CONTENT =
  /content[_ ]?filter|content[_ ]policy|content management policy|safety (?:system|filter|polic|reasons|settings)|responsible ?ai|violat\w*[^.]{0,60}polic|flagged (?:as|for|by)/i
const THROTTLE = /rate.?limit|too many requests|per (?:minute|second|hour|day)|throttl|quota/i
const OVERFLOW =
  /context[_ ]?(?:length|window|size)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|reduce the length|exceeds?[^.]{0,60}(?:token|context)|exceed_context/i
const PARAMETER =
  /(?:unsupported|unknown|unrecogni[sz]ed|unexpected)[_ ](?:request )?(?:parameter|argument|field|keyword|value)|extra (?:inputs|fields)[^.]{0,20}not permitted|is not supported with this model|invalid (?:request body|type for|value for|'?messages)|messages?\[\d+\]|must be followed by tool messages/i
const OVERLOAD = /overload|at capacity|over capacity|capacity (?:exceeded|limit)|no capacity/i
const MODEL =
  /model_not_found|not a valid model|invalid model|no endpoints found for|models?\b[^.]{0,160}(?:not found|does ?n[o']t exist|not exist|no such|unknown|not available|deprecated|not supported|decommissioned)|(?:no such|unknown|not found)[^.]{0,20}\bmodel/i

const is =
  (...statuses: number[]) =>
  (signal: Signal): boolean =>
    signal.status !== null && statuses.includes(signal.status)
/** The failure came without a status (inside a stream), where words must do. */
const unnumbered = (signal: Signal): boolean => signal.status === null && signal.transport === null
const within = (signal: Signal, from: number, to: number): boolean =>
  signal.status !== null && signal.status >= from && signal.status <= to

export const FAILURE_TABLE: readonly Rule[] = [
  ['tls_cert', (s) => s.transport === 'tls'],
  [
    'content_policy_blocked',
    (s) => (is(400, 403, 422, 451)(s) || unnumbered(s)) && CONTENT.test(`${s.codes} ${s.text}`),
  ],
  ['schema_grammar', (s) => s.isLocal && is(400)(s) && /grammar|regex pattern|"pattern"/i.test(s.text)],
  ['auth', (s) => is(401)(s) || (unnumbered(s) && /invalid_api_key|authentication_error|unauthorized/.test(s.codes))],
  ['billing', (s) => is(403)(s) && /\blimit|credit|quota|billing|balance|payment/i.test(s.text)],
  ['auth', is(403)],
  ['rate_limit', (s) => is(402)(s) && /try again|resets?\b|retry after/i.test(s.text)],
  ['billing', is(402)],
  // Before the model's name: OpenRouter's sentence about the data policy names models too.
  ['provider_policy_blocked', (s) => is(404)(s) && /data policy|privacy settings|guardrail restrictions/i.test(s.text)],
  ['model_not_found', (s) => is(404)(s) && MODEL.test(`${s.codes} ${s.text}`)],
  ['unknown', is(404)],
  ['timeout', is(408)],
  ['payload_too_large', is(413)],
  ['billing', (s) => (is(429)(s) || unnumbered(s)) && /insufficient_quota|insufficient_balance|billing/.test(s.codes)],
  ['overloaded', (s) => is(429)(s) && OVERLOAD.test(`${s.codes} ${s.text}`)],
  ['upstream_rate_limit', (s) => is(429)(s) && /upstream|provider returned error/i.test(s.text)],
  ['rate_limit', is(429)],
  ['format_error', (s) => (is(400, 422)(s) || within(s, 500, 599)) && PARAMETER.test(`${s.codes} ${s.text}`)],
  ['server_error', (s) => /empty response|returned no (?:content|choices)/i.test(s.text) && !within(s, 400, 499)],
  ['rate_limit', (s) => (is(400, 500, 503)(s) || unnumbered(s)) && THROTTLE.test(`${s.codes} ${s.text}`)],
  ['context_overflow', (s) => (is(400, 422, 500, 503)(s) || unnumbered(s)) && OVERFLOW.test(`${s.codes} ${s.text}`)],
  ['context_overflow', (s) => is(400)(s) && s.text === '' && s.isLarge],
  ['model_not_found', (s) => (is(400, 422)(s) || unnumbered(s)) && MODEL.test(`${s.codes} ${s.text}`)],
  // 3xx: redirects are not followed; the address is wrong.
  ['format_error', (s) => within(s, 300, 499)],
  ['overloaded', (s) => is(503, 529)(s) || (unnumbered(s) && OVERLOAD.test(`${s.codes} ${s.text}`))],
  [
    'server_error',
    (s) => within(s, 500, 599) || (unnumbered(s) && /server_error|internal|api_error|z_\w+_error/.test(s.codes)),
  ],
  // A server that hangs up on a large request before the first word has usually run out of room for it.
  ['context_overflow', (s) => s.transport === 'cut' && s.isLarge && !s.hadAnswer],
  ['timeout', (s) => s.transport !== null],
]

/** Classifies whatever a request threw. Never throws; says nothing of keys or stacks. */
export function classifyError(error: unknown, context: FailureContext): ProviderFailure {
  const signal = read(error, context)
  const kind: FailureKind =
    error instanceof SyntaxError || error instanceof RangeError
      ? 'server_error'
      : (FAILURE_TABLE.find(([, matches]) => matches(signal))?.[0] ?? 'unknown')
  const said = error instanceof SyntaxError ? 'a part of the answer was not valid JSON' : signal.text
  return describeFailure(kind, context, {
    status: signal.status,
    said,
    retryAfterMs: retryAfterMs(headersOf(error), error instanceof APIError ? error.error : null, said, context.nowMs),
  })
}

/** A failure the adapter met itself: `said` is its own sentence. */
export function describeFailure(
  kind: FailureKind,
  context: FailureContext,
  facts: { status?: number | null; said?: string; retryAfterMs?: number | null } = {},
): ProviderFailure {
  const status = facts.status ?? null
  const wait = facts.retryAfterMs ?? null
  const text = failureText(kind, {
    provider: context.provider,
    model: context.model,
    host: URL.canParse(context.baseUrl) ? new URL(context.baseUrl).host : context.baseUrl,
    status,
    said: withoutSecrets(facts.said ?? '', context.apiKey),
    retryAfterMs: wait,
    isLocal: context.isLocal,
    hadAnswer: context.hadAnswer,
  })
  return { kind, message: text.message, status, retryAfterMs: wait, next: text.next }
}

function read(error: unknown, context: FailureContext): Signal {
  const large = context.windowShare !== null && context.windowShare > 0.4
  const shared = { isLocal: context.isLocal, isLarge: large, hadAnswer: context.hadAnswer }
  const causes = chain(error)
  const codes = causes.flatMap((cause) => [text(cause['code']), text(cause['name'])])
  if (error instanceof APIError && error.error !== undefined && error.error !== null) {
    const words = wordsOf(error.error, 0)
    return {
      ...shared,
      status: error.status ?? statusIn(error.error),
      codes: [...words.codes, ...codes].join(' ').toLowerCase(),
      text: words.text.join(' '),
      transport: null,
    }
  }
  if (error instanceof APIError && error.status !== undefined) {
    // No JSON body: the SDK's own message is "<status> <text>" or "<status> status code (no body)".
    const body = error.message.replace(/^\d+ /, '').replace(/^status code \(no body\)$/, '')
    return { ...shared, status: error.status, codes: '', text: plain(body), transport: null }
  }
  const joined = codes.join(' ')
  const messages = causes.map((cause) => text(cause['message'])).filter((m) => m !== '')
  return {
    ...shared,
    status: null,
    codes: joined.toLowerCase(),
    text: messages.at(-1) ?? '',
    transport: transportOf(error, joined, messages),
  }
}

const TLS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS_CERT|ERR_SSL/
const UNREACHED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|_TIMEOUT/

function transportOf(error: unknown, codes: string, messages: readonly string[]): Signal['transport'] {
  if (TLS.test(codes)) return 'tls'
  // Compressed bytes that are not: the connection was fine, what came over it was not.
  if (/\bZ_[A-Z]+_ERROR\b/.test(codes)) return null
  if (error instanceof APIConnectionTimeoutError || UNREACHED.test(codes)) return 'timeout'
  if (/UND_ERR|ECONNRESET|EPIPE|HPE_/.test(codes)) return 'cut'
  return messages.some((message) =>
    /^terminated$|fetch failed|socket hang up|other side closed|Connection error/.test(message),
  )
    ? 'cut'
    : null
}

/** The error, its causes and, where several addresses were tried, the first of them. */
function chain(error: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  let at: unknown = error
  while (typeof at === 'object' && at !== null && found.length < 8) {
    const fields = at as Record<string, unknown>
    found.push(fields)
    at = fields['cause'] ?? (Array.isArray(fields['errors']) ? fields['errors'][0] : undefined)
  }
  return found
}

/** Words and codes of an error body; an inner body as JSON text (`metadata.raw`) is unwrapped. */
function wordsOf(body: unknown, depth: number): { text: string[]; codes: string[] } {
  if (typeof body === 'string') {
    const inner = depth < 4 ? parsed(body) : undefined
    return inner === undefined ? { text: [plain(body)], codes: [] } : wordsOf(inner, depth + 1)
  }
  if (typeof body !== 'object' || body === null || depth > 4) return { text: [], codes: [] }
  const fields = body as Record<string, unknown>
  const inner = [fields['message'], fields['error'], fields['detail'], fields['metadata'], fields['raw']].map((part) =>
    Array.isArray(part) ? wordsOf(part[0], depth + 1) : wordsOf(part, depth + 1),
  )
  const own = ['code', 'type', 'status', 'reason', 'msg'].map((name) => text(fields[name]))
  return {
    text: [...new Set([...inner.flatMap((part) => part.text), text(fields['msg'])])].filter((t) => t !== ''),
    codes: [...own, ...inner.flatMap((part) => part.codes)].filter((t) => t !== ''),
  }
}

/** OpenRouter and others put the status into the body of an error that comes inside a stream. */
function statusIn(body: unknown): number | null {
  if (typeof body !== 'object' || body === null) return null
  const code = Number((body as Record<string, unknown>)['code'] ?? (body as Record<string, unknown>)['status'])
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : null
}

function parsed(body: string): unknown {
  if (!/^\s*[{[]/.test(body)) return undefined
  try {
    const value: unknown = JSON.parse(body)
    return Array.isArray(value) ? value[0] : value
  } catch {
    return undefined
  }
}

/** A page of HTML tells a person nothing beyond its title. */
function plain(body: string): string {
  if (!/^\s*<(?:!doctype|html)/i.test(body)) return body
  return /<title[^>]*>([^<]{1,200})/i.exec(body)?.[1]?.trim() ?? 'a web page'
}

const headersOf = (error: unknown): Headers | null => (error instanceof APIError ? (error.headers ?? null) : null)
const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
