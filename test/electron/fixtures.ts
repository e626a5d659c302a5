/** The built desktop app in the harness, on a temporary home for each test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { type Launched, launchApp } from '../harness/launch.ts'

export interface Fixtures {
  /** A home of this test alone. */
  home: string
  /** Starts the app on that home; everything started is stopped with the test. */
  start(options?: { args?: readonly string[]; env?: Record<string, string> }): Promise<Launched>
}
export interface Call {
  readonly api: string
  readonly args: readonly unknown[]
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from the pattern
  home: async ({}, use) => {
    const home = mkdtempSync(join(tmpdir(), 'herma-home-'))
    await use(home)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  },
  start: async ({ home }, use) => {
    const started: Launched[] = []
    await use(async ({ args = [], env = {} } = {}) => {
      const app = await launchApp({ args, env: { HERMA_HOME: home, ...env } })
      started.push(app)
      return app
    })
    await Promise.all(started.map((app) => app.stop()))
  },
})
export { expect } from '@playwright/test'

/** What the app asked of the desktop through one API, oldest first. */
export const callsOf = async (app: Launched, api: string): Promise<readonly (readonly unknown[])[]> =>
  (await app.main<Call[]>('calls')).filter((call) => call.api === api).map((call) => call.args)
