import { truncate } from '../../../shared/text.ts'
import { settledOutput } from '../result-text.ts'

/** UTF-16 units of output a model gets (kernel 6). */
export const OUTPUT_LIMIT = 50_000
const HEAD_SHARE = 0.4
/** Raw text kept on each side: sequences and drawn-over lines shrink it before it is cut. */
const RAW_SIDE = 200_000

export interface OutputCollector {
  add(text: string): void
  /** What a terminal would show, secrets masked, cut to 40 % head and the rest tail. */
  text(mask: (text: string) => string): string
  readonly length: number
}

/** Keeps the beginning and the end of an output of any length in bounded memory. */
export function collectOutput(): OutputCollector {
  let head = ''
  let tail = ''
  let length = 0
  return {
    add: (text) => {
      length += text.length
      const room = RAW_SIDE - head.length
      if (room > 0) head += text.slice(0, room)
      if (room < text.length) tail += text.slice(Math.max(0, room))
      // Cut rarely: cutting at each chunk would copy the whole tail each time.
      if (tail.length > 2 * RAW_SIDE) tail = tail.slice(-RAW_SIDE)
    },
    text: (mask) => {
      const middleLost = length > head.length + tail.length
      if (!middleLost) return cut(mask(settledOutput(head + tail)), 0)
      return cut(mask(settledOutput(head)), length - head.length - tail.length, mask(settledOutput(tail)))
    },
    get length() {
      return length
    },
  }
}

function cut(head: string, lost: number, tail = ''): string {
  if (lost === 0 && head.length <= OUTPUT_LIMIT) return head
  const headChars = Math.floor(OUTPUT_LIMIT * HEAD_SHARE)
  const first = truncate(head, headChars)
  const rest = lost === 0 ? head.slice(first.length) : tail
  const last = rest.slice(-(OUTPUT_LIMIT - headChars))
  const omitted =
    lost === 0
      ? head.length - first.length - last.length
      : lost + head.length - first.length + tail.length - last.length
  return `${first}\n[... ${omitted} characters left out ...]\n${last}`
}
