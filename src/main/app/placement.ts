/** Where a window goes (U-21, U-22). Pure: displays come in as data, so that every arrangement can be tested. */
import { z } from '../../shared/schema.ts'

export const LEAST = { width: 720, height: 480 } as const
const FIRST = { width: 1200, height: 800 } as const
/** Height of the title bar, px: what a person grabs to get a lost window back. */
const TITLE_BAR = 32
/** With less of the title bar than this on a display, the window counts as lost (U-21). */
const LEAST_GRIP = 80

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export interface Placement {
  /** Bounds while neither maximised nor full screen. */
  readonly bounds: Rectangle
  readonly maximized: boolean
  readonly fullScreen: boolean
}

const whole = z.number().int().min(-100_000).max(100_000)
export const placement = z.object({
  bounds: z.object({ x: whole, y: whole, width: whole, height: whole }),
  maximized: z.boolean(),
  fullScreen: z.boolean(),
})

/**
 * The place a window is opened at.
 * @param kept the place of last time, or null
 * @param workAreas usable area of each connected display, the primary one first; at least one
 */
export function placeWindow(kept: Placement | null, workAreas: readonly [Rectangle, ...Rectangle[]]): Placement {
  if (kept === null) return { bounds: centred(FIRST, workAreas[0]), maximized: false, fullScreen: false }
  const display = nearest(kept.bounds, workAreas)
  const bounds = {
    ...kept.bounds,
    width: within(kept.bounds.width, LEAST.width, display.width),
    height: within(kept.bounds.height, LEAST.height, display.height),
  }
  // Asked of the final size: a window that shrinks may lose the corner by which it was held.
  const held = workAreas.some((area) => gripOn(bounds, area) >= LEAST_GRIP)
  return { ...kept, bounds: held ? bounds : movedOnto(bounds, display) }
}

/** Px of the title bar's width that can be grabbed on a display; 0 when none of its height is on it. */
function gripOn(window: Rectangle, area: Rectangle): number {
  const middle = window.y + TITLE_BAR / 2
  if (window.y < area.y - TITLE_BAR / 2 || middle > area.y + area.height) return 0
  return overlap(window.x, window.width, area.x, area.width)
}

/** The display that shows most of the title bar; the one least far away when none shows any. */
const nearest = (window: Rectangle, areas: readonly [Rectangle, ...Rectangle[]]): Rectangle =>
  areas.reduce((best, area) => {
    const more = gripOn(window, area) - gripOn(window, best)
    return more > 0 || (more === 0 && distance(window, area) < distance(window, best)) ? area : best
  })

function distance(window: Rectangle, area: Rectangle): number {
  const across = gap(window.x, window.width, area.x, area.width)
  const down = gap(window.y, window.height, area.y, area.height)
  return across ** 2 + down ** 2
}

const movedOnto = (window: Rectangle, area: Rectangle): Rectangle => ({
  ...window,
  x: within(window.x, area.x, Math.max(area.x, area.x + area.width - window.width)),
  y: within(window.y, area.y, Math.max(area.y, area.y + area.height - window.height)),
})

const centred = (size: { readonly width: number; readonly height: number }, area: Rectangle): Rectangle => {
  const width = within(size.width, LEAST.width, area.width)
  const height = within(size.height, LEAST.height, area.height)
  return {
    x: area.x + Math.max(0, Math.round((area.width - width) / 2)),
    y: area.y + Math.max(0, Math.round((area.height - height) / 2)),
    width,
    height,
  }
}

const overlap = (a: number, aSize: number, b: number, bSize: number): number =>
  Math.max(0, Math.min(a + aSize, b + bSize) - Math.max(a, b))
const gap = (a: number, aSize: number, b: number, bSize: number): number =>
  Math.max(0, Math.max(a, b) - Math.min(a + aSize, b + bSize))
/** The smallest size wins over a display that is smaller still. */
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))
