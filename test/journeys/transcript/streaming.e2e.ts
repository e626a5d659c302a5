import { call, calls, gate, text } from '../../support/scripted-provider.ts'
import { expect, paragraphs, test } from './scripted.ts'

test('[U-55] [U-57] text shows as it comes, before the call that follows it, and is there once when it is stored', async ({
  start,
  provider,
}) => {
  const chat = await start()
  const [first, second] = [gate(), gate()]
  provider.add(
    calls([{ name: 'read_file', args: { path: 'missing.txt' } }], { text: 'I look first. ' }),
    text(['The file ', first, 'is not there. ', second, 'That is all.']),
  )
  await chat.send('look')
  await expect(chat.live).toContainText('The file')
  await expect(chat.log.locator('.turn').filter({ hasText: /I look first|read_file|The file/ })).toHaveText([
    /I look first\./,
    /read_file/,
    /The file/,
  ])
  first.open()
  await expect(chat.live).toContainText('The file is not there.')
  second.open()
  await chat.settled()
  await expect(chat.live).toHaveCount(0)
  await expect(chat.answers.filter({ hasText: 'The file is not there. That is all.' })).toHaveCount(1)
})

test('[U-60] [U-07] a stop keeps what was said and says that it was stopped', async ({ page, start, provider }) => {
  const chat = await start()
  const never = gate()
  provider.add(text(['Half of a ', never, 'sentence.']))
  await chat.send('talk')
  await expect(chat.live).toContainText('Half of a')
  await page.getByTestId('stop').click()
  await chat.settled()
  never.open()
  await expect(chat.log.getByRole('note')).toContainText('stopped by you')
  await expect(chat.answers).toHaveCount(1)
  await page.reload()
  await expect(chat.answers).toHaveText(/Half of a\s*$/)
  await expect(chat.log.getByRole('note')).toContainText('stopped by you')
})

test('[U-74] a closed block is coloured off the main thread, in the colours of each theme; an unknown language stays plain', async ({
  page,
  start,
  provider,
}) => {
  const chat = await start()
  const block = gate()
  provider.add(text(['```ts\nconst answer: string = "42"\n', block, '```\n\n```nosuch\nconst plain\n```\n']))
  await chat.send('code')
  await expect(chat.live.locator('figure.code')).toContainText('const answer')
  const coloured = chat.log.locator('figure.code').first().locator('code span span[style]')
  await expect(coloured).toHaveCount(0)
  block.open()
  await chat.settled()
  await expect(coloured.first()).toBeVisible()
  const seen = (): Promise<string[]> =>
    coloured.evaluateAll((tokens) => [...new Set(tokens.map((token) => getComputedStyle(token).color))])
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'))
  const light = await seen()
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  const dark = await seen()
  expect(light.length).toBeGreaterThan(2)
  expect(dark.length).toBe(light.length)
  expect(dark).not.toEqual(light)
  await expect(chat.log.locator('figure.code').nth(1).locator('span[style]')).toHaveCount(0)
})

test('[U-80] [U-68] a command prints into its row while it runs, with its colours; opening it keeps its head in place', async ({
  page,
  start,
  provider,
}) => {
  const chat = await start()
  provider.add(
    call('terminal', {
      command: "printf '\\033[31mred\\033[0m one\\n'; until test -e go; do sleep 0.05; done; echo two",
    }),
    text(paragraphs(30)),
  )
  await chat.send('run')
  const tool = chat.tools.first()
  await expect(tool).toHaveAttribute('data-state', 'running')
  await expect(tool.locator('.output')).toContainText('red one')
  await expect(tool.locator('.output [data-fg]').first()).toHaveText('red')
  await page.getByTestId('stop').click()
  await chat.settled()
  await expect(tool).not.toHaveAttribute('data-state', 'running')

  const head = tool.locator('.tool-head')
  await expect.poll(chat.fromEnd).toBeLessThanOrEqual(8)
  const before = (await head.boundingBox())?.y
  await head.click()
  await expect(head).toHaveAttribute('aria-expanded', 'true')
  await expect.poll(async () => Math.abs(((await head.boundingBox())?.y ?? 0) - (before ?? 0))).toBeLessThanOrEqual(1)
})
