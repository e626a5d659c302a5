/** What only a real Electron can show. Skipped where there is none, in plain sight. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, expect, test } from '@playwright/test'

const binary = process.env['HERMA_ELECTRON']

test.skip(
  binary === undefined || binary.endsWith('fake-electron.mjs'),
  'no Electron binary is named here: set HERMA_ELECTRON to one, for example $(node -p "require(\'electron\')"), and run under xvfb-run where there is no display',
)

test('[U-250] in a real Electron the window shows, SQLite opens, and the renderer is sandboxed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'herma-home-'))
  const app = await _electron.launch({
    executablePath: binary ?? '',
    args: ['.'],
    env: { ...(process.env as Record<string, string>), HERMA_HOME: home },
  })
  const page = await app.firstWindow()
  await expect(page.locator('.shell')).toHaveAttribute('data-transport', 'ipc')
  const facts = await app.evaluate(({ app: electron, BrowserWindow, safeStorage }) => ({
    version: process.versions.electron,
    name: electron.getName(),
    visible: BrowserWindow.getAllWindows().map((window) => window.isVisible()),
    encryption: safeStorage.isEncryptionAvailable(),
  }))
  expect(facts).toMatchObject({ visible: [true] })
  test.info().annotations.push({ type: 'electron', description: JSON.stringify(facts) })
  const child = app.process()
  await app.close()
  expect(child.exitCode).toBe(0)
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})
