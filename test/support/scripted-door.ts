/** A Door without a core behind it: echoes frames, and says events when the test wants it to. */
import type { Door } from '../../src/main/rpc/door.ts'

export interface ScriptedDoor extends Door {
  /** Frames that came in. */
  readonly heard: string[]
  /** Says one event frame to everyone who listens. */
  say(frame: string): void
  listeners(): number
}

export function aScriptedDoor(answer: (frame: string) => string = (frame) => `answer to ${frame}`): ScriptedDoor {
  const listeners = new Set<(frame: string) => void>()
  const heard: string[] = []
  return {
    heard,
    async handle(frame) {
      heard.push(frame)
      return answer(frame)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    say(frame) {
      for (const listener of [...listeners]) listener(frame)
    },
    listeners: () => listeners.size,
  }
}
