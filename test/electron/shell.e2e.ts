/** The window among other windows, displays and starts: what needs a desktop that a test can arrange. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { callsOf, expect, test } from './fixtures.ts'

/** The screens are there. Long, because a busy machine starts slowly; nothing is measured here. */
const shown = (page: Page): Promise<void> => expect(page.locator('.shell')).toBeVisible({ timeout: 30_000 })

/** One call over the bridge, as the page makes it. */
const ask = (page: Page, method: string, params: object = {}) =>
  page.evaluate(
    async (frame) => JSON.parse((await window.herma?.call(frame)) ?? 'null'),
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { profile: 'default', ...params } }),
  )

test('[U-250] the window is made sandboxed, isolated and without Node', async ({ start }) => {
  const app = await start()
  await shown(await app.window())
  const [[options] = []] = await callsOf(app, 'new BrowserWindow')
  expect(options).toMatchObject({
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false },
  })
  expect(await callsOf(app, 'app.enableSandbox')).toHaveLength(1)
  expect(await callsOf(app, 'window.show')).toHaveLength(1)
})

test('[U-250] only our own page is answered', async ({ start }) => {
  const page = await (await start()).window()
  await shown(page)
  await page.goto('data:text/html,<p>foreign</p>')
  const refusals = await page.evaluate(async () =>
    Promise.all(
      [window.herma?.call('{}'), window.herma?.info()].map((call) => call?.catch((error: Error) => error.message)),
    ),
  )
  for (const refusal of refusals) expect(refusal).toContain('This page may not speak to Herma')
})

test('[U-250] web links leave by the system, everything else leads nowhere', async ({ start }) => {
  const app = await start()
  const page = await app.window()
  await shown(page)
  const left = () => callsOf(app, 'shell.openExternal')
  await page.evaluate(() => window.open('smb://server/x'))
  await page.evaluate(() => window.open('https://example.com/a'))
  await expect.poll(left).toEqual([['https://example.com/a']])
  await page.evaluate(() => {
    location.href = 'https://example.com/b'
  })
  await expect.poll(left).toEqual([['https://example.com/a'], ['https://example.com/b']])
  await shown(page)
})

test('[U-20] a second start on the same home focuses the first and ends with 0', async ({ start }) => {
  const first = await start()
  const page = await first.window()
  await shown(page)
  const second = await start()
  expect(await second.exited).toBe(0)
  await expect.poll(() => callsOf(first, 'window.focus')).toHaveLength(1)
  expect(await callsOf(first, 'new BrowserWindow')).toHaveLength(1)
})

test('[U-20] another home is another instance', async ({ start, home }) => {
  const first = await start()
  await shown(await first.window())
  const other = await start({ env: { HERMA_HOME: join(home, 'other') } })
  await shown(await other.window())
})

test('[U-21] place, zoom and ground come back after a restart', async ({ start }) => {
  const before = await start()
  const page = await before.window()
  await shown(page)
  await before.main('place', { x: 300, y: 120, width: 1010, height: 707 })
  await before.main('click', 'zoom.in')
  await before.main('click', 'zoom.in')
  await ask(page, 'ui_state.set', { key: 'screen.preferences', value: { theme: 'dark' } })
  await before.main('quit')
  expect(await before.exited).toBe(0)

  const after = await start()
  await shown(await after.window())
  const [[options] = []] = await callsOf(after, 'new BrowserWindow')
  // The ground is painted before the first frame (U-242).
  expect(options).toMatchObject({ x: 300, y: 120, width: 1010, height: 707, backgroundColor: '#17181a' })
  expect(await after.main('theme')).toBe('dark')
  await expect.poll(() => callsOf(after, 'webContents.setZoomFactor')).toEqual([[1.2]])
})

