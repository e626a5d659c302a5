/** The steps of a scripted provider: builders of plain data, and the one function that plays them. */
import type { ServerResponse } from 'node:http'
import type { ScriptedRequest } from './scripted-provider.ts'

/** Opened by the test; what stands behind it is not sent before. */
export interface Gate {
  readonly gate: true
  open(): void
  /** Resolves once the server waits here. */
  readonly reached: Promise<void>
  /** Used by the server. */
  pass(): Promise<void>
}

export interface ScriptedUsage {
  readonly prompt: number
  readonly completion: number
  readonly cached?: number
  readonly reasoning?: number
}
export type Piece = string | Gate
export interface ScriptedCall {
  readonly name: string
  /** A string goes out as it is, anything else as JSON. */
  readonly args: unknown
  /** Left out: `call_<index>`. null: the server sends no id. */
  readonly id?: string | null
}

export interface AnswerStep {
  readonly step: 'answer'
  readonly pieces: readonly Piece[]
  readonly reasoning?: string
  readonly calls?: readonly ScriptedCall[]
  /** null: the stream ends without one. */
  readonly finish?: string | null
  /** null: none is reported. */
  readonly usage?: ScriptedUsage | null
  /** What happens instead of a clean end. */
  readonly ending?: 'drop' | 'stall' | 'malformed' | { readonly error: unknown }
}
export interface RawStep {
  readonly step: 'raw'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: readonly (string | Uint8Array | Gate)[]
  readonly ending: 'end' | 'drop' | 'stall'
}
/** Nothing is sent, not even headers. */
export interface SilentStep {
  readonly step: 'silent'
  readonly ending: 'drop' | 'stall'
}
export type Step = AnswerStep | RawStep | SilentStep
type More = Partial<Omit<AnswerStep, 'step' | 'pieces'>>

const DEFAULT_USAGE: ScriptedUsage = { prompt: 10, completion: 5 }

