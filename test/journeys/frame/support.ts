/**
 * The built renderer in a real browser, with a scripted core behind `window.herma`: the page comes from
 * `http://frame.invalid/` by interception, under the content policy of the product.
 */
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import type { BridgeInfo } from '../../../src/shared/bridge.ts'
import { info, ScriptedCore } from '../../renderer/frame/scripted-core.ts'

const ORIGIN = 'http://frame.invalid/'
/** Another build can be looked at by naming its folder. */
const ROOT = resolve(process.env['HERMA_RENDERER'] ?? 'out/renderer')
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Puts a core behind `window.herma` of a page and opens it. */
export async function open(page: Page, core: ScriptedCore, as: Partial<BridgeInfo> = {}): Promise<void> {
  await page.route(`${ORIGIN}**`, async (route) => {
    const path = new URL(route.request().url()).pathname
    const file = join(ROOT, path === '/' ? 'index.html' : path)
    try {
      await route.fulfill({
        body: await readFile(file),
        headers: {
          'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
          'content-security-policy': POLICY,
        },
      })
    } catch {
      await route.fulfill({ status: 404 })
    }
  })
  await page.exposeFunction('__call', (message: string) => core.answer(message))
  core.subscribe((message) => {
    void page
      .evaluate((text) => (window as never as { __hear(text: string): void }).__hear(text), message)
      .catch(() => {
        // the page is loading again; what it missed it reads from its snapshot
      })
  })
  await page.addInitScript(
    (answer) => {
      const listeners = new Set<(text: string) => void>()
      Object.assign(window, {
        __hear: (text: string) => {
          for (const listener of listeners) listener(text)
        },
        herma: {
          call: (message: string) => (window as never as { __call(message: string): Promise<string> }).__call(message),
          subscribe(listener: (text: string) => void) {
            listeners.add(listener)
            return () => listeners.delete(listener)
          },
          info: () => Promise.resolve(answer),
        },
      })
    },
    JSON.stringify({ ...info, ...as }),
  )
  await page.goto(ORIGIN)
}

/** No finding of the automated rules of WCAG 2.2 A and AA (U-216); `rules` narrows them to those a theme can break. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page })
  if (rules === undefined) axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  else axe.withRules(rules)
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}

/** Each test has a core of its own; errors on the page's console fail it. */
export const test = base.extend<{ core: ScriptedCore }>({
  core: async ({ page }, use) => {
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    await use(new ScriptedCore())
    expect(errors).toEqual([])
  },
})
export { expect }
