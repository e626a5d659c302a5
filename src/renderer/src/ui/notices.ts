/**
 * What the app has said in passing. A toast never carries the only copy of an error (U-208): the last 200 stay here
 * and Settings lists them; the error itself also stands where it happened.
 */
import { create } from 'zustand'
import type { Refusal } from '../../../shared/contract/index.ts'

export interface Notice {
  readonly id: number
  readonly at: number
  readonly tone: 'plain' | 'failure'
  /** What happened or failed. */
  readonly title: string
  /** What is still safe. */
  readonly safe?: string
  /** What to do next. */
  readonly next?: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const KEEP = 200

interface Notices {
  /** Newest last, at most 200. */
  readonly log: readonly Notice[]
  readonly shown: readonly Notice[]
}

export const useNotices = create<Notices>(() => ({ log: [], shown: [] }))

let next = 1

/** Says something in a toast and keeps it in the log. The same sentence twice in a row is shown once. */
export function notify(notice: Omit<Notice, 'id' | 'at'>): number {
  const entry: Notice = { ...notice, id: next++, at: Date.now() }
  useNotices.setState(({ log, shown }) => ({
    log: [...log, entry].slice(-KEEP),
    shown: [...shown.filter((other) => other.title !== entry.title), entry].slice(-4),
  }))
  return entry.id
}

/** A refusal as a toast: what failed, what is still safe, what to do (U-209). */
export const notifyRefusal = (refusal: Refusal, safe?: string): number =>
  notify({
    tone: 'failure',
    title: refusal.message,
    ...(safe === undefined ? {} : { safe }),
    ...(refusal.next === undefined ? {} : { next: refusal.next }),
  })

/** Takes a toast away; it stays in the log. */
export function dismiss(id: number): void {
  useNotices.setState(({ shown }) => ({ shown: shown.filter((notice) => notice.id !== id) }))
}
