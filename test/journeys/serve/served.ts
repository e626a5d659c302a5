/** `herma serve` as a process of its own on a home of its own, for the browser of a test. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base, type Page } from '@playwright/test'

export interface Served {
  readonly url: string
  readonly port: number
  readonly token_file: string
  readonly pid: number
  end(signal: NodeJS.Signals): Promise<number | null>
}

export const test = base.extend<{
  home: string
  /** Starts a server on the test's home; all are ended with the test. */
  serve(flags?: readonly string[]): Promise<Served>
  /** What the page said on its console that is a warning, an error or a broken content policy. */
  complaints: string[]
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from the pattern
  home: async ({}, use) => {
    const home = mkdtempSync(join(tmpdir(), 'herma-home-'))
    await use(home)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  },
  serve: async ({ home }, use) => {
    const running: ChildProcess[] = []
    await use(async (flags = []) => {
      const child = spawn(process.execPath, ['out/main/herma.js', 'serve', '--json', ...flags], {
        env: { ...process.env, HERMA_HOME: home },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      running.push(child)
      for await (const line of createInterface({ input: child.stdout })) {
        const facts = JSON.parse(line) as Omit<Served, 'end'>
        return { ...facts, end: (signal) => end(child, signal) }
      }
      throw new Error('the server ended before it said where it is')
    })
    await Promise.all(running.map((child) => end(child, 'SIGKILL')))
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await use(complaints)
  },
})
export { expect } from '@playwright/test'

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  return (await exited)[0] as number | null
}

export const readFacts = (served: Served): unknown => JSON.parse(readFileSync(served.token_file, 'utf8'))

interface StoredMessage {
  readonly uid: string
  readonly role: string
  readonly content: string
}
/** All messages of a home as the command line exports them. */
export const exported = (home: string): StoredMessage[] =>
  execFileSync(process.execPath, ['out/main/herma.js', 'sessions', 'export', '--all', '-'], {
    env: { ...process.env, HERMA_HOME: home },
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { messages: StoredMessage[] }).messages)

/** Chooses the demo at the first run and sends a prompt. */
export async function askDemo(page: Page, prompt: string): Promise<void> {
  await page.getByTestId('choose-demo').click()
  const composer = page.getByTestId('composer')
  await composer.fill(prompt)
  await page.keyboard.press('Enter')
}

export const messages = (page: Page) => page.getByRole('log').locator('article.message')
/** What was recorded, as a person reads it: the line that counts seconds is left out. */
export const readTranscript = (page: Page): Promise<string[]> =>
  page
    .getByRole('log')
    .locator('article.message:not([data-live])')
    .evaluateAll((articles) => articles.map((article) => `${article.dataset['role']}: ${article.textContent ?? ''}`))
