/**
 * What a screen reader hears of a chat (U-220): sent, started once, finished with its first sentence, a question at once,
 * an error. Deltas, tool output, timers and progress are silent.
 */
import { type HermaEvent, labelOf } from '../../../shared/contract/index.ts'
import { previewOf } from '../../../shared/text.ts'

export interface Announcement {
  readonly text: string
  /** A question interrupts; everything else waits its turn. */
  readonly assertive: boolean
}

const polite = (text: string): Announcement => ({ text, assertive: false })

/** The words for an event of the chat in front, or null when it is silent. */
export function announcementOf(event: HermaEvent): Announcement | null {
  switch (event.type) {
    case 'turn.queued':
      return polite(event.payload.position > 1 ? `Queued, place ${event.payload.position}.` : 'Message sent.')
    case 'message.start':
      return polite('Herma is answering.')
    case 'message.complete': {
      const { end_reason, status, text } = event.payload
      const first = firstSentence(text)
      if (status === 'complete') return polite(first === '' ? 'Herma has finished.' : `Herma: ${first}`)
      return polite(`The turn ended: ${labelOf(end_reason)}.${first === '' ? '' : ` ${first}`}`)
    }
    case 'approval.open':
      return { text: `Herma asks: allow ${event.payload.tool}? ${event.payload.reason}.`, assertive: true }
    case 'error':
      return polite(event.payload.message)
    default:
      return null
  }
}

/** Up to the first end of a sentence, without Markdown signs, at most 200 characters. */
export function firstSentence(text: string): string {
  const plain = text
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/^\s*(#{1,6}|[-*+]|\d+\.|>)\s+/gm, '')
    .replace(/[*_`|]/g, '')
  const line = previewOf(plain.trim().split(/\n\s*\n/, 1)[0] ?? '', 200)
  return /^.*?[.!?。！？](?=\s|$)/.exec(line)?.[0] ?? line
}

/** Not more often than this, ms; assertive ones do not wait. */
export const SPEAK_EVERY_MS = 2_000

export interface SpeakerPorts {
  say(announcement: Announcement): void
  now(): number
  later(ms: number, run: () => void): void
}

/** At most one polite announcement per 2 s: of those that came meanwhile the newest is said. */
export function createSpeaker(ports: SpeakerPorts): (announcement: Announcement) => void {
  let last = Number.NEGATIVE_INFINITY
  let waiting: Announcement | null = null
  const flush = (): void => {
    const next = waiting
    waiting = null
    if (next === null) return
    last = ports.now()
    ports.say(next)
  }
  return (announcement) => {
    if (announcement.assertive) return ports.say(announcement)
    const scheduled = waiting !== null
    waiting = announcement
    const wait = last + SPEAK_EVERY_MS - ports.now()
    if (wait <= 0) flush()
    else if (!scheduled) ports.later(wait, flush)
  }
}
