/**
 * Enter that never cuts an input method off (U-45). While somebody composes (Japanese, Chinese, Korean, a dead key),
 * Enter commits the text and nothing else. Browsers tell it in three ways: the composition flag, key code 229, and, in
 * Safari's order of events, a key event in the same task as the end of the composition. Every field of the app that
 * reacts to Enter uses this function and no other.
 */
import { type CompositionEvent, type KeyboardEvent, useMemo, useRef } from 'react'

/** What of a key event counts here. */
export interface ComposingKey {
  readonly isComposing: boolean
  readonly keyCode: number
}

/** True while a key belongs to the input method. `endedInThisTask`: a composition ended in the running task. */
export const belongsToInputMethod = (key: ComposingKey, endedInThisTask: boolean): boolean =>
  key.isComposing || key.keyCode === 229 || endedInThisTask

/** Remembers whether a composition has ended in the task that is running now. */
export function createCompositionWatch(nextTask: (run: () => void) => void = (run) => setTimeout(run, 0)) {
  let ended = false
  return {
    end(): void {
      ended = true
      nextTask(() => {
        ended = false
      })
    },
    get endedInThisTask(): boolean {
      return ended
    },
  }
}

export interface EnterHandlers<E> {
  readonly onEnter?: (event: KeyboardEvent<E>) => void
  readonly onShiftEnter?: (event: KeyboardEvent<E>) => void
  readonly onEscape?: (event: KeyboardEvent<E>) => void
  /** Any other key, outside of a composition. */
  readonly onKey?: (event: KeyboardEvent<E>) => void
}

/** Props for an input or a text area. A handler that is not given leaves the key to the browser. */
export function useEnter<E extends Element>(handlers: EnterHandlers<E>) {
  const now = useRef(handlers)
  now.current = handlers
  return useMemo(() => {
    const watch = createCompositionWatch()
    return {
      onCompositionEnd: (_event: CompositionEvent<E>): void => watch.end(),
      onKeyDown: (event: KeyboardEvent<E>): void => {
        if (belongsToInputMethod(event.nativeEvent, watch.endedInThisTask)) return
        const { onEnter, onShiftEnter, onEscape, onKey } = now.current
        if (event.key === 'Enter') {
          const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey
          if (plain && onEnter !== undefined) {
            event.preventDefault()
            onEnter(event)
            return
          }
          if (event.shiftKey && onShiftEnter !== undefined) {
            onShiftEnter(event)
            return
          }
        }
        if (event.key === 'Escape' && onEscape !== undefined) {
          event.stopPropagation()
          onEscape(event)
          return
        }
        onKey?.(event)
      },
    }
  }, [])
}
