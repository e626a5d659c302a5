/** What it costs to receive: 5,000 pieces one message each and in groups of fifty, and one page of 100 messages. */
import { type Measured, type Meter, median } from '../measure.ts'

const PIECES = 5_000
const GROUP = 50
const RUNS = 5
const PAGES = 200

export async function crossing(ours: Meter, floor: Meter): Promise<Measured[]> {
  const [mineEach, rawEach] = [await received(ours, 1), await received(floor, 1)]
  const [mineGroups, rawGroups] = [await received(ours, GROUP), await received(floor, GROUP)]
  const answer = await ours.page.evaluate(() => window.samplePage?.() ?? '')
  const page = (meter: Meter): Promise<number> => pages(meter, answer)
  return [
    { id: 'receive.5000_alone', ours: mineEach, floor: rawEach, unit: 'ms', goal: 2 },
    { id: 'receive.5000_in_groups', ours: mineGroups, floor: rawGroups, unit: 'ms', goal: 2 },
    { id: 'receive.page_of_100', ours: await page(ours), floor: await page(floor), unit: 'ms', goal: 2 },
  ]
}

/** Each message is a task of its own, as between processes. */
async function received({ page, cost }: Meter, group: number): Promise<number> {
  const costs: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.evaluate(async () => {
      await window.stage.open('empty')
      await window.stage.startAnswer()
    })
    costs.push(
      await cost(() =>
        page.evaluate(
          async ([count, size]) => {
            const word = (at: number): string => (at % 40 === 39 ? 'end.\n\n' : 'word ')
            const frames: string[] = []
            for (let at = 0; at < count; at += size)
              frames.push(window.stage.frame(Array.from({ length: size }, (_, more) => word(at + more)).join('')))
            const line = new MessageChannel()
            await new Promise<void>((done) => {
              let left = frames.length
              line.port1.onmessage = ({ data }) => {
                window.stage.receive(data as string)
                if (--left === 0) done()
              }
              for (const frame of frames) line.port2.postMessage(frame)
            })
            for (let frame = 0; frame < 4; frame++) await new Promise((done) => requestAnimationFrame(done))
          },
          [PIECES, group] as const,
        ),
      ),
    )
    await page.evaluate(() => window.stage.endAnswer())
  }
  return median(costs)
}

const pages = async ({ page }: Meter, answer: string): Promise<number> =>
  (await page.evaluate(([text, times]) => window.stage.page(text, times), [answer, PAGES] as const)) / PAGES
