/** Half a screen up per frame through 10,000 messages: work per step, frames, and whether a place was ever blank. */
import { type Measured, type Meter, quantile } from '../measure.ts'

const STEPS = 200
const STEP_PX = 400

export async function scrolling(ours: Meter, floor: Meter): Promise<Measured[]> {
  const mine = await scrolled(ours)
  const raw = await scrolled(floor)
  return [
    { id: 'scroll.step', ours: mine.step, floor: raw.step, unit: 'ms', goal: 3 },
    { id: 'scroll.frame_p95', ours: mine.frame, floor: raw.frame, unit: 'ms', goal: 1.5 },
    { id: 'scroll.blank_places', ours: mine.blanks, floor: null, unit: 'count', goal: 0 },
  ]
}

async function scrolled({ page, cost }: Meter): Promise<{ step: number; frame: number; blanks: number }> {
  await page.evaluate(() => window.stage.open('ten-thousand'))
  let seen = { frames: [] as number[], blanks: 0 }
  const spent = await cost(async () => {
    seen = await page.evaluate(
      async ([steps, px]) => {
        const frames: number[] = []
        let blanks = 0
        let before = performance.now()
        for (let step = 0; step < steps; step++) {
          const list = window.stage.scroller()
          list.dispatchEvent(new WheelEvent('wheel', { deltaY: -px, bubbles: true }))
          list.scrollBy(0, -px)
          const now = await new Promise<number>((done) => requestAnimationFrame(done))
          frames.push(now - before)
          before = now
          await new Promise((done) => requestAnimationFrame(done))
          for (const share of [0.1, 0.5, 0.9]) if (!window.stage.isCovered(list.clientHeight * share)) blanks++
          before = performance.now()
        }
        return { frames, blanks }
      },
      [STEPS, STEP_PX] as const,
    )
  })
  return { step: spent / STEPS, frame: quantile(seen.frames, 0.95), blanks: seen.blanks }
}
