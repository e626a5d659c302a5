/** One subscription for the whole window: a frame is parsed once, whatever the number of views that listen. */
import type { HermaClient } from '../../../shared/client.ts'
import type { HermaEvent } from '../../../shared/contract/index.ts'

/** The same client, with `subscribe` shared. Listeners are called in order of arrival; one that throws stops no other. */
export function shareEvents(client: HermaClient): HermaClient {
  const listeners = new Set<(event: HermaEvent) => void>()
  let stop: (() => void) | null = null
  const tell = (event: HermaEvent): void => {
    for (const listener of [...listeners]) {
      try {
        listener(event)
      } catch (error) {
        reportError(error)
      }
    }
  }
  return {
    profile: client.profile,
    call: client.call,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= client.subscribe(tell)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = null
      }
    },
  }
}
