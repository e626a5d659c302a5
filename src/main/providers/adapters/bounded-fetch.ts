/** More bytes than any answer has: a server that never stops sending must not fill the memory of the main process. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * `fetch` as the provider layer uses it. Redirects are not followed: they would carry the conversation to an address
 * nobody chose. Bodies end in an error beyond the limit.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' })
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
