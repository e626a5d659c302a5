import { conversationId } from './ids.ts'
import { z } from './schema.ts'

/**
 * What the preload puts on `window.herma`: three functions and no method names (architecture 10). Strings only cross,
 * so nothing depends on how a transport clones values.
 */
export interface HermaBridge {
  /** Sends one request frame, resolves with one response frame. Rejects only when the core is gone. */
  call(message: string): Promise<string>
  /** Each event frame as it comes. Returns the function that ends it. */
  subscribe(listener: (message: string) => void): () => void
  /** Who the window is for: a JSON object `{profile, platform, version, protocol}`. */
  info(): Promise<string>
}

/**
 * What the desktop shell asks of its page: a frame of its own among the events, without an id, dropped by whoever does not
 * know it. A menu item or a link runs through here to the same command as a button (U-18, U-24, U-28).
 */
export const shellMessage = z.discriminatedUnion('method', [
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    method: z.literal('shell.command'),
    params: z.strictObject({ id: z.string().max(100) }),
  }),
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    method: z.literal('shell.show'),
    params: z.strictObject({ conversation: conversationId }),
  }),
])
export type ShellMessage = z.infer<typeof shellMessage>

export interface BridgeInfo {
  readonly profile: string
  readonly platform: string
  readonly version: string
  readonly protocol: number
}
