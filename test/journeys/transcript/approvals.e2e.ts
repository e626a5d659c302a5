import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { call, gate, text } from '../../support/scripted-provider.ts'
import { expect, expectAccessible, paragraphs, test } from './scripted.ts'

const remove = (file: string) => call('terminal', { command: `rm -f ${file} && touch ${file}.done` })

test('[U-94] [U-96] a question shows what would run and leaves the focus in the composer; keys meant for it answer nothing', async ({
  page,
  home,
  start,
  provider,
}) => {
  const chat = await start()
  provider.add(remove('a.txt'), text('It ran.'))
  await chat.send('remove it')
  const card = page.getByTestId('approval')
  await page.keyboard.type('das')
  await expect(card).toContainText('rm -f a.txt && touch a.txt.done')
  await expect(card).toContainText(home)
  await expect(card).toContainText(/\d:\d\d left, then no/)
  await page.keyboard.type('das')
  await expect(page.getByTestId('composer')).toBeFocused()
  await expect(page.getByTestId('composer')).toHaveValue(/das$/)
  await expect(card).toBeVisible()
  await expect(chat.tools.first()).toContainText('waiting for your answer')
  await expect(chat.tools.first()).not.toContainText('No output yet')

  // Deaf for 400 ms: a press counts once the card has been there that long.
  await expect(async () => {
    if (await card.isVisible()) await page.getByTestId('approve-once').click({ timeout: 500 })
    await expect(card).toHaveCount(0, { timeout: 200 })
  }).toPass()
  await expect(chat.answers.last()).toContainText('It ran.')
  expect(existsSync(join(home, 'workspace/a.txt.done'))).toBe(true)
  await chat.tools.first().locator('.tool-head').click()
  await expect(chat.tools.first()).toContainText('Allowed once by you')
})

test('[U-95] [U-97] [U-98] a no with a note is told to the model, stored, and still there after a reload', async ({
  page,
  home,
  start,
  provider,
}) => {
  const chat = await start()
  provider.add(remove('b.txt'), text('I leave it.'))
  await chat.send('remove it')
  const card = page.getByTestId('approval')
  await expect(async () => {
    await page.getByRole('button', { name: 'Deny with a note…' }).click({ timeout: 500 })
    await expect(page.getByLabel('Note to the model')).toBeVisible({ timeout: 200 })
  }).toPass()
  await page.getByLabel('Note to the model').fill('use the bin instead')
  await page.keyboard.press('Enter')
  await expect(card).toHaveCount(0)
  await expect(chat.answers.last()).toContainText('I leave it.')
  expect(provider.bodies[1]).toContain('use the bin instead')
  expect(existsSync(join(home, 'workspace/b.txt.done'))).toBe(false)

  await page.reload()
  const tool = chat.tools.first()
  await expect(tool).toContainText('refused')
  await tool.locator('.tool-head').click()
  await expect(tool).toContainText('Denied by you')
  await expect(tool).toContainText('use the bin instead')
  await expect(card).toHaveCount(0)
})

test('[U-97] silence until the deadline is a no of its own kind', async ({ page, home, start, provider }) => {
  const chat = await start('approvals:\n  timeout_seconds: 2\n')
  provider.add(remove('c.txt'), text('Nobody was there.'))
  await chat.send('remove it')
  await expect(page.getByTestId('approval')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('approval')).toHaveCount(0)
  await expect(chat.answers.last()).toContainText('Nobody was there.')
  await chat.tools.first().locator('.tool-head').click()
  await expect(chat.tools.first()).toContainText('Denied because nobody answered in time')
  expect(existsSync(join(home, 'workspace/c.txt.done'))).toBe(false)
})

test('[U-65] [U-100] the pill calls when a question waits below, and an answer in one window clears the other', async ({
  page,
  context,
  start,
  provider,
}) => {
  const chat = await start()
  const hold = gate()
  provider.add(
    text(paragraphs(40)),
    text(['So. ', hold], { calls: [{ name: 'terminal', args: { command: 'rm -f d.txt' } }] }),
    text('Done.'),
  )
  await chat.send('first')
  await expect(chat.log).toContainText('Paragraph 40')
  await chat.settled()
  await chat.send('second')
  await expect(chat.live).toContainText('So.')
  await chat.wheel(-600)
  await expect(chat.pill).toBeVisible()
  hold.open()
  await expect(chat.pill).toHaveText('Needs you')
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByTestId('approval')).toBeVisible()
  await expect(async () => {
    if (await other.getByTestId('approval').isVisible()) await other.getByTestId('deny').click({ timeout: 500 })
    await expect(other.getByTestId('approval')).toHaveCount(0, { timeout: 200 })
  }).toPass()
  await expect(page.getByTestId('approval')).toHaveCount(0)
})

test('[U-216] a busy transcript has no finding of the accessibility rules in either theme', async ({
  page,
  start,
  provider,
}) => {
  const chat = await start()
  provider.add(
    text(
      `# Head\n\nWords with \`code\`, [a link](https://a.example/) and **weight**.\n\n${'```ts\nconst a: number = 1 // note\n```'}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n> quote`,
      {
        reasoning: 'Let me think about it.',
        calls: [
          { name: 'terminal', args: { command: 'ls' } },
          { name: 'read_file', args: { path: 'nope' } },
        ],
      },
    ),
    remove('e.txt'),
    text('Done.'),
  )
  await chat.send('all of it')
  await expect(page.getByTestId('approval')).toBeVisible()
  await chat.tools.first().locator('.tool-head').click()
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
    await expectAccessible(page)
  }
})
