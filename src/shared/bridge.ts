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

export interface BridgeInfo {
  readonly profile: string
  readonly platform: string
  readonly version: string
  readonly protocol: number
}
