import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withVariable } from '../../src/main/host/env-text.ts'
import { findHome } from '../../src/main/host/home.ts'
import type { Secrets } from '../../src/main/host/ports.ts'
import { headlessSecrets } from '../../src/main/host/secrets-headless.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { tempFolder } from '../support/temp-home.ts'

interface Place {
  readonly file: string
  readonly said: string[]
  /** The secrets as a new process has them. */
  readonly opened: () => Secrets
}

function aPlace(env?: string): Place {
  const home = findHome({}, { home: tempFolder() })
  if (!home.ok) throw new Error(home.refusal.message)
  const file = join(home.value.path, '.env')
  if (env !== undefined) writeFileSync(file, env, { mode: 0o600 })
  const said: string[] = []
  return { file, said, opened: () => headlessSecrets(home.value, fakeClock(), (_level, text) => said.push(text)) }
}

test('[U-40] a key kept until quit is in memory alone', async () => {
  const { file, opened } = aPlace()
  const secrets = opened()
  expect(await secrets.set('openai', 'sk-1234567890', 'until_quit')).toBe('memory')
  expect(await secrets.get('openai')).toBe('sk-1234567890')
  expect(await secrets.describe('openai')).toMatchObject({ lastFour: '7890', storage: 'memory' })
  expect(existsSync(file)).toBe(false)
  expect(await opened().get('openai')).toBeNull()
  expect(secrets.storage).toMatchObject({ kind: 'memory', secure: false, detail: expect.stringContaining(file) })
})

test('[U-39] a stored key is in the owner-only file, and described without itself', async () => {
  const { file, opened } = aPlace()
  expect(await opened().set('openai', 'sk-1234567890', 'stored')).toBe('file')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await opened().get('openai')).toBe('sk-1234567890')
  const described = await opened().describe('openai')
  expect(described).toMatchObject({ lastFour: '7890', storage: 'file' })
  expect(JSON.stringify(described)).not.toContain('sk-123')
  expect(await opened().remove('openai')).toBe(true)
  expect(await opened().remove('openai')).toBe(false)
  expect(await opened().get('openai')).toBeNull()
})

test('[decisions 16] reading writes nothing', async () => {
  const { file, opened } = aPlace()
  const secrets = opened()
  await secrets.get('openai')
  await secrets.describe('openai')
  await secrets.remove('openai')
  expect(existsSync(file)).toBe(false)
})

test('[decisions 16] a file that a person wrote is read by the names of the providers, and keeps its other lines', async () => {
  const { file, opened } = aPlace('# mine\nOPENROUTER_API_KEY="sk-or"\nexport OTHER=1\n')
  expect(await opened().get('openrouter')).toBe('sk-or')
  await opened().set('groq', 'gsk', 'stored')
  expect(readFileSync(file, 'utf8')).toBe('# mine\nOPENROUTER_API_KEY="sk-or"\nexport OTHER=1\nHERMA_KEY_GROQ=gsk\n')
  expect(await opened().remove('openrouter')).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('# mine\nexport OTHER=1\nHERMA_KEY_GROQ=gsk\n')
})

test('[decisions 16] two providers that read the same variable do not get each other’s stored key', async () => {
  const { opened } = aPlace()
  await opened().set('custom', 'for-the-cellar', 'stored')
  expect(await opened().get('openai')).toBeNull()
  await opened().set('openai', 'for-the-world', 'stored')
  expect(await opened().get('custom')).toBe('for-the-cellar')
})

test.skipIf(process.platform === 'win32')(
  '[decisions 16] a file that others may read is not used, with the reason, once, and is not written',
  async () => {
    const { file, opened, said } = aPlace('OPENAI_API_KEY=sk-open\n')
    chmodSync(file, 0o640)
    const secrets = opened()
    expect(await secrets.get('openai')).toBeNull()
    expect(await secrets.get('openai')).toBeNull()
    expect(said).toEqual([expect.stringMatching(/may read or write it \(mode 640\)\. Run: chmod 600 /)])
    expect(secrets.storage.detail).toContain('chmod 600')
    await expect(secrets.set('groq', 'gsk', 'stored')).rejects.toThrow('chmod 600')
    expect(readFileSync(file, 'utf8')).toBe('OPENAI_API_KEY=sk-open\n')
  },
)

test('[decisions 16] what no line can hold is refused, and nothing is written', async () => {
  const { file, opened } = aPlace()
  for (const key of ['two\nlines', 'nul\0', `both ' and \``])
    await expect(opened().set('openai', key, 'stored')).rejects.toThrow(/^A key cannot hold/)
  expect(existsSync(file)).toBe(false)
})

test('[decisions 16] a variable that is set is read back by any reader, and no other line changes', () => {
  const printable = fc
    .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength: 1 })
    // Readers cut the blanks around a value, and a key that begins or ends with one does not exist.
    .filter((value) => value.trim() === value && !(value.includes("'") && value.includes('`')))
  const others = '# a line\nA=1\n  \nexport B="x y"\n'
  fc.assert(
    fc.property(printable, printable, (first, second) => {
      const text = withVariable(withVariable(others, 'KEY', first), 'KEY', second)
      expect(text.startsWith(others)).toBe(true)
      expect(parseEnv(text)).toEqual({ A: '1', B: 'x y', KEY: second })
      expect(withVariable(text, 'KEY', null)).toBe(others)
    }),
  )
})
