/** Page zoom: 80 to 200 % in steps of 10, one for all windows (U-23). Whole percent, so that steps never drift. */
export const ZOOM = { least: 80, most: 200, step: 10, standard: 100 } as const

/** The next step up (1) or down (-1), staying within the limits; 0 is back to 100 %. */
export function stepZoom(percent: number, by: 1 | 0 | -1): number {
  if (by === 0) return ZOOM.standard
  return clampZoom(percent + by * ZOOM.step)
}

/** A stored value made usable: on a step, within the limits. */
export const clampZoom = (percent: number): number =>
  Number.isFinite(percent)
    ? Math.min(ZOOM.most, Math.max(ZOOM.least, Math.round(percent / ZOOM.step) * ZOOM.step))
    : ZOOM.standard
