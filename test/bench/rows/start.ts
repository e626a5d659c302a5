/** From a new page to a composer that takes text, with 5,000 stored conversations, against a page with one text field. */
import type { Browser } from '@playwright/test'
import { manyRows } from '../../renderer/frame/builders.ts'
import { info, ScriptedCore } from '../../renderer/frame/scripted-core.ts'
import { type Measured, median } from '../measure.ts'

const RUNS = 9

export async function start(browser: Browser, site: string): Promise<Measured[]> {
  const ours: number[] = []
  const floor: number[] = []
  for (let run = 0; run < RUNS; run++) {
    floor.push(await usable(browser, `${site}/blank.html`))
    ours.push(await usable(browser, `${site}/`))
  }
  return [{ id: 'start.5000_conversations', ours: median(ours), floor: median(floor), unit: 'ms', goal: 1.6 }]
}

/** The core answers from outside of the page, as it does in the app. */
async function usable(browser: Browser, url: string): Promise<number> {
  const core = new ScriptedCore()
  core.rows = manyRows(5_000)
  const began = performance.now()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.exposeFunction('answer', (message: string) => core.answer(message))
  await page.addInitScript((described) => {
    Object.assign(window, {
      herma: {
        call: (message: string) => (window as never as { answer(text: string): Promise<string> }).answer(message),
        subscribe: () => () => {},
        info: () => Promise.resolve(described),
      },
    })
  }, JSON.stringify(info))
  await page.goto(url)
  const composer = page.getByTestId('composer')
  await composer.fill('hello')
  const took = performance.now() - began
  await context.close()
  return took
}
