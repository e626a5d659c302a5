/** From the click to the frame with the newest message, and how much then stands in the document. */
import { type Measured, type Meter, median } from '../measure.ts'
import type { Chat } from '../stage.ts'

const RUNS = 7

export async function opening(ours: Meter, floor: Meter): Promise<Measured[]> {
  await ours.page.evaluate(async () => {
    await window.stage.open('ten-thousand')
    await window.stage.readAll()
  })
  const long = await opened(ours, 'ten-thousand')
  const nodes = await ours.page.evaluate(() => document.querySelectorAll('*').length)
  const rows = await ours.page.evaluate(() => document.querySelectorAll('.turn').length)
  const short = await opened(ours, 'hundred')
  const raw = await opened(floor, 'ten-thousand')
  return [
    { id: 'open.10000_messages', ours: long, floor: raw, unit: 'ms', goal: 8 },
    { id: 'open.10000_to_100', ours: long, floor: short, unit: 'ms', goal: 1.3 },
    { id: 'open.elements', ours: nodes, floor: null, unit: 'count', goal: 3_000 },
    { id: 'open.mounted_rows', ours: rows, floor: null, unit: 'count', goal: 80 },
  ]
}

async function opened({ page, cost }: Meter, chat: Chat): Promise<number> {
  const costs: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.evaluate(() => window.stage.open('empty'))
    costs.push(await cost(() => page.evaluate((name) => window.stage.open(name), chat)))
  }
  return median(costs)
}
