/**
 * The chat-completions mode (kernel 7.1) over the OpenAI SDK. The SDK carries the bytes and nothing else: it neither
 * retries nor reads the environment nor logs, so that the kernel alone counts attempts and no key travels unseen.
 */
import OpenAI from 'openai'
import { type Clock, systemClock } from '../../../shared/time.ts'
import type { Binding, ModelEvent, ModelPort, ModelRequest, ProviderFailure } from '../../kernel/ports.ts'
import { cleanKey, isLoopback } from '../base-url.ts'
import { classifyError, describeFailure, type FailureContext } from '../classify-error.ts'
import type { Price } from '../usage.ts'
import { type Answer, AnswerTooLarge, collectAnswer } from './answer.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type SilenceBreaker, silenceBreaker, silenceLimitMs, watchSilence } from './silence.ts'

export interface ChatCompletionsOptions {
  readonly binding: Binding
  /** The provider's name for a person. */
  readonly displayName: string
  /** null: the request goes without one, which only loopback servers accept. */
  readonly apiKey: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** What the server calls the limit of an answer. */
  readonly outputCapField?: 'max_tokens' | 'max_completion_tokens'
  /** False: the server reports usage unasked and refuses `stream_options`. */
  readonly asksForUsage?: boolean
  readonly price?: Price | null
  readonly contextTokens?: number | null
  readonly clock?: Clock
  /** null: no limit on silence. Left out: 180 s and more, by size and place. */
  readonly silenceMs?: number | null
  /** Shared by all bindings of one server and model, so that deaths are counted across turns. */
  readonly breaker?: SilenceBreaker
}

/** One hour: the watch on silence ends a dead request much earlier. */
const SDK_TIMEOUT_MS = 3_600_000

/** Binds one server and model. `stream` never throws and ends with exactly one of `done`, `failed`, `aborted`. */
export function chatCompletions(options: ChatCompletionsOptions): ModelPort {
  const { binding } = options
  const clock = options.clock ?? systemClock
  const breaker = options.breaker ?? silenceBreaker(clock)
  const apiKey = cleanKey(options.apiKey)
  const isLocal = isLoopback(binding.baseUrl)
  const client = openClient(options, apiKey)

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const answer = collectAnswer(binding.model, options.price ?? null)
    const body = requestBody(request, options)
    const units = JSON.stringify(body.messages).length + JSON.stringify(body.tools ?? []).length
    const about = (): FailureContext => ({
      provider: options.displayName,
      model: binding.model,
      baseUrl: binding.baseUrl,
      isLocal,
      apiKey,
      windowShare: options.contextTokens ? units / 4 / options.contextTokens : null,
      hadAnswer: !answer.isEmpty(),
      nowMs: clock.now(),
    })
    if (signal.aborted) return yield { type: 'aborted', partial: answer.response() }
    if (breaker.isOpen()) {
      const failure = describeFailure('timeout', about(), { said: 'it fell silent five times in a row' })
      return yield { type: 'failed', failure, partial: answer.response() }
    }

    const own = new AbortController()
    const limitMs = options.silenceMs === undefined ? silenceLimitMs(units, isLocal) : options.silenceMs
    const watch = limitMs === null ? null : watchSilence(clock, limitMs, () => own.abort())
    let thrown: { readonly error: unknown } | null = null
    try {
      // Not `chat.completions.create`: it reshapes chunks on the way and throws at the ones some servers send.
      const sent = client.post<AsyncIterable<unknown>>('/chat/completions', {
        body,
        stream: true,
        signal: AbortSignal.any([signal, own.signal]),
      })
      const { data, response } = await sent.withResponse()
      for await (const chunk of chunksOf(data, response)) {
        watch?.heard()
        yield* answer.take(chunk)
      }
    } catch (error) {
      thrown = { error }
    } finally {
      // Also reached when the reader stops early: the connection must not outlive the interest in it.
      own.abort()
      watch?.stop()
    }
    yield* answer.rest()

    const isSilent = !signal.aborted && (watch?.struck() ?? false)
    if (isSilent) breaker.died()
    else if (!signal.aborted) breaker.answered()
    const said = isSilent ? `nothing came for ${Math.round((limitMs ?? 0) / 1000)} s` : null
    yield lastEvent({ answer, signal, silence: said, thrown, about: about() })
  }
  return { binding, stream }
}

