import { defineConfig } from '@playwright/test'
import { CHROMIUM, CHROMIUM_ARGS } from './test/harness/launch.ts'

export default defineConfig({
  testDir: 'test',
  testMatch: ['journeys/**/*.e2e.ts', 'electron/**/*.e2e.ts'],
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 20_000 }, // a wait, not a wish: nothing is measured here, and machines are busy
  forbidOnly: process.env['CI'] === 'true',
  reporter: [['list']],
  use: {
    headless: true,
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_ARGS.filter((arg) => arg !== '--headless') },
  },
})
