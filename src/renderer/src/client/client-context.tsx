/** The client, the connection and who the window is for, within reach of every view. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type BridgeInfo, type ShellMessage, shellMessage } from '../../../shared/bridge.ts'
import type { HermaClient } from '../../../shared/client.ts'
import type { HermaEvent } from '../../../shared/contract/index.ts'
import { InvariantError } from '../../../shared/result.ts'
import type { Connected } from './connect.ts'
import { shareEvents } from './event-hub.ts'
import type { ConnectionState } from './transports.ts'

interface ClientValue {
  readonly client: HermaClient
  readonly connected: Connected
}

const ClientContext = createContext<ClientValue | null>(null)

/** Around everything that talks to the core. */
export function ClientProvider({
  connected,
  children,
}: {
  readonly connected: Connected
  readonly children: ReactNode
}): ReactNode {
  const value = useMemo(() => ({ client: shareEvents(connected.client), connected }), [connected])
  return <ClientContext value={value}>{children}</ClientContext>
}

function useClientValue(): ClientValue {
  const value = useContext(ClientContext)
  if (value === null)
    throw new InvariantError('client-context', 'a view outside of ClientProvider asked for the client')
  return value
}

/** The typed client of this window. Its `subscribe` is shared: one parse per frame. */
export const useClient = (): HermaClient => useClientValue().client

/** Profile, platform and version of the core behind this window. */
export const useInfo = (): BridgeInfo => useClientValue().connected.info

/** `ipc` in the desktop window, `ws` in a browser tab. */
export const useTransportKind = (): Connected['transport']['kind'] => useClientValue().connected.transport.kind

/** The state of the connection. When `ups` grows, take a new snapshot (U-03). */
export function useConnection(): ConnectionState {
  const { transport } = useClientValue().connected
  return useSyncExternalStore(transport.watch, transport.connection)
}

/** Calls `listener` for every event of this profile while mounted. The listener may change between renders. */
export function useEvents(listener: (event: HermaEvent) => void): void {
  const client = useClient()
  const now = useRef(listener)
  now.current = listener
  useEffect(() => client.subscribe((event) => now.current(event)), [client])
}

/**
 * What the desktop shell asks of this window: a menu item, a link. Anything else on the line is not for here. In a
 * browser tab nobody asks.
 */
export function useShellMessages(listener: (message: ShellMessage) => void): void {
  const { transport } = useClientValue().connected
  const now = useRef(listener)
  now.current = listener
  useEffect(() => {
    if (transport.kind !== 'ipc') return
    return transport.subscribe((text) => {
      // Events pass here too, many a second while text streams: they are told apart before anything is parsed.
      if (!text.includes('"shell.')) return
      const parsed = shellMessage.safeParse(JSON.parse(text))
      if (parsed.success) now.current(parsed.data)
    })
  }, [transport])
}
