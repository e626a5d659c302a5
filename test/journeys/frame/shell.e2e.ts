import type { Page } from '@playwright/test'
import { aHealth, aQueuedInput, aRow, conversation, manyRows } from '../../renderer/frame/builders.ts'
import { expect, open, test } from './support.ts'

const rowNames = (page: Page) =>
  page
    .getByTestId('chat-list')
    .locator('button[data-row]')
    .evaluateAll((rows) => rows.map((row) => row.dataset['row']))

test('[U-15] [U-229] 5,000 conversations are paged in as they are reached, and few are mounted', async ({
  page,
  core,
}) => {
  core.rows = manyRows(5_000)
  await open(page, core)
  const list = page.getByTestId('chat-list')
  await page.getByTestId('chat-row-c0').focus()
  expect(core.count('session.list')).toBe(1)

  await page.keyboard.press('End')
  await expect.poll(() => core.count('session.list')).toBeGreaterThan(1)
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect.poll(() => core.count('session.list')).toBeGreaterThan(2)

  expect(await list.locator('li').count()).toBeLessThan(80)
  await expect(list.locator('li').first()).toHaveAttribute('aria-setsize', '5000')
})

test('[U-14] a row carried by an event takes its place and its state without the list being read again', async ({
  page,
  core,
}) => {
  core.rows = manyRows(5)
  await open(page, core)
  await expect(page.getByTestId('chat-row-c3')).toBeVisible()
  const reads = core.count('session.list')

  core.change(
    aRow({
      conversation_id: conversation('c3'),
      title: 'Moved',
      state: 'needs_you',
      last_activity_at: Date.now(),
      revision: 2,
    }),
  )

  await expect(page.getByTestId('chat-row-c3')).toContainText('needs you')
  expect((await rowNames(page))[0]).toBe('c3')
  core.change(aRow({ conversation_id: conversation('new'), title: 'Elsewhere', last_activity_at: Date.now() + 1 }))
  await expect(page.getByTestId('chat-row-new')).toBeVisible()
  expect(core.count('session.list')).toBe(reads)
})

test('[U-05] an answer for an older filter never shows under a newer one', async ({ page, core }) => {
  core.rows = [aRow({ title: 'apple' }), aRow({ conversation_id: conversation('c2'), title: 'banana' })]
  await open(page, core)
  await expect(page.getByTestId('chat-row-c1')).toBeVisible()
  let answerLate = (): void => {}
  core.once('session.list', async ({ search }) => {
    expect(search).toBe('apple')
    await new Promise<void>((resolve) => {
      answerLate = resolve
    })
    return undefined
  })

  await page.getByTestId('chat-filter').fill('apple')
  await expect.poll(() => core.count('session.list')).toBe(2)
  await page.getByTestId('chat-filter').fill('banana')
  await expect.poll(() => rowNames(page)).toEqual(['c2'])
  answerLate()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

  expect(await rowNames(page)).toEqual(['c2'])
  await page.getByTestId('chat-filter').press('Escape')
  await expect.poll(() => rowNames(page)).toEqual(['c1', 'c2'])
})

test('[U-31] the list is walked with J and K, opened with Enter, renamed with F2; letters in a field are text', async ({
  page,
  core,
}) => {
  core.rows = manyRows(5)
  await open(page, core)
  await page.getByTestId('chat-row-c0').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(page.getByTestId('chat-row-c1')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Conversation 1')
  await expect(page.getByTestId('chat-row-c1')).toHaveAttribute('aria-current', 'page')

  await page.keyboard.press('F2')
  await page.keyboard.insertText('jk?')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('chat-row-c1')).toContainText('jk?')
  await expect(page.getByTestId('chat-row-c1')).toBeFocused()
  expect(core.calls.find(({ method }) => method === 'session.title')?.params).toMatchObject({
    title: 'jk?',
    expected_revision: 1,
  })
})

test('[U-32] [U-33] ? shows the keys that work here, Escape closes it and nothing else', async ({ page, core }) => {
  core.rows = [aRow()]
  await open(page, core)
  await page.getByTestId('composer').fill('a draft?')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByTestId('chat-row-c1').focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys that work here' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByTestId('composer')).toHaveValue('a draft??')
})

test('[U-17] [U-28] keys and buttons walk the same history', async ({ page, core }) => {
  core.rows = manyRows(2)
  await open(page, core)
  await page.getByTestId('chat-row-c0').click()
  await page.getByTestId('chat-row-c1').click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Conversation 1')
  await page.keyboard.press('Control+[')
  await expect(heading).toHaveText('Conversation 0')
  await page.getByRole('button', { name: 'Forward' }).click()
  await expect(heading).toHaveText('Conversation 1')
  await page.keyboard.press('Control+,')
  await expect(heading).toHaveText('Settings')
})

test('[U-10] [U-21] [U-27] theme, sidebar and the view in front are the same after a reload', async ({
  page,
  core,
}) => {
  core.rows = manyRows(3)
  await open(page, core)
  await page.getByTestId('chat-row-c2').click()
  await page.getByTestId('nav-settings').click()
  await page.getByTestId('theme-dark').click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('separator').focus()
  await page.keyboard.press('ArrowRight')
  await page.getByTestId('chat-row-c2').click()
  await page.getByTestId('sidebar-toggle').click()
  await expect
    .poll(() => core.uiState.get('screen.preferences'))
    .toMatchObject({ theme: 'dark', sidebarWidth: 264, sidebarOpen: false })

  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Conversation 2')
  await expect(page.getByTestId('sidebar')).toHaveCount(0)
  await page.keyboard.press('Control+b')
  await expect(page.getByTestId('sidebar')).toHaveCSS('width', '264px')
})

