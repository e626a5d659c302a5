import { StringDecoder } from 'node:string_decoder'
import type { Clock } from '../../../shared/time.ts'
import type { SecretMask } from './secrets.ts'

type Stream = 'stdout' | 'stderr'

/** Two streams at most every 67 ms: about 30 messages a second. */
const FLUSH_MS = 67
/** UTF-16 units of one message; a flood shows its newest part, as a terminal that scrolls too fast does. */
const MESSAGE_LIMIT = 8_192

export interface LiveOutput {
  /** Takes raw bytes and gives them as text, whole characters only. */
  add(stream: Stream, bytes: Uint8Array): string
  /** Sends what is left, held-back ends included. */
  end(): void
}

/**
 * Output for the person while the command runs: raw text with its colours, batched, secrets masked. The end of a
 * message that could be the start of a secret waits for the next one, so a secret cut in two by a pipe stays hidden.
 */
export function liveOutput(
  clock: Clock,
  secrets: SecretMask,
  send: (stream: Stream, text: string) => void,
): LiveOutput {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  const waiting = new Map<Stream, { text: string; dropped: number }>()
  const stop = new AbortController()
  let scheduled = false

  const flush = (last: boolean): void => {
    for (const [stream, { text, dropped }] of [...waiting]) {
      const held = last ? 0 : secrets.heldBack(text)
      const ready = secrets.mask(text.slice(0, text.length - held))
      if (held > 0) waiting.set(stream, { text: text.slice(text.length - held), dropped: 0 })
      else waiting.delete(stream)
      if (ready === '') continue
      const shown = ready.slice(-MESSAGE_LIMIT)
      const skipped = dropped + ready.length - shown.length
      send(stream, skipped > 0 ? `\n[... ${skipped} characters not shown live ...]\n${shown.toWellFormed()}` : shown)
    }
  }
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    void clock.sleep(FLUSH_MS, stop.signal).then(() => {
      scheduled = false
      if (!stop.signal.aborted) flush(false)
    })
  }
  return {
    add: (stream, bytes) => {
      const text = decoders[stream].write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      if (text === '') return text
      const before = waiting.get(stream) ?? { text: '', dropped: 0 }
      const all = before.text + text
      // Kept longer than one message, so that a secret at the cut is still whole when it is masked.
      const kept = all.length > 4 * MESSAGE_LIMIT ? all.slice(-2 * MESSAGE_LIMIT) : all
      waiting.set(stream, { text: kept, dropped: before.dropped + all.length - kept.length })
      schedule()
      return text
    },
    end: () => {
      stop.abort()
      flush(true)
    },
  }
}
