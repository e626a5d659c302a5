/** Place and zoom of the window between starts (U-21, U-23). Comfort, not a fact: what cannot be read is left out. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from '../../shared/schema.ts'
import { type Placement, placement } from './placement.ts'
import { clampZoom, ZOOM } from './zoom.ts'

export interface KeptWindow {
  readonly place: Placement | null
  /** Whole percent. */
  readonly zoom: number
}

const kept = z.object({
  place: placement.nullable().catch(null),
  zoom: z.number().transform(clampZoom).catch(ZOOM.standard),
})
const NOTHING: KeptWindow = { place: null, zoom: ZOOM.standard }

/** What was kept in `file`; the standard where there is nothing usable. Never throws. */
export function readKeptWindow(file: string): KeptWindow {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return NOTHING // first start, or a file damaged by a crash: the window opens in the middle
  }
}

/** Writes it down at once: on the way out there is no later. Throws when the disk refuses. */
export function writeKeptWindow(file: string, window: KeptWindow): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.next`, JSON.stringify(window), { mode: 0o600 })
  renameSync(`${file}.next`, file)
}
