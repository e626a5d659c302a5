/**
 * `npm run bench:ui`: the screens' rows of speed.md, each beside the raw cost of the same work by a page without any
 * framework, in one run. Never asserted in a test.
 *
 *     npm run bench:ui -- --json            machine-readable
 *     npm run bench:ui -- --only stream     only rows whose id begins so (stream, open, scroll, type, receive, start)
 */
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { CHROMIUM, CHROMIUM_ARGS } from '../harness/launch.ts'
import { type Measured, type Meter, meterOf } from './measure.ts'
import { asJson, asTable } from './report.ts'
import { crossing } from './rows/crossing.ts'
import { opening } from './rows/opening.ts'
import { scrolling } from './rows/scrolling.ts'
import { start } from './rows/start.ts'
import { streaming } from './rows/streaming.ts'
import { typing } from './rows/typing.ts'
import { bundle, openSite, type Site } from './site.ts'

/** In this order: scrolling goes on where opening has read all. */
const GROUPS: Readonly<Record<string, (ours: Meter, floor: Meter) => Promise<Measured[]>>> = {
  stream: streaming,
  receive: crossing,
  open: opening,
  scroll: scrolling,
  type: typing,
}

const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' } } })
const chosen = (group: string): boolean => values.only === undefined || values.only.split(',').includes(group)
const note = (text: string): void => {
  if (values.json !== true) process.stderr.write(`${text}\n`)
}

const site = await openSite()
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: CHROMIUM_ARGS.filter((arg) => arg !== '--headless'),
})
try {
  const rows: Measured[] = []
  if (chosen('start')) {
    note('start …')
    rows.push(...(await start(browser, site.url)))
  }
  if (Object.keys(GROUPS).some(chosen)) rows.push(...(await onStages(browser, site)))
  process.stdout.write(`${values.json === true ? asJson(rows, browser.version()) : asTable(rows, browser.version())}\n`)
} finally {
  await browser.close()
  site.close()
}

async function onStages(browser: Browser, site: Site): Promise<Measured[]> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } })
  const ourPage = await context.newPage()
  await ourPage.addInitScript(await bundle('test/bench/our-page.ts'))
  await ourPage.goto(`${site.url}/`)
  await ourPage.getByTestId('composer').waitFor()
  const floorContext = await browser.newContext({ viewport: { width: 1_440, height: 900 } })
  const floorPage = await floorContext.newPage()
  await floorPage.goto(`${site.url}/floor.html`)
  const [ours, floor] = [await meterOf(ourPage), await meterOf(floorPage)]
  const rows: Measured[] = []
  for (const [name, measure] of Object.entries(GROUPS)) {
    if (!chosen(name)) continue
    note(`${name} …`)
    rows.push(...(await measure(ours, floor)))
  }
  return rows
}
