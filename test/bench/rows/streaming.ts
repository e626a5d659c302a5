/** An answer of 120 KB in 6,000 pieces: what a piece costs alone and in a crowd, and whether the end costs more than the start. */
import type { Measured, Meter } from '../measure.ts'
import { answerText, piecesOf } from '../stories.ts'

const CHARS = 20
const PIECES = 6_000
const SAMPLE = 150
/** Pieces that arrive together, as fast as a frame. */
const CROWD = 50
const pieces = piecesOf(answerText(PIECES * CHARS), CHARS)
const TENTH = PIECES / 10

interface Streamed {
  readonly first: number
  readonly last: number
  readonly crowd: number
  readonly longTasks: number
  readonly lag: number
}

export async function streaming(ours: Meter, floor: Meter): Promise<Measured[]> {
  const raw = await streamed(floor)
  const mine = await streamed(ours)
  const each = (run: Streamed): number => (run.first + run.last) / 2
  return [
    { id: 'stream.piece', ours: each(mine), floor: each(raw), unit: 'ms', goal: 3 },
    { id: 'stream.crowd_piece', ours: mine.crowd, floor: raw.crowd, unit: 'ms', goal: 4 },
    { id: 'stream.last_tenth_to_first', ours: mine.last, floor: mine.first, unit: 'ms', goal: 3 },
    { id: 'stream.long_tasks', ours: mine.longTasks, floor: null, unit: 'count', goal: 0 },
    { id: 'stream.frames_behind', ours: mine.lag, floor: null, unit: 'frames', goal: 2 },
  ]
}

async function streamed({ page, cost }: Meter): Promise<Streamed> {
  await page.evaluate(async () => {
    await window.stage.open('empty')
    await window.stage.startAnswer()
    window.longTasks = 0
    new PerformanceObserver((list) => {
      window.longTasks += list.getEntries().length
    }).observe({ type: 'longtask' })
  })
  const lags: number[] = []
  const alone = async (from: number): Promise<number> =>
    (await cost(async () => lags.push(...(await oneByOne(page, from))))) / SAMPLE
  const first = await alone(0)
  const middle = PIECES - TENTH - SAMPLE
  const crowd = (await cost(() => inCrowds(page, SAMPLE, SAMPLE + middle))) / middle
  await inCrowds(page, SAMPLE + middle, PIECES - SAMPLE)
  const last = await alone(PIECES - SAMPLE)
  const longTasks = await page.evaluate(() => window.longTasks)
  await page.evaluate(() => window.stage.endAnswer())
  return { first, last, crowd, longTasks, lag: Math.max(...lags) }
}

/** Each piece waits until the one before is on screen. Answers how many frames each took to get there. */
function oneByOne(page: Meter['page'], from: number): Promise<number[]> {
  return page.evaluate(
    async (texts) => {
      const lags: number[] = []
      let changed = false
      const watch = new MutationObserver(() => {
        changed = true
      })
      watch.observe(window.stage.scroller(), { subtree: true, childList: true, characterData: true })
      for (const text of texts) {
        changed = false
        window.stage.receive(window.stage.frame(text))
        let frames = 0
        while (!changed && frames < 60) {
          await new Promise((done) => requestAnimationFrame(done))
          frames++
        }
        lags.push(frames)
      }
      watch.disconnect()
      return lags
    },
    pieces.slice(from, from + SAMPLE),
  )
}

function inCrowds(page: Meter['page'], from: number, to: number): Promise<void> {
  return page.evaluate(
    async ([texts, crowd]) => {
      for (let at = 0; at < texts.length; at += crowd) {
        for (const text of texts.slice(at, at + crowd)) window.stage.receive(window.stage.frame(text))
        await new Promise((done) => requestAnimationFrame(done))
      }
    },
    [pieces.slice(from, to), CROWD] as const,
  )
}

declare global {
  interface Window {
    longTasks: number
  }
}
