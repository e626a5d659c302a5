import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { askDemo, expect, exported, messages, readFacts, readTranscript, test } from './served.ts'

test('[CLI-07] [U-250] the address opens the app, gives its token away once, and lives on after a reload', async ({
  page,
  context,
  serve,
  complaints,
}) => {
  const served = await serve()
  await page.goto(served.url)
  await expect(page.getByTestId('onboarding')).toBeVisible()
  expect(page.url()).toBe(`http://127.0.0.1:${served.port}/`)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }])

  await page.reload()
  await expect(page.getByTestId('onboarding')).toBeVisible()
  expect(complaints).toEqual([])

  const blocked = await page.evaluate(async () => {
    const inline = document.createElement('script')
    inline.textContent = 'globalThis.inlineRan = true'
    document.head.append(inline)
    const remote = await fetch('http://127.0.0.1:9/').then(
      () => 'sent',
      () => 'blocked',
    )
    return { inline: 'inlineRan' in globalThis ? 'ran' : 'blocked', remote }
  })
  expect(blocked).toEqual({ inline: 'blocked', remote: 'blocked' })
  expect(complaints.every((text) => text.includes('Content Security Policy'))).toBe(true)
})

test('[CLI-07] without the token a browser sees a page that says what to do', async ({ page, serve }) => {
  const served = await serve()
  await page.goto(`http://127.0.0.1:${served.port}/`)
  await expect(page.locator('body')).toContainText('needs the address that Herma printed')
  await expect(page.getByTestId('composer')).toHaveCount(0)
})

test('[CLI-01] a prompt streams the demo’s answer, a question is asked and answered, the file is there, a reload shows the same', async ({
  page,
  home,
  serve,
  complaints,
}) => {
  const served = await serve()
  await page.goto(served.url)
  await askDemo(page, 'Run a command')
  await expect(messages(page).filter({ hasText: 'I will run a small command first' })).toHaveCount(1)
  const question = page.getByTestId('approval')
  await expect(question).toContainText('rm -f herma-demo.txt')
  // A press in the first 400 ms is meant to be ignored (U-96), so a quick hand has to press again.
  await expect(async () => {
    await question.getByTestId('approve-once').click({ timeout: 2_000 })
    await expect(question).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
  await expect(messages(page).last()).toContainText('I read it back')
  await expect(page.getByTestId('stop')).toHaveCount(0)

  expect(readFileSync(join(home, 'workspace/herma-demo.txt'), 'utf8')).toBe('Written by Herma\n')
  const before = await readTranscript(page)
  await page.reload()
  await expect(messages(page).last()).toContainText('I read it back')
  expect(await readTranscript(page)).toEqual(before)
  expect(complaints).toEqual([])
})

test('[CLI-07] two tabs see the same live turn; after a kill and a new start the stored transcript is there once', async ({
  page,
  context,
  home,
  serve,
}) => {
  test.slow() // two servers and two tabs, one after the other
  const served = await serve()
  await page.goto(served.url)
  await askDemo(page, 'Run a command')
  await expect(page.getByTestId('approval')).toBeVisible() // the turn waits here, so nothing races with the second tab
  const other = await context.newPage()
  await other.goto(page.url())
  await other
    .getByTestId('chat-list')
    .getByRole('button', { name: /, (running|needs you),/ })
    .click()
  await expect(other.getByTestId('approval')).toContainText('rm -f herma-demo.txt')
  await expect.poll(() => readTranscript(other)).toEqual(await readTranscript(page))

  await served.end('SIGKILL')
  const again = await serve(['--port', String(served.port)])
  for (const tab of [page, other]) {
    await tab.goto('about:blank')
    await tab.goto(again.url)
  }
  for (const tab of [page, other]) await expect(tab.getByTestId('running-turns')).toHaveText('no turns running')
  await expect.poll(async () => ({ same: await readTranscript(other) })).toEqual({ same: await readTranscript(page) })
  const stored = exported(home)
  expect(stored.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(['Run a command'])
  expect(new Set(stored.map(({ uid }) => uid)).size).toBe(stored.length)
})

test('[cli 2] the token file says what the process said, and is gone after Ctrl+C', async ({ serve }) => {
  const served = await serve()
  expect(readFacts(served)).toMatchObject({ url: served.url, port: served.port, pid: served.pid })
  expect(await served.end('SIGINT')).toBe(0)
  expect(existsSync(served.token_file)).toBe(false)
})
