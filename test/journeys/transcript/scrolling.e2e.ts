import { call, gate, text } from '../../support/scripted-provider.ts'
import { expect, paragraphs, test } from './scripted.ts'

test('[U-62] [U-63] one movement up holds the view still while text streams; End follows again', async ({
  page,
  start,
  provider,
}) => {
  const chat = await start()
  const [more, code] = [gate(), gate()]
  provider.add(
    text(paragraphs(40, 'Old')),
    text([
      `${paragraphs(12, 'New')}\n\n`,
      more,
      `${paragraphs(30, 'Later')}\n\n`,
      code,
      '```ts\nconst a = 1\n```\n\nThe end.',
    ]),
  )
  await chat.send('first')
  await chat.settled()
  await expect(chat.log).toContainText('Old 40')
  await chat.send('second')
  await expect(chat.live).toContainText('New 12')
  await expect.poll(chat.fromEnd).toBeLessThanOrEqual(8)

  await chat.wheel(-300)
  await expect(chat.pill).toBeVisible()
  await expect.poll(chat.fromEnd).toBeGreaterThan(200)
  const anchor = await chat.topOf('second')
  more.open()
  await expect.poll(chat.fromEnd).toBeGreaterThan(1_000)
  expect(Math.abs((await chat.topOf('second')) - anchor)).toBeLessThanOrEqual(1)
  code.open()
  await chat.settled()
  expect(Math.abs((await chat.topOf('second')) - anchor)).toBeLessThanOrEqual(1)

  await page.getByTestId('composer').focus()
  await chat.pill.click()
  await expect.poll(chat.fromEnd).toBeLessThanOrEqual(8)
  await expect(chat.pill).toHaveCount(0)
  await expect(chat.log).toContainText('The end.')
})

test('[U-62] a movement of a few pixels is enough to stop following', async ({ start, provider }) => {
  const chat = await start()
  const more = gate()
  provider.add(text([`${paragraphs(40)}\n\n`, more, paragraphs(10, 'Later')]))
  await chat.send('go')
  await expect(chat.live).toContainText('Paragraph 40')
  await expect.poll(chat.fromEnd).toBeLessThanOrEqual(8)
  await chat.wheel(-4)
  await expect(chat.pill).toBeVisible()
  more.open()
  await chat.settled()
  await expect(chat.pill).toBeVisible()
  expect(await chat.fromEnd()).toBeGreaterThan(100)
})

test('[U-64] [U-65] sending brings the new message into view; the pill counts what came meanwhile', async ({
  start,
  provider,
}) => {
  const chat = await start()
  const hold = gate()
  provider.add(text(paragraphs(40, 'Old')), text(['Short ', hold, 'answer.']))
  await chat.send('first')
  await expect(chat.log).toContainText('Old 40')
  await chat.settled()
  await chat.wheel(-2_000)
  await expect(chat.pill).toHaveText('Jump to latest')
  await chat.send('where am I')
  await expect(chat.log.locator('article[data-role=user]').filter({ hasText: 'where am I' })).toBeInViewport()
  await expect(chat.live).toContainText('Short')
  await chat.wheel(-1_000)
  await expect(chat.pill).toBeVisible()
  hold.open()
  await chat.settled()
})

test('[U-67] a chat opens where it was read, or at its end when it was at the end, without travelling', async ({
  page,
  start,
  provider,
}) => {
  const chat = await start()
  provider.add(text(paragraphs(60)))
  await chat.send('go')
  await expect(chat.log).toContainText('Paragraph 60')
  await chat.settled()
  await expect.poll(chat.fromEnd).toBeLessThanOrEqual(8)
  await page.reload()
  await expect(chat.log).toContainText('Paragraph 60')
  await expect.poll(chat.fromEnd).toBeLessThanOrEqual(8)

  await chat.wheel(-600)
  await expect.poll(chat.fromEnd).toBeGreaterThan(500)
  const place = await chat.list.evaluate((element) => element.scrollTop)
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await page.reload()
  await expect(chat.log).toHaveAttribute('data-settled', 'true')
  await expect.poll(() => chat.list.evaluate((element) => Math.round(element.scrollTop))).toBeGreaterThan(0)
  await expect.poll(async () => Math.abs((await chat.list.evaluate((e) => e.scrollTop)) - place)).toBeLessThanOrEqual(1)
  await expect(chat.pill).toBeVisible()
})

test('[U-69] a selection survives streaming and is not pulled away', async ({ page, start, provider }) => {
  const chat = await start()
  const more = gate()
  provider.add(text([`Selected words stand here.\n\n${paragraphs(25)}\n\n`, more, paragraphs(15, 'Later')]))
  await chat.send('go')
  await expect(chat.live).toContainText('Paragraph 25')
  await expect.poll(chat.fromEnd).toBeLessThanOrEqual(8)
  await chat.log.locator('p', { hasText: 'Paragraph 25 ' }).selectText()
  const selected = await page.evaluate(() => document.getSelection()?.toString())
  expect(selected).toContain('Paragraph 25')
  more.open()
  await expect(chat.log).toContainText('Later')
  await chat.settled()
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(selected)
})

test('[U-68] a row that was opened is open when it comes back into view', async ({ start, provider }) => {
  const chat = await start()
  provider.add(call('read_file', { path: 'missing.txt' }), text(paragraphs(60)), text(paragraphs(60, 'More')))
  await chat.send('look')
  await expect(chat.log).toContainText('Paragraph 60')
  await chat.settled()
  await chat.send('more')
  await expect(chat.log).toContainText('More 60')
  await chat.settled()
  const head = chat.tools.first().locator('.tool-head')
  await chat.wheel(-100_000)
  // The wheel may still be moving the list under the first press.
  await expect(async () => {
    if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click()
    await expect(head).toHaveAttribute('aria-expanded', 'true', { timeout: 1_000 })
  }).toPass()
  await chat.pill.click()
  await expect(chat.tools).toHaveCount(0)
  await chat.wheel(-100_000)
  await expect(head).toHaveAttribute('aria-expanded', 'true')
})
