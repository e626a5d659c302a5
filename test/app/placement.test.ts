import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LEAST, type Placement, placeWindow, type Rectangle } from '../../src/main/app/placement.ts'

const LAPTOP: Rectangle = { x: 0, y: 0, width: 1440, height: 900 }
const RIGHT_OF_IT: Rectangle = { x: 1440, y: -200, width: 2560, height: 1440 }
const at = (x: number, y: number, width = 1000, height = 700): Placement => ({
  bounds: { x, y, width, height },
  maximized: false,
  fullScreen: false,
})

describe('placing the window', () => {
  test('[U-21] the first window is centred on the primary display', () => {
    expect(placeWindow(null, [LAPTOP]).bounds).toEqual({ x: 120, y: 50, width: 1200, height: 800 })
  })

  test('[U-21] a place on a connected display is kept to the pixel, partly outside or not', () => {
    for (const kept of [at(10, 20), at(-500, 100), at(1300, 850), at(2000, -150, 1500, 900)])
      expect(placeWindow(kept, [LAPTOP, RIGHT_OF_IT])).toEqual(kept)
  })

  test.each([
    ['79 px of the title bar', at(1440 - 79, 100)],
    ['a display that is not connected any more', at(2000, 100)],
    ['the title bar above the display', at(100, -40)],
    ['below the display', at(100, 2000)],
    ['far to the left', at(-5000, 100)],
  ])('[U-21] with only %s it moves onto the nearest display', (_where, kept) => {
    const { bounds } = placeWindow(kept, [LAPTOP])
    expect(gripOf(bounds, [LAPTOP])).toBe(bounds.width)
    expect([bounds.width, bounds.height]).toEqual([1000, 700])
  })

  test('[U-21] 80 px of the title bar are enough to leave it there', () => {
    expect(placeWindow(at(1440 - 80, 100), [LAPTOP]).bounds.x).toBe(1360)
  })

  test('[U-21] nearest is the display it fell off from, not the primary one', () => {
    const { bounds } = placeWindow(at(4100, 300), [LAPTOP, RIGHT_OF_IT])
    expect(bounds.x).toBe(1440 + 2560 - 1000)
  })

  test('[U-21] maximised and full screen come back beside the bounds they end to', () => {
    const kept = { ...at(10, 10), maximized: true, fullScreen: true }
    expect(placeWindow(kept, [LAPTOP])).toEqual(kept)
  })

  test('[U-22] it is never smaller than 720 × 480, nor larger than its display', () => {
    expect(placeWindow(at(0, 0, 100, 100), [LAPTOP]).bounds).toMatchObject(LEAST)
    expect(placeWindow(at(0, 0, 9000, 9000), [LAPTOP]).bounds).toMatchObject({ width: 1440, height: 900 })
  })

  test('[U-21] whatever was kept and whatever is connected, a person can grab it', () => {
    const size = fc.integer({ min: 720, max: 4000 })
    const corner = fc.integer({ min: -6000, max: 6000 })
    const area = fc.record({ x: corner, y: corner, width: size, height: size })
    const bounds = fc.record({
      x: corner,
      y: corner,
      width: fc.integer({ min: -10, max: 9000 }),
      height: fc.integer({ min: -10, max: 9000 }),
    })
    fc.assert(
      fc.property(bounds, fc.array(area, { minLength: 1, maxLength: 3 }), (kept, areas) => {
        const placed = placeWindow({ bounds: kept, maximized: false, fullScreen: false }, [
          areas[0] ?? LAPTOP,
          ...areas.slice(1),
        ])
        expect(gripOf(placed.bounds, areas)).toBeGreaterThanOrEqual(80)
        expect(placed.bounds.width).toBeGreaterThanOrEqual(LEAST.width)
        expect(placed.bounds.height).toBeGreaterThanOrEqual(LEAST.height)
      }),
    )
  })
})

/** Said anew, so that the rule is not checked against its own arithmetic: count the columns a title bar shows. */
function gripOf(window: Rectangle, areas: readonly Rectangle[]): number {
  const shown = (area: Rectangle): number => {
    if (window.y + 16 < area.y || window.y + 16 > area.y + area.height) return 0
    return Math.max(0, Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x))
  }
  return Math.max(...areas.map(shown))
}
