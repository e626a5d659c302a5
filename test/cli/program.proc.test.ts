import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aHomeFolder, runHerma } from './support/herma.ts'

test('[CLI-11] a process that was used wrongly ends with 2', async () => {
  const home = aHomeFolder()
  const { code, stdout, stderr } = await runHerma(['sessions', 'exprot', '--json'], { home })
  expect({ code, stdout, wrote: existsSync(home) }).toEqual({ code: 2, stdout: '', wrote: false })
  expect(stderr).toContain('Did you mean export?')
})

/** Loads nothing itself, and says at the end what was loaded. */
const WATCH = `import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
process.on('exit', () => process.stderr.write('LOADED ' + JSON.stringify(loaded)))`

test('[cli 1] a verb that only reads loads no database, no provider and no server', async () => {
  const nodeFlags = ['--import', `data:text/javascript,${encodeURIComponent(WATCH)}`]
  const loadedBy = async (args: string[]): Promise<string[]> => {
    const { stderr } = await runHerma(args, { nodeFlags })
    return JSON.parse(/LOADED (\[.*\])/.exec(stderr)?.[1] ?? '[]')
  }
  const heavy = (urls: string[]): string[] =>
    urls.filter(
      (url) =>
        /better-sqlite3|better_sqlite3/.test(url) ||
        (url.startsWith('file:') && /class OpenAI\b|WebSocketServer/.test(readFileSync(fileURLToPath(url), 'utf8'))),
    )
  const reading = await loadedBy(['config', 'path'])
  expect(reading.some((url) => url.endsWith('herma.js'))).toBe(true)
  expect(heavy(reading)).toEqual([])
  // The watch sees such a thing where it is.
  expect(heavy(await loadedBy(['chat', '-q', 'hi', '--provider', 'openai'])).length).toBeGreaterThan(1)
})
