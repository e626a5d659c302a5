/**
 * The socket transport: one Door behind each WebSocket. Who may connect is decided before, at the upgrade; from here on a
 * client is trusted with the home, but not with the memory of the process.
 */
import type { WebSocket } from 'ws'
import type { Door } from '../door.ts'

/** What the client asks for; a server that speaks another protocol is not mistaken for this one. */
export const SUBPROTOCOL = 'herma.v1'
/** Close code for a client that reads too slowly; it may connect again and take a new snapshot. */
export const TOO_SLOW = 4008

export interface SocketLimits {
  /** Unsent bytes at which a client is too slow: 8 MiB is 32 of the largest frames, seconds behind any live screen. */
  readonly bufferedBytes: number
  /** A client that answers no ping for this long is gone (a laptop lid, a killed tab behind a proxy). */
  readonly pingMs: number
}
export const SOCKET_LIMITS: SocketLimits = { bufferedBytes: 8 * 1_048_576, pingMs: 30_000 }

/**
 * Answers the frames of `socket` and passes events on until it closes. Events reach a slow client in order or not at
 * all: once it is too slow it is closed, since a gap in the middle would be a lie.
 * @param socket accepted, open, with `maxPayload` set by its server
 */
export function attachDoor(socket: WebSocket, door: Door, limits: SocketLimits = SOCKET_LIMITS): void {
  let alive = true
  let shut = false
  const end = (code: number, reason: string): void => {
    if (shut) return
    shut = true
    stopEvents()
    socket.close(code, reason)
  }
  const send = (frame: string): void => {
    if (shut || socket.readyState !== socket.OPEN) return
    socket.send(frame)
    if (socket.bufferedAmount > limits.bufferedBytes) end(TOO_SLOW, 'too slow')
  }
  const stopEvents = door.subscribe(send)
  const pinging = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
  }, limits.pingMs)
  pinging.unref()

  socket.on('pong', () => {
    alive = true
  })
  socket.on('message', (data, isBinary) => {
    alive = true
    if (isBinary) return end(1003, 'text frames only')
    void door.handle(String(data)).then(send)
  })
  // A frame over the limit or bytes that are not UTF-8: the library closes the socket with the fitting code itself.
  socket.on('error', () => {
    shut = true
  })
  socket.on('close', () => {
    shut = true
    clearInterval(pinging)
    stopEvents()
  })
}
