import { aProvider } from '../../renderer/frame/builders.ts'
import { expect, open, test } from './support.ts'

test.beforeEach(({ core }) => {
  core.options = { ...core.options, chosen: false }
})

test('[U-34] [U-35] the demo is reached in two actions, and its first message is ready to send', async ({
  page,
  core,
}) => {
  await open(page, core)
  await page.getByTestId('choose-demo').click()
  await expect(page.getByTestId('composer')).toBeFocused()
  await page.keyboard.press('Enter')

  await expect.poll(() => core.count('prompt.submit')).toBe(1)
  expect(core.options).toMatchObject({ provider: 'demo', chosen: true })
  expect(core.rows).toHaveLength(1)
  await expect(page.getByTestId('status-bar')).toContainText('demo provider, scripted')
})

test('[U-37] [U-38] [U-40] a key is saved where the person says, and a failed check does not block', async ({
  page,
  core,
}) => {
  core.once('model.test', () => ({ value: { outcome: 'unreachable', detail: 'No answer within 5 s.', models: [] } }))
  await open(page, core)
  await page.getByTestId('choose-key').click()

  await page.getByTestId('provider-search').fill('openai')
  await expect(page.getByRole('radio', { name: /OpenRouter/ })).toHaveCount(0)
  const key = page.getByTestId('provider-key')
  await expect(key).toHaveAttribute('type', 'password')
  await expect(page.getByTestId('save-provider')).toBeDisabled()
  await key.fill('sk-secret-1234')
  await page.getByRole('button', { name: 'Show the key' }).click()
  await expect(key).toHaveAttribute('type', 'text')
  await expect(page.getByText('This machine offers no safe place for keys')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Keep it until Herma quits' })).toBeChecked()
  await page.getByTestId('save-provider').click()

  await expect(page.getByTestId('check-result')).toHaveAttribute('data-outcome', 'unreachable')
  await expect(page.getByTestId('check-result')).toContainText('No answer within 5 s.')
  await page.getByRole('button', { name: 'Continue anyway' }).click()
  await expect(page.getByTestId('composer')).toBeFocused()

  const saved = core.calls.filter(({ method }) => method === 'credentials.add' || method === 'model.set')
  expect(saved.map(({ params }) => params)).toEqual([
    { profile: 'default', provider: 'openai', key: 'sk-secret-1234', keep: 'until_quit' },
    { profile: 'default', provider: 'openai', model: 'gpt-5' },
  ])
  expect(await page.content()).not.toContain('sk-secret-1234')
})

test('[U-41] a key found in the environment is told and not used without a click', async ({ page, core }) => {
  core.once('credentials.use_environment', () => ({ value: { last_four: '9f2c' } }))
  await open(page, core)
  await page.getByTestId('choose-key').click()
  await page.getByTestId('provider-openrouter').click()
  await expect(page.getByText('ending in 9f2c. It is not used.')).toBeVisible()
  expect(core.count('credentials.use_environment')).toBe(0)

  await page.getByRole('button', { name: 'Use it' }).click()
  await expect.poll(() => core.count('credentials.use_environment')).toBe(1)
})

test('[U-42] a local server is looked for only when asked, and works without a key', async ({ page, core }) => {
  await open(page, core)
  await page.getByTestId('choose-local').click()
  await expect(page.getByTestId('save-local')).toBeDisabled()
  expect(core.count('model.detect_local')).toBe(0)

  await page.getByTestId('detect-local').click()
  await page.getByRole('radio', { name: /llama/ }).click()
  await page.getByTestId('save-local').click()
  await page.getByTestId('continue').click()

  expect(core.options).toMatchObject({ provider: 'custom', model: 'llama', base_url: 'http://127.0.0.1:11434/v1' })
  expect(core.count('credentials.add')).toBe(0)
})

test('[U-43] the choice can be left, stays left after a reload, and comes back from the banner', async ({
  page,
  core,
}) => {
  await open(page, core)
  await page.getByTestId('onboarding-skip').click()
  await expect(page.getByTestId('composer')).toBeFocused()
  await expect.poll(() => core.uiState.get('screen.onboarding')).toMatchObject({ skipped: true })

  await page.reload()
  await page.getByTestId('onboarding-resume').click()
  await expect(page.getByTestId('onboarding')).toBeVisible()
})

test('[U-43] a chat whose provider cannot answer shows the choice instead of an error after sending', async ({
  page,
  core,
}) => {
  core.options = { ...core.options, chosen: true, provider: 'openai', model: 'gpt-5', providers: [aProvider()] }
  await open(page, core)
  await page.getByTestId('no-provider').getByTestId('choose-key').click()
  await page.getByTestId('provider-key').fill('sk-1')
  await page.getByTestId('save-provider').click()
  await page.getByTestId('continue').click()
  await expect(page.getByTestId('no-provider')).toHaveCount(0)
})
