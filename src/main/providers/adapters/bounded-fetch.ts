/** More bytes than any answer has: a server that never stops sending must not fill the memory of the main process. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * `fetch` as the provider layer uses it. Redirects are not followed: they would carry the conversation to an address
 * nobody chose. Bodies end in an error beyond the limit. Silence is the caller's to limit, by its signal.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual', ...patience() })
  if (response.body === null) return response
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > MAX_BODY_BYTES) controller.error(new RangeError(`the answer passed ${MAX_BODY_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers })
}

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean
}
/** Where Node keeps the dispatcher its `fetch` uses (`setGlobalDispatcher` of undici writes the same place). */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

/**
 * Node's `fetch` gives up after 300 s without headers or without a byte, while a local server may read a long prompt for
 * 900 s (kernel 7.5). Per request both limits can be switched off; the dispatcher stays Node's own, and where it is not
 * to be found the limits stay as they are.
 */
function patience(): RequestInit {
  const own = (globalThis as { [DISPATCHER]?: Dispatcher })[DISPATCHER]
  if (own === undefined) return {}
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    own.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
  // `fetch` calls nothing but `dispatch` of it; the type of the whole class belongs to undici.
  return { dispatcher: { dispatch } } as object as RequestInit
}
