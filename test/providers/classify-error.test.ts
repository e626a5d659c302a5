import { APIConnectionTimeoutError, APIError } from 'openai'
import { describe, expect, it } from 'vitest'
import { FAILURE_KINDS, type FailureKind } from '../../src/main/kernel/ports.ts'
import { classifyError, type FailureContext } from '../../src/main/providers/classify-error.ts'

const KEY = 'sk-proj-SECRETSECRETSECRET'
const context = (more: Partial<FailureContext> = {}): FailureContext => ({
  provider: 'Acme',
  model: 'acme-1',
  baseUrl: 'https://api.acme.test/v1',
  isLocal: false,
  apiKey: KEY,
  windowShare: 0.1,
  hadAnswer: false,
  nowMs: Date.UTC(2026, 0, 1),
  ...more,
})
/** What the SDK throws for an HTTP answer. */
const http = (status: number, error: unknown, headers: Record<string, string> = {}): APIError =>
  APIError.generate(status, error === undefined ? undefined : { error }, undefined, new Headers(headers))
/** What the SDK throws for `{"error": …}` inside a stream. */
const inStream = (error: object): APIError => new APIError(undefined, error, undefined, new Headers())
/** What fetch throws, with the system's code below it. */
const transport = (code: string): APIError =>
  APIError.generate(
    undefined,
    Object.assign(new TypeError('fetch failed'), { cause: { code, message: code } }),
    undefined,
    undefined,
  )