test('[U-21] from a display that is gone it moves onto the one that is there', async ({ start, home }) => {
  const place = { bounds: { x: 2000, y: 200, width: 1000, height: 700 }, maximized: false, fullScreen: false }
  mkdirSync(join(home, 'desktop'))
  writeFileSync(join(home, 'desktop/window.json'), JSON.stringify({ place, zoom: 100 }))
  const displays = JSON.stringify([{ id: 1, workArea: { x: 0, y: 0, width: 1440, height: 900 } }])
  const app = await start({ env: { HERMA_TEST_DISPLAYS: displays } })
  await app.window()
  const [[options] = []] = await callsOf(app, 'new BrowserWindow')
  expect(options).toMatchObject({ x: 440, y: 200, width: 1000, height: 700 })
})

test('[U-39] a key stored in the window survives a restart and is readable nowhere in the home', async ({
  start,
  home,
}) => {
  const env = { HERMA_TEST_KEYRING: 'gnome_libsecret' }
  const before = await start({ env })
  const page = await before.window()
  await shown(page)
  const stored = await ask(page, 'credentials.add', { provider: 'openai', key: 'sk-very-secret-9876' })
  expect(stored).toMatchObject({ result: { storage: 'os', last_four: '9876' } })
  await before.main('quit')
  await before.exited
  const file = join(home, 'desktop/keys-default.json')
  expect(existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).not.toContain('secret')
  expect(before.output()).not.toContain('secret')

  const again = await (await start({ env })).window()
  await shown(again)
  const options = await ask(again, 'model.options')
  const openai = options.result.providers.find((provider: { name: string }) => provider.name === 'openai')
  expect(openai.key).toMatchObject({ state: 'set', last_four: '9876', storage: 'os' })
  expect(JSON.stringify(options)).not.toContain('secret')
})

test('[U-40] a keyring that is none is called that', async ({ start }) => {
  const page = await (await start({ env: { HERMA_TEST_KEYRING: 'basic_text' } })).window()
  await shown(page)
  const health = await ask(page, 'health.get')
  expect(health.result.key_storage).toMatchObject({ secure: false, detail: expect.stringContaining('No keyring') })
})

test('[CLI-09] a home that is a file is refused in words, with code 1', async ({ start, home }) => {
  const file = join(home, 'file')
  writeFileSync(file, 'not a folder')
  const app = await start({ env: { HERMA_HOME: file } })
  expect(await app.exited).toBe(1)
  expect(app.output()).toContain('is a file')
  expect(app.output()).not.toContain('    at ')
  expect(readFileSync(file, 'utf8')).toBe('not a folder')
})

test('[U-20] closing the last window quits with code 0', async ({ start }) => {
  test.skip(process.platform === 'darwin', 'on macOS an app outlives its windows')
  const app = await start()
  await shown(await app.window())
  await app.main('close')
  expect(await app.exited).toBe(0)
})

test('[U-24] a menu item runs the same command as its button', async ({ start }) => {
  const app = await start()
  const page = await app.window()
  await shown(page)
  await app.main('click', 'help.keys')
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('[U-18] a second start with a chat shows that chat in the first window', async ({ start }) => {
  const first = await start()
  const page = await first.window()
  await shown(page)
  const { result } = await ask(page, 'session.create', { request_id: 'r1', title: 'Roof repairs' })
  const second = await start({ args: ['--session', result.conversation_id] })
  expect(await second.exited).toBe(0)
  await expect(page).toHaveTitle(/Roof repairs/)
})

test('[U-26] closing the window while a turn runs asks over it, and stopping it ends with 0', async ({ start }) => {
  const app = await start()
  const page = await app.window()
  await shown(page)
  const { result } = await ask(page, 'session.create', { request_id: 'r1' })
  await ask(page, 'prompt.submit', {
    conversation_id: result.conversation_id,
    request_id: 'r2',
    text: 'Run a command for me',
  })
  // The demo's turn now waits for a person: it runs until somebody answers.
  await expect
    .poll(async () => (await ask(page, 'approval.pending')).result.requests, { timeout: 20_000 })
    .toHaveLength(1)

  await app.main('close') // the dialog that comes is cancelled
  await expect.poll(() => callsOf(app, 'dialog.showMessageBox')).toHaveLength(1)
  await shown(page)

  await app.main('answer', 1)
  await app.main('close')
  expect(await app.exited).toBe(0)
})