/** A streamed answer, cut into words; a list is sent piece by piece, gates hold it up. */
export const text = (content: string | readonly Piece[], more: More = {}): AnswerStep => ({
  step: 'answer',
  pieces: typeof content === 'string' ? (content.match(/\S+\s*|\s+/g) ?? []) : content,
  ...more,
})
export const calls = (list: readonly ScriptedCall[], more: More & { text?: string } = {}): AnswerStep => {
  const { text: said = '', ...rest } = more
  return { ...text(said), calls: list, ...rest }
}
export const call = (
  name: string,
  args: unknown,
  more: More & { text?: string; id?: string | null } = {},
): AnswerStep => {
  const { id, ...rest } = more
  return calls([{ name, args, ...(id === undefined ? {} : { id }) }], rest)
}
/** An HTTP error. A string body goes out as plain text. */
export const err = (
  status: number,
  body: unknown = { error: { message: `scripted error ${status}` } },
  headers: Readonly<Record<string, string>> = {},
): RawStep => ({
  step: 'raw',
  status,
  headers: { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', ...headers },
  pieces: [typeof body === 'string' ? body : JSON.stringify(body)],
  ending: 'end',
})
/** The connection breaks after `partial`; without it, before any header. */
export const drop = (partial?: string | readonly Piece[], more: More = {}): Step =>
  partial === undefined ? { step: 'silent', ending: 'drop' } : text(partial, { ...more, ending: 'drop' })
/** The server falls silent and holds the connection; without `partial`, before any header. */
export const stall = (partial?: string | readonly Piece[]): Step =>
  partial === undefined ? { step: 'silent', ending: 'stall' } : text(partial, { ending: 'stall' })
/** A chunk that is no JSON. */
export const malformed = (partial = ''): AnswerStep => text(partial, { ending: 'malformed' })
/** A clean end without `finish_reason`: the answer was cut off. */
export const cutOff = (partial: string, more: More = {}): AnswerStep =>
  text(partial, { ...more, finish: null, usage: null })
/** `{"error": …}` inside a stream that began well. */
export const errorInStream = (error: unknown, partial = ''): AnswerStep => text(partial, { ending: { error } })
/** A stream that ends at once and says nothing. */
export const nothing = (): AnswerStep => text('', { finish: null, usage: null })
/** Any bytes. */
export const raw = (pieces: RawStep['pieces'], more: Partial<Omit<RawStep, 'step' | 'pieces'>> = {}): RawStep => ({
  step: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  ending: 'end',
  ...more,
  pieces,
})

export function gate(): Gate {
  const opened = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  return {
    gate: true,
    open: opened.resolve,
    reached: reached.promise,
    pass: () => {
      reached.resolve()
      return opened.promise
    },
  }
}

/** The bytes of one event of the stream. */
export const sse = (chunk: unknown): string => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`

/** The chunks of an answer in order, gates among them; what `playStep` sends, for tests that cut bytes themselves. */
export function chunksOf(step: AnswerStep, model: string): (object | Gate)[] {
  const base = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 0, model }
  const chunk = (delta: object, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const out: (object | Gate)[] = []
  if (step.reasoning !== undefined) out.push(chunk({ reasoning_content: step.reasoning }))
  for (const piece of step.pieces) out.push(typeof piece === 'string' ? chunk({ content: piece }) : piece)
  step.calls?.forEach(({ name, args, id }, index) => {
    const whole = typeof args === 'string' ? args : JSON.stringify(args)
    const half = Math.ceil(whole.length / 2)
    const sent = id === undefined ? { id: `call_${index}` } : id === null ? {} : { id }
    out.push(
      chunk({ tool_calls: [{ index, ...sent, type: 'function', function: { name, arguments: '' } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: whole.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: whole.slice(half) } }] }),
    )
  })
  if (step.ending !== undefined) return out
  const finish = step.finish === undefined ? (step.calls === undefined ? 'stop' : 'tool_calls') : step.finish
  if (finish !== null) out.push(chunk({}, finish))
  const usage = step.usage === undefined ? DEFAULT_USAGE : step.usage
  if (usage !== null) out.push({ ...base, choices: [], usage: usageOnWire(usage) })
  return out
}

const usageOnWire = (usage: ScriptedUsage) => ({
  prompt_tokens: usage.prompt,
  completion_tokens: usage.completion,
  total_tokens: usage.prompt + usage.completion,
  ...(usage.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }),
  ...(usage.reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
})

/** Plays one step into a response; used by the server alone. */
export async function playStep(step: Step, response: ServerResponse, request: ScriptedRequest): Promise<void> {
  switch (step.step) {
    case 'silent':
      if (step.ending === 'drop') response.destroy()
      return
    case 'raw':
      response.writeHead(step.status, step.headers)
      response.flushHeaders()
      for (const piece of step.pieces) {
        if (typeof piece === 'string' || piece instanceof Uint8Array) await write(response, piece)
        else await piece.pass()
      }
      return finish(response, step.ending)
    case 'answer': {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
      response.flushHeaders()
      for (const chunk of chunksOf(step, request.model)) {
        if ('gate' in chunk) await chunk.pass()
        else await write(response, sse(chunk))
      }
      const ending = step.ending
      if (ending === 'drop' || ending === 'stall') return finish(response, ending)
      if (ending === 'malformed') await write(response, sse('{"choices":[{"delta":{"content":"hal'))
      else if (ending !== undefined) await write(response, sse({ error: ending.error }))
      else if (step.finish !== null) await write(response, sse('[DONE]'))
      return finish(response, 'end')
    }
  }
}

/** Resolves when the bytes left, so that a drop after them does not overtake them. */
function write(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  if (response.destroyed || bytes.length === 0) return Promise.resolve()
  return new Promise((resolve) => response.write(bytes, () => resolve()))
}

function finish(response: ServerResponse, ending: 'end' | 'drop' | 'stall'): void {
  if (ending === 'end') response.end()
  else if (ending === 'drop') response.destroy()
}
