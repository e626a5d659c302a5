/**
 * The demo's endpoint (decisions 5): chat completions over loopback HTTP inside this process, so that the demo takes the
 * same road as every provider. Only who knows the random key of this run gets an answer.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../../../shared/time.ts'
import { tell } from './stories/index.ts'
import { type DemoReply, readDemoRequest } from './story.ts'

export interface DemoEndpoint {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string
  readonly apiKey: string
  close(): Promise<void>
}

/** ms between two pieces: a fast reader's speed. */
const PACE_MS = 18
/** A real conversation with its history; beyond it, somebody else is talking. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Starts on a free port. @param options.pace ms between pieces, 0 = as fast as it goes */
export async function startDemoEndpoint(options: { pace?: number; clock?: Clock } = {}): Promise<DemoEndpoint> {
  const apiKey = randomBytes(24).toString('base64url')
  const pace = { ms: options.pace ?? PACE_MS, clock: options.clock ?? systemClock }
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy())
    if (!holdsKey(request, apiKey)) return refuse(response, 401, 'This address belongs to a running Herma.')
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      return refuse(response, 404, 'No such path.')
    answerTo(request, response, pace).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // The window's life decides when the app ends, not this socket.
  server.unref()
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  pace: { ms: number; clock: Clock },
): Promise<void> {
  const body = await readBody(request)
  if (body === null) return refuse(response, 413, 'The request is too large.')
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return refuse(response, 400, 'The request is not JSON.')
  }
  const asked = readDemoRequest(json)
  const reply = tell(asked)
  if (typeof reply.ending === 'number') return refuse(response, reply.ending, 'The demo shows a failing provider.')
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const chunks = chunksOf(reply, asked.model, body.length)
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0 && pace.ms > 0) await pace.clock.sleep(pace.ms, gone.signal)
    if (gone.signal.aborted) return
    await send(response, chunk)
  }
  if (reply.ending === 'cut') response.destroy()
  else response.end('data: [DONE]\n\n')
}

/** The answer as chunks in chat-completions form: text in pieces, each call in three, the reason, the usage. */
export function chunksOf(reply: DemoReply, model: string, promptUnits: number): object[] {
  const id = `demo-${createHash('sha256').update(JSON.stringify(reply)).digest('hex').slice(0, 16)}`
  const base = { id, object: 'chat.completion.chunk', created: 0, model }
  const chunk = (delta: object, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const out: object[] = piecesOf(reply.text).map((content) => chunk({ content }))
  reply.calls.forEach((call, index) => {
    const args = JSON.stringify(call.args)
    const key = createHash('sha256').update(`${promptUnits} ${index} ${call.name} ${args}`).digest('hex').slice(0, 20)
    const half = Math.ceil(args.length / 2)
    out.push(
      chunk({
        tool_calls: [{ index, id: `call_${key}`, type: 'function', function: { name: call.name, arguments: '' } }],
      }),
      chunk({ tool_calls: [{ index, function: { arguments: args.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: args.slice(half) } }] }),
    )
  })
  if (reply.ending === 'cut') return out
  out.push(chunk({}, reply.calls.length > 0 ? 'tool_calls' : 'stop'))
  const said = reply.text.length + JSON.stringify(reply.calls).length
  // A script has no tokens; four characters stand for one, as everywhere where only an estimate is to be had.
  const usage = { prompt_tokens: Math.ceil(promptUnits / 4), completion_tokens: Math.ceil(said / 4) }
  out.push({ ...base, choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } })
  return out
}

/** Pieces of some words; a long text has larger ones, so that it ends within ten seconds. Never splits a character. */
function piecesOf(text: string): string[] {
  const size = Math.max(6, Math.ceil(text.length / 500))
  const pieces: string[] = []
  let piece = ''
  for (const char of text) {
    piece += char
    if (piece.length >= size && (/\s/.test(char) || piece.length >= size * 3)) {
      pieces.push(piece)
      piece = ''
    }
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** Waits while the reader is slow; a reader that went away ends the wait. */
function send(response: ServerResponse, chunk: object): Promise<void> {
  return new Promise((resolve) => {
    response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => resolve())
  })
}

function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= MAX_BODY_BYTES) parts.push(part)
    })
    request.on('end', () => resolve(size > MAX_BODY_BYTES ? null : Buffer.concat(parts).toString('utf8')))
    request.on('error', () => resolve(null))
  })
}

function holdsKey(request: IncomingMessage, apiKey: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${apiKey}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
}
