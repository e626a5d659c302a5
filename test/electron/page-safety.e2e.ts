/** What a page can reach, through Playwright's own Electron API: the same file runs on a real binary (HERMA_ELECTRON). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test'

interface Opened {
  readonly app: ElectronApplication
  readonly page: Page
}
const open = async (home: string): Promise<Opened> => {
  const app = await _electron.launch({
    executablePath: process.env['HERMA_ELECTRON'] ?? 'test/harness/fake-electron.mjs',
    args: ['.'],
    env: { ...(process.env as Record<string, string>), HERMA_HOME: home },
  })
  const page = await app.firstWindow()
  await expect(page.locator('.shell')).toBeVisible({ timeout: 30_000 })
  return { app, page }
}
const aHome = (): string => mkdtempSync(join(tmpdir(), 'herma-home-'))
const remove = (home: string): void => rmSync(home, { recursive: true, force: true, maxRetries: 5 })

/** One app for the whole file: what a page is denied changes nothing. */
const test = base.extend<{ page: Page }, { opened: Opened }>({
  opened: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from the pattern
    async ({}, use) => {
      const home = aHome()
      const opened = await open(home)
      await use(opened)
      await opened.app.close()
      remove(home)
    },
    { scope: 'worker' },
  ],
  page: ({ opened }, use) => use(opened.page),
})
test.describe.configure({ mode: 'serial' })

test('[U-250] the page has three frozen functions and no Node', async ({ page }) => {
  const seen = await page.evaluate(() => ({
    node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis),
    bridge: Object.keys(window.herma ?? {}).sort(),
    frozen: Object.isFrozen(window.herma),
    replaceable: Object.getOwnPropertyDescriptor(window, 'herma')?.writable ?? false,
  }))
  expect(seen).toEqual({ node: [], bridge: ['call', 'info', 'subscribe'], frozen: true, replaceable: false })
})

test('[U-250] an inline script and a remote one do not run', async ({ page }) => {
  const ran = await page.evaluate(async () => {
    const inline = document.createElement('script')
    inline.textContent = 'globalThis.inlineRan = true'
    document.head.append(inline)
    const remote = document.createElement('script')
    const blocked = new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective))
    })
    remote.src = 'https://example.com/x.js'
    document.head.append(remote)
    return { inline: 'inlineRan' in globalThis, remote: await blocked }
  })
  expect(ran).toEqual({ inline: false, remote: expect.stringContaining('script-src') })
})

test('[U-250] a page cannot reach the network', async ({ page }) => {
  const failed = await page.evaluate(() =>
    fetch('https://example.com/').then(
      () => 'answered',
      () => 'refused',
    ),
  )
  expect(failed).toBe('refused')
})

test('[U-250] a call that is not text is refused before anything is read', async ({ page }) => {
  const refusals = await page.evaluate(async () => {
    const tries: unknown[] = [42, null, { method: 'health.get' }, ['x']]
    return Promise.all(tries.map((each) => window.herma?.call(each as string).catch((error: Error) => error.message)))
  })
  for (const refusal of refusals) expect(refusal).toContain('A frame is text')
})

test('[kernel 8] over the bridge the core answers like over every other door', async ({ page }) => {
  const answer = await page.evaluate(async () => {
    const frame = { jsonrpc: '2.0', id: 7, method: 'health.get', params: { profile: 'default' } }
    return JSON.parse((await window.herma?.call(JSON.stringify(frame))) ?? 'null')
  })
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7, result: { state: 'ready', protocol: expect.any(Number) } })
  expect(await page.evaluate(async () => JSON.parse((await window.herma?.info()) ?? 'null'))).toMatchObject({
    profile: 'default',
    platform: process.platform,
  })
})

test('[U-250] a script in the page can neither leave it nor open a window', async ({ opened, page }) => {
  const address = page.url()
  for (const target of ['file:///etc/passwd', 'data:text/html,gone', 'https://herma.invalid/gone'])
    await page.evaluate((to) => {
      location.href = to
    }, target)
  await page.evaluate(() => window.open('file:///etc/passwd'))
  await expect(page.locator('.shell')).toBeVisible()
  expect(page.url()).toBe(address)
  expect(opened.app.windows()).toHaveLength(1)
})

test('[U-20] the app ends with code 0', async () => {
  const home = aHome()
  const { app, page } = await open(home)
  await expect(page.locator('.shell')).toHaveAttribute('data-transport', 'ipc')
  const child = app.process() // not to be had after close
  await app.close()
  expect(child.exitCode).toBe(0)
  remove(home)
})
