/**
 * Screen state that must survive a crash: drafts, layout, the view in front. A change is on disk within 400 ms of being
 * made and at once on switch, blur and close (U-46). Writes of one key follow each other, so an older value never
 * lands on a newer one.
 */
import type { Json } from '../../../shared/schema.ts'

/** Waiting for more of the same change, ms. The rest of the 400 belongs to the way to the disk. */
export const KEEP_AFTER_MS = 250
/** A refused write is tried again after this, ms; the value stays in memory meanwhile. */
const AGAIN_AFTER_MS = 2_000

export interface KeeperPorts {
  /** True when it is on disk. Never rejects. */
  write(key: string, value: Json | null): Promise<boolean>
  /** Returns the function that cancels it. */
  later(ms: number, run: () => void): () => void
}

export interface Keeper {
  /** Notes a value; null removes it. On disk within 400 ms. */
  keep(key: string, value: Json | null): void
  /** Writes what is not on disk yet now. Resolves when the writes that this caused have ended. */
  flush(): Promise<void>
  /** What counts for a key: the value that is not known to be on disk yet (null: removed), undefined when the disk has it. */
  held(key: string): Json | null | undefined
  /** Everything that is not known to be on disk yet. */
  unsaved(): Readonly<Record<string, Json | null>>
}

interface Slot {
  value: Json | null
  dirty: boolean
  writing: Promise<void> | null
}

const isUnsaved = (slot: Slot): boolean => slot.dirty || slot.writing !== null

/** One keeper per window. */
export function createKeeper(ports: KeeperPorts): Keeper {
  const slots = new Map<string, Slot>()
  let cancel: (() => void) | null = null

  const schedule = (ms: number): void => {
    cancel ??= ports.later(ms, () => {
      cancel = null
      void flush()
    })
  }
  const write = async (key: string, slot: Slot): Promise<void> => {
    while (slot.dirty) {
      slot.dirty = false
      const stored = await ports.write(key, slot.value)
      if (stored) continue
      slot.dirty = true
      schedule(AGAIN_AFTER_MS)
      return
    }
  }
  const flush = async (): Promise<void> => {
    cancel?.()
    cancel = null
    const running: Promise<void>[] = []
    for (const [key, slot] of slots) {
      if (slot.dirty && slot.writing === null)
        slot.writing = write(key, slot).finally(() => {
          slot.writing = null
        })
      if (slot.writing !== null) running.push(slot.writing)
    }
    await Promise.all(running)
  }
  return {
    keep(key, value) {
      const slot = slots.get(key) ?? { value: null, dirty: false, writing: null }
      slots.set(key, slot)
      slot.value = value
      slot.dirty = true
      if (slot.writing === null) schedule(KEEP_AFTER_MS)
    },
    flush,
    held(key) {
      const slot = slots.get(key)
      return slot !== undefined && isUnsaved(slot) ? slot.value : undefined
    },
    unsaved: () =>
      Object.fromEntries([...slots].filter(([, slot]) => isUnsaved(slot)).map(([key, { value }]) => [key, value])),
  }
}
