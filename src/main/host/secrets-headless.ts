/**
 * Keys without an operating system's secret store (decisions 16): in memory until quit, or in the owner-only file
 * `<home>/.env`, which is written by an explicit command alone.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Clock } from '../../shared/time.ts'
import { type Home, prepareHome } from './home.ts'
import type { Secrets } from './ports.ts'

/** `OPENROUTER` → `HERMA_KEY_OPENROUTER`: one line of the file a provider. */
const lineOf = (provider: string): string => `HERMA_KEY_${provider.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

export function headlessSecrets(home: Home, clock: Clock): Secrets {
  const file = join(home.path, '.env')
  const memory = new Map<string, { key: string; setAt: number }>()

  const read = (): Record<string, string | undefined> => {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return {}
    // Others could have read or written it: neither its secrecy nor its content can be relied on.
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
      throw new Error(`${file} can be read by others (mode ${(stat.mode & 0o777).toString(8)}). Run: chmod 600 ${file}`)
    return parseEnv(readFileSync(file, 'utf8'))
  }
  const write = (provider: string, key: string | null): void => {
    const prepared = prepareHome(home)
    if (!prepared.ok) throw new Error(prepared.refusal.message)
    const values = read()
    if (key === null) delete values[lineOf(provider)]
    else values[lineOf(provider)] = key
    const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
    try {
      const text = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
      writeFileSync(temporary, text.join(''), { mode: 0o600, flag: 'wx', flush: true })
      chmodSync(temporary, 0o600)
      renameSync(temporary, file)
    } finally {
      rmSync(temporary, { force: true })
    }
  }

  return {
    storage: {
      kind: 'memory',
      secure: false,
      detail:
        'There is no system secret store here. Keys are kept until quit, or in an owner-only file if you ask for it.',
    },
    get: async (provider) => memory.get(provider)?.key ?? read()[lineOf(provider)] ?? null,
    async describe(provider) {
      const kept = memory.get(provider)
      if (kept !== undefined) return { lastFour: kept.key.slice(-4), setAt: kept.setAt, storage: 'memory' }
      const stored = read()[lineOf(provider)]
      if (stored === undefined) return null
      return { lastFour: stored.slice(-4), setAt: Math.round(statSync(file).mtimeMs), storage: 'file' }
    },
    async set(provider, key, keep) {
      if (keep === 'until_quit') {
        memory.set(provider, { key, setAt: clock.now() })
        return 'memory'
      }
      write(provider, key)
      memory.delete(provider)
      return 'file'
    },
    async remove(provider) {
      const hadMemory = memory.delete(provider)
      if (read()[lineOf(provider)] === undefined) return hadMemory
      write(provider, null)
      return true
    },
  }
}
