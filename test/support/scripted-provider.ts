/**
 * A chat-completions server that says what a test told it to (kernel 10): one step a request, every request kept as the
 * bytes that came. Steps are plain data, so that the same list can be served from another process.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playStep } from './scripted-provider-steps.ts'

export * from './scripted-provider-steps.ts'

import { err, type Step } from './scripted-provider-steps.ts'

export interface ScriptedRequest {
  readonly model: string
  readonly messages: readonly {
    readonly role: string
    readonly content: string | null
    readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
    readonly tool_call_id?: string
  }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
}

/** A step, or what makes one from the request it answers. */
export type Script = Step | ((request: ScriptedRequest, number: number) => Step)

export interface ScriptedProvider {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string
  /** Raw text of every chat request, in order. */
  readonly bodies: readonly string[]
  readonly requests: readonly ScriptedRequest[]
  readonly headers: readonly IncomingHttpHeaders[]
  /** Resolves with request `n` (from 1) once it has arrived. */
  seen(n: number): Promise<ScriptedRequest>
  /** Resolves once the connection of request `n` is closed, by either side. */
  closed(n: number): Promise<void>
  /** Adds steps behind those that are left. */
  add(...steps: Script[]): void
  stop(): Promise<void>
}

export interface ScriptedOptions {
  /** What happens after the last step. Default `refuse`: 400, which no caller retries. */
  readonly whenSpent?: 'repeat' | 'refuse'
  /** Answer of `GET /v1/models`. */
  readonly models?: readonly string[]
  /** Status of that answer, default 200. */
  readonly modelsStatus?: number
  readonly port?: number
}

/** Starts on a free loopback port. */
export async function startScriptedProvider(
  script: readonly Script[],
  options: ScriptedOptions = {},
): Promise<ScriptedProvider> {
  const steps = [...script]
  const bodies: string[] = []
  const requests: ScriptedRequest[] = []
  const headers: IncomingHttpHeaders[] = []
  const arrivals = new Milestones()
  const closings = new Milestones()

  const stepFor = (number: number, request: ScriptedRequest): Step => {
    const step = steps[number - 1] ?? (options.whenSpent === 'repeat' ? steps.at(-1) : undefined)
    if (step === undefined) return err(400, { error: { message: `the script has no step for request ${number}` } })
    return typeof step === 'function' ? step(request, number) : step
  }

  const server = createServer((message, response) => {
    const parts: Buffer[] = []
    message.on('data', (part: Buffer) => parts.push(part))
    message.on('end', () => {
      const path = (message.url ?? '').replace(/\?.*$/, '')
      if (message.method === 'GET' && path === '/v1/models') return answerModels(response, options)
      if (message.method !== 'POST' || path !== '/v1/chat/completions')
        return response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"error":{"message":"no such path"}}')
      const body = Buffer.concat(parts).toString('utf8')
      const request = JSON.parse(body) as ScriptedRequest
      const number = requests.push(request)
      bodies.push(body)
      headers.push(message.headers)
      response.on('close', () => closings.reach(number))
      arrivals.reach(number)
      void playStep(stepFor(number, request), response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    requests,
    headers,
    seen: async (n) => {
      await arrivals.reached(n)
      return requests[n - 1] as ScriptedRequest
    },
    closed: (n) => closings.reached(n),
    add: (...more) => void steps.push(...more),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answerModels(response: ServerResponse, { models = [], modelsStatus = 200 }: ScriptedOptions): void {
  const body =
    modelsStatus === 200
      ? { object: 'list', data: models.map((id) => ({ id, object: 'model' })) }
      : { error: { message: `scripted error ${modelsStatus}` } }
  response.writeHead(modelsStatus, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Numbered things that happen once each, in any order. */
class Milestones {
  readonly #happened = new Set<number>()
  readonly #waiting = new Map<number, (() => void)[]>()

  reach(n: number): void {
    this.#happened.add(n)
    for (const wake of this.#waiting.get(n) ?? []) wake()
    this.#waiting.delete(n)
  }

  reached(n: number): Promise<void> {
    if (this.#happened.has(n)) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.set(n, [...(this.#waiting.get(n) ?? []), resolve]))
  }
}
