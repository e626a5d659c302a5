/**
 * The typed client: the same for screens, command line and tests, over any transport (kernel K11). A call answers with
 * a value or a refusal; nothing relies on exceptions surviving a process border.
 */
import {
  eventMessage,
  fromErrorObject,
  type HermaEvent,
  type MethodName,
  type ParamsIn,
  parseEvent,
  type Refusal,
  type ResultOf,
  refusal,
  responseFrame,
} from './contract/index.ts'
import type { Profile } from './ids.ts'
import { ok, type Result, refused } from './result.ts'

/** The thinnest layer: bytes there, bytes back, bytes heard. */
export interface Transport {
  readonly kind: 'ipc' | 'ws' | 'in-process'
  /** One request frame in, one response frame out. Rejects when the connection is lost before the answer. */
  call(message: string): Promise<string>
  subscribe(listener: (message: string) => void): () => void
  /** `up` after each (re)connection, `down` when it is lost. In-process and IPC transports are always up. */
  onState?(listener: (state: 'up' | 'down') => void): () => void
  close?(): void
}

export type CallParams<M extends MethodName> = Omit<ParamsIn<M>, 'profile'>

export interface HermaClient {
  readonly profile: Profile
  call<M extends MethodName>(method: M, params: CallParams<M>): Promise<Result<ResultOf<M>, Refusal>>
  /** Events of this client's profile; unknown ones are dropped, ones without an owner never reach a default (U-04). */
  subscribe(listener: (event: HermaEvent) => void): () => void
}

/**
 * A client bound to one profile.
 * @param transport how bytes travel
 * @param profile named in every call; there is no other default
 */
export function createClient(transport: Transport, profile: Profile): HermaClient {
  let next = 0
  return {
    profile,
    async call(method, params) {
      const id = ++next
      let answer: string
      try {
        answer = await transport.call(JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, profile } }))
      } catch (error) {
        return refused(
          refusal(
            'disconnected',
            `The core did not answer ${method}: ${error instanceof Error ? error.message : error}.`,
            {
              next: 'Nothing was lost that had been accepted. The connection is tried again by itself.',
            },
          ),
        )
      }
      const frame = responseFrame.safeParse(JSON.parse(answer))
      if (!frame.success) return refused(refusal('internal', `The answer to ${method} does not fit the contract.`))
      return 'error' in frame.data ? refused(fromErrorObject(frame.data.error)) : ok(frame.data.result as never)
    },
    subscribe: (listener) =>
      transport.subscribe((message) => {
        const outer = eventMessage.safeParse(JSON.parse(message))
        const event = outer.success ? parseEvent(outer.data.params) : null
        if (event !== null && event.profile === profile) listener(event)
      }),
  }
}
