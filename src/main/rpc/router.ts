/**
 * The router: parse, scope, answer (kernel 8). A frame goes in, a frame comes out; bad input gets a clear refusal and
 * loses nothing. Handlers are typed by the contract, so a method without one does not compile.
 */
import {
  type MethodName,
  methods,
  type Params,
  REQUEST_LIMIT_BYTES,
  type Refusal,
  type ResultOf,
  refusal,
  requestFrame,
  toErrorObject,
} from '../../shared/contract/index.ts'
import { InvariantError, type Result } from '../../shared/result.ts'
import { explain } from '../../shared/schema.ts'
import type { Door } from './door.ts'

export type Handler<M extends MethodName> = (params: Params<M>) => Promise<Result<ResultOf<M>, Refusal>>
export type Handlers = { readonly [M in MethodName]: Handler<M> }

export interface RouterPorts {
  readonly handlers: Handlers
  /** Every event frame of the home. */
  readonly subscribe: Door['subscribe']
  /** The profiles this door serves; a call for another one is refused, never answered from a default. */
  readonly serves: (profile: string) => boolean
  /** Faults of ours, for the log; the caller gets a plain sentence. */
  readonly onFault: (method: string, error: unknown) => void
}

export function createRouter(ports: RouterPorts): Door {
  return {
    subscribe: ports.subscribe,
    async handle(message) {
      const frame = readFrame(message)
      if ('refusal' in frame) return respond(frame.id, frame)
      return respond(frame.id, await answer(ports, frame.method, frame.params))
    },
  }
}

type FrameId = number | string | null
type Frame = { id: FrameId; method: string; params: unknown } | { id: FrameId; refusal: Refusal }

function readFrame(message: string): Frame {
  if (message.length > REQUEST_LIMIT_BYTES)
    return { id: null, refusal: refusal('invalid_request', `A request has at most ${REQUEST_LIMIT_BYTES} characters.`) }
  let raw: unknown
  try {
    raw = JSON.parse(message)
  } catch {
    return { id: null, refusal: refusal('parse_error', 'The request is not JSON.') }
  }
  const parsed = requestFrame.safeParse(raw)
  if (parsed.success) return { id: parsed.data.id, method: parsed.data.method, params: parsed.data.params ?? {} }
  return {
    id: idOf(raw),
    refusal: refusal('invalid_request', `The request frame is not usable: ${explain(parsed.error)}.`),
  }
}

/** The id of a frame that is otherwise broken, so that its sender can still pair the refusal. */
function idOf(raw: unknown): FrameId {
  if (typeof raw !== 'object' || raw === null || !('id' in raw)) return null
  return typeof raw.id === 'number' || typeof raw.id === 'string' ? raw.id : null
}

async function answer(ports: RouterPorts, name: string, rawParams: unknown): Promise<Result<unknown, Refusal>> {
  if (!Object.hasOwn(methods, name))
    return { ok: false, refusal: refusal('unknown_method', `There is no method ${name.slice(0, 100)}.`) }
  const method = name as MethodName
  const params = methods[method].params.safeParse(rawParams)
  if (!params.success) return { ok: false, refusal: refusal('invalid_params', `${method}: ${explain(params.error)}.`) }
  if (!ports.serves(params.data.profile))
    return { ok: false, refusal: refusal('profile_unknown', `This window serves no profile "${params.data.profile}".`) }
  try {
    return await (ports.handlers[method] as (params: unknown) => Promise<Result<unknown, Refusal>>)(params.data)
  } catch (error) {
    ports.onFault(method, error)
    const rule = error instanceof InvariantError ? ` (${error.rule})` : ''
    return {
      ok: false,
      refusal: refusal('internal', `${method} failed inside Herma${rule}.`, {
        next: 'What was stored is safe. The details are in the log of the core.',
      }),
    }
  }
}

const respond = (id: FrameId, result: Result<unknown, Refusal> | { refusal: Refusal }): string =>
  JSON.stringify(
    'ok' in result && result.ok
      ? { jsonrpc: '2.0', id, result: result.value }
      : { jsonrpc: '2.0', id, error: toErrorObject((result as { refusal: Refusal }).refusal) },
  )