test('[U-242] the theme of last time paints before the app runs', async ({ page, core }) => {
  core.uiState.set('screen.preferences', { theme: 'dark' })
  await open(page, core)
  await page.getByTestId('status-bar').waitFor()
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('[U-22] at 800 px the sidebar lies over the view and closes by Escape, a choice, or a click beside it', async ({
  page,
  core,
}) => {
  core.rows = manyRows(3)
  await page.setViewportSize({ width: 800, height: 600 })
  await open(page, core)
  const sidebar = page.getByTestId('sidebar')
  await expect(sidebar).toHaveCount(0)
  await page.getByTestId('sidebar-toggle').click()
  await expect(sidebar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sidebar).toHaveCount(0)
  await page.getByTestId('sidebar-toggle').click()
  await page.getByTestId('chat-row-c1').click()
  await expect(sidebar).toHaveCount(0)
  for (const width of [720, 800, 1440]) {
    await page.setViewportSize({ width, height: 480 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
})

test('[U-46] [U-53] a draft and a message on its way survive a reload', async ({ page, core }) => {
  core.rows = [aRow()]
  await open(page, core)
  await page.getByTestId('chat-row-c1').click()
  core.once('prompt.submit', () => ({ drop: true }))
  await page.getByTestId('composer').fill('first')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('outbox-row')).toHaveAttribute('data-state', 'waiting')
  await page.getByTestId('composer').fill('half a sent')

  await page.reload()
  await expect(page.getByTestId('composer')).toHaveValue('half a sent')
  await page.getByTestId('send-again').click()
  await expect(page.getByTestId('outbox-row')).toHaveCount(0)
  const [first, second] = core.calls.filter(({ method }) => method === 'prompt.submit').map(({ params }) => params)
  expect(second).toEqual(first)
})

test('[U-46] a draft survives a reload in the very moment of typing', async ({ page, core }) => {
  core.rows = [aRow()]
  await open(page, core)
  await page.getByTestId('chat-row-c1').click()
  await page.getByTestId('composer').focus()
  await page.keyboard.insertText('the last letter counts')
  await page.reload()
  await expect(page.getByTestId('composer')).toHaveValue('the last letter counts')
})

test('[U-89] [U-92] while a turn runs Enter queues, the queue can be edited, and Stop says stopping at once', async ({
  page,
  core,
}) => {
  core.rows = [aRow({ state: 'running' })]
  core.queue.push(aQueuedInput())
  core.snapshots.set('c1', {
    inflight: { turn: 't1', text: '', reasoning: '', running: [], started_at: 1, stopping: false, status: null },
  })
  await open(page, core)
  await page.getByTestId('chat-row-c1').click()
  await expect(page.getByTestId('send')).toContainText('Queue')
  await page.getByRole('button', { name: 'Edit in the composer' }).click()
  await expect(page.getByTestId('composer')).toHaveValue('and then run the tests')

  core.once('turn.interrupt', () => new Promise(() => {}))
  await page.getByTestId('composer').focus()
  await page.keyboard.press('Control+.')
  await expect(page.getByTestId('stop')).toHaveText('Stopping')
  await expect(page.getByTestId('composer')).toHaveValue('and then run the tests')
})

test('[U-54] [U-209] [U-212] a full disk is said in the window, and the refused text is back', async ({
  page,
  core,
}) => {
  core.rows = [aRow()]
  await open(page, core)
  await page.getByTestId('chat-row-c1').click()
  core.health = aHealth({ state: 'degraded', reason: 'The disk is full.' })
  core.once('prompt.submit', () => ({
    refusal: { code: 'db_full', message: 'The message was not accepted.', next: 'Free some space.', retry: true },
  }))
  await page.getByTestId('composer').fill('hello')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('alert').filter({ hasText: 'The message was not accepted.' })).toContainText(
    'Free some space.',
  )
  await expect(page.getByTestId('composer')).toHaveValue('hello')
  await expect(page.getByTestId('core-trouble')).toContainText('The disk is full.')
  await expect(page.getByTestId('core-state')).toHaveText('degraded')
})

test('[U-47] a draft whose chat is gone moves to the new chat, and Undo puts it back', async ({ page, core }) => {
  core.uiState.set('screen.view', { kind: 'chat', conversation: 'gone' })
  core.uiState.set('draft:gone', { text: 'words for a chat that is gone', sends: [] })
  await open(page, core)
  await expect(page.getByText('This chat no longer exists.')).toBeVisible()
  await expect.poll(() => core.uiState.get('draft:new')).toMatchObject({ text: 'words for a chat that is gone' })
  await page.getByTestId('new-chat').click()
  await expect(page.getByTestId('composer')).toHaveValue('words for a chat that is gone')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByTestId('composer')).toHaveValue('')
})

test('[U-250] a core of another protocol gets a page that says so, and nothing is sent', async ({ page, core }) => {
  await open(page, core, { protocol: 99 })
  await expect(page.getByTestId('page-other-protocol')).toContainText('different versions')
  expect(core.calls).toEqual([])
})

test('[U-18] [U-24] [U-28] the desktop menu runs the window’s commands and a link opens its chat', async ({
  page,
  core,
}) => {
  core.rows = [aRow({ title: 'Linked' })]
  await open(page, core)
  await page.getByTestId('status-bar').waitFor()
  core.send({ jsonrpc: '2.0', method: 'shell.show', params: { conversation: 'c1' } })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Linked')
  core.send({ jsonrpc: '2.0', method: 'shell.command', params: { id: 'chat.rename' } })
  await expect(page.getByTestId('title-field')).toBeFocused()
  core.send({ jsonrpc: '2.0', method: 'shell.command', params: { id: 'no.such.command' } })
  core.send({ jsonrpc: '2.0', method: 'shell.command', params: { id: 'go.settings' } })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')
})
