/** What every transport holds: frames in, frames out, frames heard. It knows no method by name. */
export interface Door {
  /** Answers one request frame with one response frame. Never rejects: bad frames get a refusal. */
  handle(message: string): Promise<string>
  /** Every event frame of every profile of this home, as text. The listener must not throw. */
  subscribe(listener: (message: string) => void): () => void
}
