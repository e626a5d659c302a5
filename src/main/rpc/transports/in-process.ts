/** The command line's road: the same frames as everywhere, without a wire (cli.md, head). */
import type { Transport } from '../../../shared/client.ts'
import type { Door } from '../door.ts'

export const inProcessTransport = (door: Door): Transport => ({
  kind: 'in-process',
  call: (message) => door.handle(message),
  subscribe: (listener) => door.subscribe(listener),
})
