/**
 * The two ways a screen reaches the core: the bridge of the desktop window, and the socket of a browser tab. Both carry
 * text frames and know no method by name.
 */
import type { HermaBridge } from '../../../shared/bridge.ts'
import type { Transport } from '../../../shared/client.ts'

/** What a person may have to know about the connection. `ups` counts connections: a change means "take a new snapshot". */
export type ConnectionState =
  | { readonly state: 'up'; readonly ups: number }
  | { readonly state: 'down'; readonly ups: number; readonly since: number; readonly attempt: number }
  /** The core is there and does not let this page in any more (a new start has a new token). */
  | { readonly state: 'shut-out'; readonly ups: number }
  /** The core that answers now speaks another protocol than this page. */
  | { readonly state: 'other-protocol'; readonly ups: number; readonly theirs: number }

/** A transport whose state can be watched. */
export interface WatchedTransport extends Transport {
  connection(): ConnectionState
  /** Called after each change, never at once. Returns the function that ends it. */
  watch(listener: () => void): () => void
}

const ALWAYS_UP: ConnectionState = { state: 'up', ups: 1 }

/** The desktop's bridge. Always up: when the main process is gone, so is the window. */
export function ipcTransport(bridge: HermaBridge): WatchedTransport {
  return {
    kind: 'ipc',
    call: (message) => bridge.call(message),
    subscribe: (listener) => bridge.subscribe(listener),
    connection: () => ALWAYS_UP,
    watch: () => () => {},
  }
}

/** What of a WebSocket is used. */
export interface Socket {
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: (() => void) | null
}

/** What the socket transport needs from the world. */
export interface SocketPorts {
  open(): Socket
  /** Asked before each attempt after the first: is the core there, and does it know us? */
  probe(): Promise<'ok' | 'shut-out' | 'unreachable' | { readonly otherProtocol: number }>
  now(): number
  /** Returns the function that cancels it. */
  later(ms: number, run: () => void): () => void
  /** 0 to 1, for jitter. */
  random(): number
}

const FIRST_PAUSE_MS = 250
/** Long enough to leave a restarting core alone, short enough that nobody presses reload. */
const LONGEST_PAUSE_MS = 5_000
/** How long a call made while the connection is down waits for it before it is refused. */
const CALL_WAIT_MS = 10_000

interface Waiting {
  readonly message: string
  readonly resolve: (answer: string) => void
  readonly reject: (error: Error) => void
}

/**
 * One WebSocket that mends itself. Calls in flight when it breaks are rejected (whether they were heard is not known,
 * and the caller repeats them with the same request id); calls made while it is down wait up to 10 s.
 */
export function socketTransport(ports: SocketPorts): WatchedTransport & { retryNow(): void; close(): void } {
  const listeners = new Set<(message: string) => void>()
  const watchers = new Set<() => void>()
  const inFlight = new Map<string, Waiting>()
  const parked = new Set<Waiting>()
  let state: ConnectionState = { state: 'down', ups: 0, since: ports.now(), attempt: 0 }
  let socket: Socket | null = null
  let cancelPause: () => void = () => {}
  let closed = false

  const become = (next: ConnectionState): void => {
    state = next
    for (const watcher of [...watchers]) watcher()
  }
  const send = (waiting: Waiting): void => {
    inFlight.set(String((JSON.parse(waiting.message) as { id: number | string }).id), waiting)
    socket?.send(waiting.message)
  }
  const dial = (): void => {
    const line = ports.open()
    socket = line
    line.onopen = () => {
      become({ state: 'up', ups: state.ups + 1 })
      for (const waiting of parked) send(waiting)
      parked.clear()
    }
    line.onmessage = ({ data }) => hear(String(data))
    line.onclose = () => socket === line && lost()
  }
  const hear = (text: string): void => {
    const frame = JSON.parse(text) as { id?: number | string | null; method?: string }
    if (frame.method !== undefined) {
      for (const listener of [...listeners]) listener(text)
      return
    }
    const waiting = inFlight.get(String(frame.id))
    inFlight.delete(String(frame.id))
    waiting?.resolve(text)
  }
  const lost = (): void => {
    socket = null
    if (closed) return
    const broken = [...inFlight.values()]
    inFlight.clear()
    become(
      state.state === 'down'
        ? { ...state, attempt: state.attempt + 1 }
        : { state: 'down', ups: state.ups, since: ports.now(), attempt: 1 },
    )
    for (const waiting of broken) waiting.reject(new Error('the connection broke before the answer came'))
    pause()
  }
  const pause = (): void => {
    if (state.state !== 'down') return
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, state.attempt - 1))
    cancelPause = ports.later(longest * (0.75 + ports.random() / 4), () => void again())
  }
  const again = async (): Promise<void> => {
    cancelPause()
    cancelPause = () => {}
    const answer = await ports.probe()
    if (closed || socket !== null) return
    if (answer === 'ok') {
      // Let in again after having been shut out: the attempts count from here.
      if (state.state !== 'down') become({ state: 'down', ups: state.ups, since: ports.now(), attempt: 1 })
      dial()
    } else if (answer === 'unreachable') {
      if (state.state === 'down') become({ ...state, attempt: state.attempt + 1 })
      pause()
    } else {
      become(
        answer === 'shut-out'
          ? { state: 'shut-out', ups: state.ups }
          : { state: 'other-protocol', ups: state.ups, theirs: answer.otherProtocol },
      )
      for (const waiting of parked) waiting.reject(new Error('the core does not let this page in any more'))
      parked.clear()
    }
  }
  dial()

  return {
    kind: 'ws',
    call: (message) =>
      new Promise((resolve, reject) => {
        const waiting: Waiting = { message, resolve, reject }
        if (state.state === 'up') return send(waiting)
        if (state.state !== 'down') return reject(new Error('the core does not let this page in any more'))
        parked.add(waiting)
        ports.later(CALL_WAIT_MS, () => {
          if (parked.delete(waiting)) reject(new Error('no connection to the core'))
        })
      }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onState(listener) {
      const watcher = (): void => listener(state.state === 'up' ? 'up' : 'down')
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    connection: () => state,
    watch(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
    retryNow() {
      if (state.state !== 'up' && socket === null) void again()
    },
    close() {
      closed = true
      cancelPause()
      socket?.close()
    },
  }
}