interface Outcome {
  readonly answer: Answer
  readonly signal: AbortSignal
  /** Set when the watch on silence ended the request: what to say about it. */
  readonly silence: string | null
  readonly thrown: { readonly error: unknown } | null
  readonly about: FailureContext
}

/**
 * How a stream ended. An abort in mid-stream ends the SDK's loop without an error, so the signals are asked first; an
 * end without a reason is the kernel's to judge, unless nothing at all arrived.
 */
function lastEvent({ answer, signal, silence, thrown, about }: Outcome): ModelEvent {
  const partial = answer.response()
  if (signal.aborted) return { type: 'aborted', partial }
  const failure =
    silence !== null
      ? describeFailure('timeout', about, { said: silence })
      : thrown !== null
        ? failureOf(thrown.error, about)
        : answer.isEmpty()
          ? describeFailure('server_error', about, { said: 'the answer was empty' })
          : null
  // Behind the reason to end only the usage was to come: a server that breaks off there has said everything.
  const isWhole = partial.finishReason !== null && failure?.kind === 'timeout' && failure.status === null
  return failure === null || isWhole ? { type: 'done', response: partial } : { type: 'failed', failure, partial }
}

function failureOf(error: unknown, about: FailureContext): ProviderFailure {
  if (error instanceof WrongContent) return describeFailure('format_error', about, { said: error.message })
  if (error instanceof AnswerTooLarge)
    return describeFailure('server_error', about, { said: 'the answer did not end within any sensible size' })
  return classifyError(error, about)
}

/** The same messages and tools give the same bytes: fields in a fixed order, nothing from a clock or a counter. */
export function requestBody(
  request: ModelRequest,
  options: Pick<ChatCompletionsOptions, 'binding' | 'outputCapField' | 'asksForUsage'>,
): OpenAI.ChatCompletionCreateParamsStreaming {
  return {
    model: options.binding.model,
    messages: request.messages as OpenAI.ChatCompletionMessageParam[],
    ...(request.tools.length > 0 ? { tools: request.tools as OpenAI.ChatCompletionTool[] } : {}),
    ...(request.maxOutputTokens === undefined
      ? {}
      : { [options.outputCapField ?? 'max_tokens']: request.maxOutputTokens }),
    stream: true,
    ...((options.asksForUsage ?? true) ? { stream_options: { include_usage: true } } : {}),
  }
}

class WrongContent extends Error {}

/** Chunks of a stream; one chunk when the server answered with a whole JSON body instead of streaming. */
async function* chunksOf(stream: AsyncIterable<unknown>, response: Response): AsyncGenerator<unknown> {
  if (response.body === null) return
  const type = (response.headers.get('content-type') ?? '').toLowerCase()
  if (type.includes('text/html')) throw new WrongContent('a web page came back instead of an answer')
  if (!type.includes('application/json')) return yield* stream
  const body: unknown = JSON.parse(await response.text())
  const error = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)['error'] : undefined
  if (error !== undefined && error !== null)
    throw new OpenAI.APIError(undefined, error as object, undefined, response.headers)
  yield body
}

function openClient(options: ChatCompletionsOptions, apiKey: string | null): OpenAI {
  const build = (): OpenAI =>
    new OpenAI({
      baseURL: options.binding.baseUrl,
      // The SDK insists on a key and would look into the environment; without one, the header is taken off again.
      apiKey: apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: SDK_TIMEOUT_MS,
      logLevel: 'off',
      fetch: boundedFetch,
      defaultHeaders: { ...options.headers, ...(apiKey === null ? { Authorization: null } : {}) },
    })
  // Headers meant for one service would go to every provider, and no option of the SDK turns this variable off.
  const name = 'OPENAI_CUSTOM_HEADERS'
  const kept = process.env[name]
  if (kept === undefined) return build()
  delete process.env[name]
  try {
    return build()
  } finally {
    process.env[name] = kept
  }
}