type Case = readonly [what: string, error: unknown, kind: FailureKind, more?: Partial<FailureContext>]
const CASES: readonly Case[] = [
  [
    'content filter',
    http(400, { code: 'content_filter', message: 'The response was filtered' }),
    'content_policy_blocked',
  ],
  ['safety words', http(400, { message: 'Your request was rejected by our safety system.' }), 'content_policy_blocked'],
  [
    'a grammar a local server cannot build',
    http(400, { message: 'failed to parse grammar' }),
    'schema_grammar',
    { isLocal: true },
  ],
  ['the same words from afar', http(400, { message: 'failed to parse grammar' }), 'format_error'],
  ['401', http(401, { message: 'Incorrect API key provided' }), 'auth'],
  ['403', http(403, { message: 'Country not supported' }), 'auth'],
  ['403 with a limit', http(403, { message: 'Key limit exceeded' }), 'billing'],
  ['402', http(402, { message: 'Insufficient credits' }), 'billing'],
  ['402 that passes', http(402, { message: 'Daily allowance used, resets at midnight' }), 'rate_limit'],
  [
    '404 of a model',
    http(404, { message: 'The model `x` does not exist', code: 'model_not_found' }),
    'model_not_found',
  ],
  [
    '404 of an Ollama model',
    http(404, { message: 'model "llama9" not found, try pulling it first' }),
    'model_not_found',
  ],
  [
    '404 of a data policy',
    http(404, { message: 'No endpoints found matching your data policy' }),
    'provider_policy_blocked',
  ],
  ['404 of anything', http(404, { message: 'Not Found' }), 'unknown'],
  ['408', http(408, { message: 'Request timeout' }), 'timeout'],
  ['413', http(413, { message: 'Payload too large' }), 'payload_too_large'],
  [
    '429 of an empty purse',
    http(429, { code: 'insufficient_quota', message: 'You exceeded your current quota' }),
    'billing',
  ],
  ['429 overloaded', http(429, { message: 'Engine overloaded' }), 'overloaded'],
  [
    '429 from behind',
    http(429, { message: 'Provider returned error', metadata: { raw: '{"error":"busy"}' } }),
    'upstream_rate_limit',
  ],
  ['429', http(429, { message: 'Rate limit reached for tokens per minute' }), 'rate_limit'],
  [
    '[F-15] an unsupported max_tokens',
    http(400, { message: "Unsupported parameter: 'max_tokens' is not supported with this model." }),
    'format_error',
  ],
  ['a bad parameter as 500', http(500, { message: 'Unknown parameter: foo' }), 'format_error'],
  ['a bad message body', http(400, { message: "Invalid type for 'messages[1].content'" }), 'format_error'],
  ['an empty upstream answer', http(502, { message: 'empty response from model' }), 'server_error'],
  ['throttling beats token words', http(400, { message: 'too many tokens per minute' }), 'rate_limit'],
  ['overflow by code', http(400, { code: 'context_length_exceeded', message: 'too long' }), 'context_overflow'],
  [
    'overflow by words',
    http(400, { message: "This model's maximum context length is 8192 tokens" }),
    'context_overflow',
  ],
  ['overflow as 500', http(500, { message: 'the request exceeds the available context size' }), 'context_overflow'],
  [
    '[F-15] overflow inside metadata.raw',
    http(400, {
      message: 'Provider returned error',
      metadata: { raw: '{"error":{"message":"prompt is too long: 210000 tokens"}}' },
    }),
    'context_overflow',
  ],
  ['a bare 400 of a large request', http(400, undefined), 'context_overflow', { windowShare: 0.5 }],
  ['a bare 400 of a small request', http(400, undefined), 'format_error'],
  ['400 of a model name', http(400, { message: 'acme-9 is not a valid model ID' }), 'model_not_found'],
  ['422', http(422, { detail: [{ msg: 'field required' }] }), 'format_error'],
  ['418', http(418, { message: 'teapot' }), 'format_error'],
  ['a redirect', http(307, undefined), 'format_error'],
  ['503', http(503, { message: 'Service unavailable' }), 'overloaded'],
  ['529', http(529, { message: 'Overloaded' }), 'overloaded'],
  ['500', http(500, { message: 'Internal error' }), 'server_error'],
  ['502 with a web page', http(502, undefined), 'server_error'],
  ['an error in the stream with a status', inStream({ code: 429, message: 'slow down' }), 'rate_limit'],
  ['an error in the stream by type', inStream({ type: 'overloaded_error', message: 'Overloaded' }), 'overloaded'],
  ['an error in the stream, server', inStream({ type: 'server_error', message: 'oops' }), 'server_error'],
  ['an error in the stream, too long', inStream({ message: 'context length exceeded' }), 'context_overflow'],
  ['an error in the stream, anything', inStream({ message: 'hm' }), 'unknown'],
  ['a chunk that is no JSON', new SyntaxError('Unexpected token'), 'server_error'],
  ['refused connection', transport('ECONNREFUSED'), 'timeout'],
  ['no such host', transport('ENOTFOUND'), 'timeout'],
  ['reset', transport('ECONNRESET'), 'timeout'],
  ['SDK timeout', new APIConnectionTimeoutError(), 'timeout'],
  ['cut connection', new TypeError('terminated'), 'timeout'],
  ['a hang-up on a large request', transport('UND_ERR_SOCKET'), 'context_overflow', { windowShare: 0.6 }],
  ['a hang-up in mid-answer', transport('UND_ERR_SOCKET'), 'timeout', { windowShare: 0.6, hadAnswer: true }],
  ['[F-14] a certificate', transport('CERT_HAS_EXPIRED'), 'tls_cert'],
  ['a certificate nobody signed', transport('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls_cert'],
  ['something thrown that is no error', 'boom', 'unknown'],
  ['nothing thrown', undefined, 'unknown'],
]

const NAMED = CASES.map(([what, error, kind, more]) => ({ what, error, kind, more }))

describe('classification', () => {
  it.each(NAMED)('[kernel 7.3] $what', ({ error, kind, more }) => {
    expect(classifyError(error, context(more)).kind).toBe(kind)
  })

  it('[kernel 7.3] has a case for every class', () => {
    expect(new Set(CASES.map(([, , kind]) => kind))).toEqual(new Set(FAILURE_KINDS))
  })

  it.each(NAMED)('[U-210] names the provider and a next step: $what', ({ error, kind, more }) => {
    const failure = classifyError(error, context(more))
    expect(failure.message).toMatch(kind === 'tls_cert' ? /api\.acme\.test/ : /Acme/)
    expect(failure.message).not.toMatch(/\n| at .*:\d+:\d+/)
    expect(failure.next).not.toBe('')
  })

  it('[U-39] keeps the key out of what a person reads', () => {
    const echo = http(400, { message: `bad header Bearer ${KEY} and also sk-other-0123456789` })
    const { message } = classifyError(echo, context())
    expect(message).not.toContain('SECRET')
    expect(message).not.toContain('0123456789')
  })

  it('[kernel 7.3] shortens a page of HTML to its title', () => {
    const error = APIError.generate(502, undefined, '<html><head><title>502 Bad Gateway</title></head>', new Headers())
    expect(classifyError(error, context()).message).toContain('“502 Bad Gateway”')
  })
})

describe('waiting as the provider asks', () => {
  const NOW = context().nowMs
  const wait = (headers: Record<string, string>, error: object = { message: 'slow' }) =>
    classifyError(http(429, error, headers), context()).retryAfterMs

  it.each([
    ['seconds', { 'retry-after': '7' }, {}, 7_000],
    ['fractions', { 'retry-after': '0.5' }, {}, 500],
    ['milliseconds', { 'retry-after-ms': '1500' }, {}, 1_500],
    ['a date', { 'retry-after': new Date(NOW + 30_000).toUTCString() }, {}, 30_000],
    ['a past date', { 'retry-after': new Date(NOW - 30_000).toUTCString() }, {}, null],
    ['zero', { 'retry-after': '0' }, {}, null],
    ['less than zero', { 'retry-after': '-5' }, {}, null],
    ['nonsense', { 'retry-after': 'soon' }, {}, null],
    ['an hour', { 'retry-after': '3600' }, {}, 600_000],
    ['a body field', {}, { retry_after: 12 }, 12_000],
    ['a body field below metadata', {}, { metadata: { retry_after_ms: 250 } }, 250],
    ["Google's delay", {}, { details: [{ retryDelay: '34s' }] }, 34_000],
    ['words', {}, { message: 'Please try again in 1m7.5s.' }, 67_500],
    ['words in ms', {}, { message: 'Please try again in 20ms.' }, 20],
    ['zero in the header, a number in the body', { 'retry-after': '0' }, { retry_after: 3 }, 3_000],
    ['nothing', {}, {}, null],
  ] as const)('[kernel 7.4] %s', (_what, headers, error, ms) => {
    expect(wait(headers, error)).toBe(ms)
  })
})
