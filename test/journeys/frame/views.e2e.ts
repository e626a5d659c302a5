import type { Page } from '@playwright/test'
import { aHealth, aMessage, aQueuedInput, aRow, conversation, manyRows } from '../../renderer/frame/builders.ts'
import type { ScriptedCore } from '../../renderer/frame/scripted-core.ts'
import { expect, expectAccessible, open, test } from './support.ts'

/** Every view of the frame, in a state with as much on screen as it can have. */
const views: Record<string, { given?: (core: ScriptedCore) => void; when?: (page: Page) => Promise<void> }> = {
  'the first run': { given: (core) => firstRun(core) },
  'adding a key': {
    given: (core) => firstRun(core),
    when: (page) => page.getByTestId('choose-key').click(),
  },
  'the outcome of a key check': {
    given(core) {
      firstRun(core)
      core.once('model.test', () => ({ value: { outcome: 'refused', detail: 'HTTP 401', models: [] } }))
    },
    async when(page) {
      await page.getByTestId('choose-key').click()
      await page.getByTestId('provider-key').fill('sk-1')
      await page.getByTestId('save-provider').click()
      await page.getByTestId('check-result').waitFor()
    },
  },
  'a local server': {
    given: (core) => firstRun(core),
    async when(page) {
      await page.getByTestId('choose-local').click()
      await page.getByTestId('detect-local').click()
      await page.getByText('http://127.0.0.1:11434/v1').waitFor()
    },
  },
  'a new chat with the demo': {},
  'a busy chat': {
    given(core) {
      core.rows = [
        aRow({ title: 'Shop release', state: 'needs_you', segments: 2, cost_micros: 420_000 }),
        ...(['running', 'queued', 'unknown', 'failed', 'idle'] as const).map((state) =>
          aRow({ conversation_id: conversation(state), title: state, state, last_activity_at: 1 }),
        ),
        ...manyRows(200, 1).map((row) => ({ ...row, conversation_id: conversation(`many-${row.conversation_id}`) })),
      ]
      core.health = aHealth({ state: 'degraded', reason: 'The disk is full.', running_turns: 2 })
      core.queue.push(aQueuedInput(), aQueuedInput({ admission_id: 'adm-2' as never, status: 'unknown' }))
      core.snapshots.set('c1', {
        page: { rows: [aMessage()], has_before: false, has_after: false, total: 1 },
        inflight: { turn: 't1', text: '', reasoning: '', running: [], started_at: 1, stopping: false, status: null },
      })
      core.uiState.set('screen.view', { kind: 'chat', conversation: 'c1' })
      core.uiState.set('draft:c1', { text: 'draft', sends: [{ request: 'r', create: null, text: 'sent', at: 1 }] })
    },
    when: (page) => page.getByTestId('outbox-row').waitFor(),
  },
  'a chat whose provider has no key': {
    given(core) {
      core.options = { ...core.options, provider: 'openai', model: 'gpt-5' }
      core.rows = [aRow()]
    },
    when: (page) => page.getByTestId('no-provider').getByTestId('choose-demo').waitFor(),
  },
  'settings, appearance': { when: (page) => settings(page, 'general') },
  'settings, models': { when: (page) => settings(page, 'models') },
  'settings, configuration': { when: (page) => settings(page, 'configuration') },
  'settings, about': { when: (page) => settings(page, 'about') },
  'the help dialog': {
    async when(page) {
      await page.getByRole('button', { name: 'Keys that work here' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
}

function firstRun(core: ScriptedCore): void {
  core.options = { ...core.options, chosen: false }
}

async function settings(page: Page, name: string): Promise<void> {
  await page.getByTestId('nav-settings').click()
  await page.getByTestId(`settings-${name}`).click()
  await page.getByRole('heading', { level: 2 }).waitFor()
}

// The rules run over every element of a page; on a busy machine that takes its time.
test.describe.configure({ timeout: 180_000 })

for (const [name, { given, when }] of Object.entries(views))
  test(`[U-216] [U-218] ${name} breaks no automated rule in either theme`, async ({ page, core }) => {
    given?.(core)
    await open(page, core)
    await page.getByTestId('status-bar').waitFor()
    await when?.(page)

    await expect(page.locator('h1')).toHaveCount(1)
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((name) => {
        document.documentElement.dataset['theme'] = name
      }, theme)
      await expectAccessible(page, theme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined)
    }
  })
