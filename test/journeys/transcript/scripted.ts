/** The built app on a home whose model is scripted: every word of an answer comes when the test says so. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { type ScriptedProvider, startScriptedProvider } from '../../support/scripted-provider.ts'
import { test as served } from '../serve/served.ts'

export { expect }

export const test = served.extend<{
  provider: ScriptedProvider
  /** Opens the app on the scripted model; `config` are lines of the configuration file. */
  start(config?: string): Promise<Chat>
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from the pattern
  provider: async ({}, use) => {
    const provider = await startScriptedProvider([])
    await use(provider)
    await provider.stop()
  },
  start: async ({ page, home, serve, provider, complaints }, use) => {
    await use(async (config = '') => {
      const model = `model:\n  provider: custom\n  default: scripted\n  base_url: ${provider.url}\n`
      writeFileSync(join(home, 'config.yaml'), `${model}${config}`)
      await page.goto((await serve()).url)
      await page.getByTestId('composer').waitFor()
      return chat(page)
    })
    expect(complaints).toEqual([])
  },
})

export type Chat = ReturnType<typeof chat>

function chat(page: Page) {
  const log = page.getByRole('log')
  const list = page.locator('.transcript-list')
  return {
    log,
    list,
    live: log.locator('article[data-live=true]'),
    answers: log.locator('article[data-role=assistant]'),
    tools: log.locator('section.tool'),
    pill: log.locator('.pill'),
    async send(text: string): Promise<void> {
      await page.getByTestId('composer').fill(text)
      await page.keyboard.press('Enter')
    },
    /** Resolves when no turn runs. */
    settled: () => expect(page.getByTestId('stop')).toHaveCount(0),
    fromEnd: () =>
      list.evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop)),
    /** Pixels between the list's upper edge and a row. */
    topOf: async (words: string): Promise<number> =>
      log
        .locator('.turn')
        .filter({ hasText: words })
        .first()
        .evaluate(
          (row) => row.getBoundingClientRect().top - (row.closest('.transcript')?.getBoundingClientRect().top ?? 0),
        ),
    async wheel(y: number): Promise<void> {
      await list.hover()
      await page.mouse.wheel(0, y)
    },
  }
}

/** `count` paragraphs with numbers to find them by. */
export const paragraphs = (count: number, name = 'Paragraph'): string =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1} has a few words that fill about a line.`).join(
    '\n\n',
  )

/** No finding of the automated rules of WCAG 2.2 A and AA in the chat (U-216). */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}
