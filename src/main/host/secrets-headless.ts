/**
 * Keys without an operating system's secret store (decisions 16): in memory until quit, or in the owner-only file
 * `<home>/.env`, which is written by an explicit command alone. A person may write that file too, with the names that
 * the providers' own documentation uses.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Clock } from '../../shared/time.ts'
import { PROFILES } from '../providers/profiles/index.ts'
import { withVariable } from './env-text.ts'
import { type Home, prepareHome } from './home.ts'
import type { Secrets, ShellPorts } from './ports.ts'
import { writeAtomically } from './write-atomically.ts'

/**
 * The variable that holds a provider's key in the file. A name of our own, because two providers may read the same
 * variable of the environment and must not get each other's key.
 */
const ownVariable = (provider: string): string => `HERMA_KEY_${provider.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

const variablesOf = (provider: string): string[] => [
  ownVariable(provider),
  ...(PROFILES.find(({ name }) => name === provider)?.env_vars ?? []),
]

/** @param log hears why the file is passed over, once a reason */
export function headlessSecrets(home: Home, clock: Clock, log: ShellPorts['log'] = () => {}): Secrets {
  const file = join(home.path, '.env')
  const memory = new Map<string, { key: string; setAt: number }>()
  let said: string | null = null

  /** The file's text; empty when there is none. Refused when others could have read or written it. */
  const read = (): { text: string; refused: string | null } => {
    try {
      const stat = statSync(file, { throwIfNoEntry: false })
      if (stat === undefined) return { text: '', refused: null }
      // Neither the secrecy nor the content of such a file can be relied on. Windows has no such bits.
      if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
        return {
          text: '',
          refused: `${file} is not used: others may read or write it (mode ${(stat.mode & 0o777).toString(8)}). Run: chmod 600 ${file}`,
        }
      return { text: readFileSync(file, 'utf8'), refused: null }
    } catch (error) {
      return { text: '', refused: `${file} is not used: ${(error as NodeJS.ErrnoException).code ?? error}.` }
    }
  }
  const stored = (provider: string): string | null => {
    const { text, refused } = read()
    if (refused !== null && refused !== said) log('error', refused)
    said = refused
    const values = parseEnv(text)
    return variablesOf(provider).flatMap((name) => values[name]?.trim() || [])[0] ?? null
  }
  const write = (change: (text: string) => string): void => {
    const { text, refused } = read()
    if (refused !== null) throw new Error(refused)
    const prepared = prepareHome(home)
    if (!prepared.ok) throw new Error(prepared.refusal.message)
    writeAtomically(file, change(text), 0o600)
  }

  return {
    get storage() {
      const { refused } = read()
      return {
        kind: 'memory' as const,
        secure: false,
        detail: `There is no system secret store here. Keys are kept until quit, or in the owner-only file ${file} if you ask for it.${refused === null ? '' : ` ${refused}`}`,
      }
    },
    get: async (provider) => memory.get(provider)?.key ?? stored(provider),
    async describe(provider) {
      const kept = memory.get(provider)
      if (kept !== undefined) return { lastFour: kept.key.slice(-4), setAt: kept.setAt, storage: 'memory' }
      const key = stored(provider)
      if (key === null) return null
      return { lastFour: key.slice(-4), setAt: Math.round(statSync(file).mtimeMs), storage: 'file' }
    },
    async set(provider, key, keep) {
      if (keep === 'until_quit') {
        memory.set(provider, { key, setAt: clock.now() })
        return 'memory'
      }
      write((text) => withVariable(text, ownVariable(provider), key))
      memory.delete(provider)
      return 'file'
    },
    async remove(provider) {
      const hadMemory = memory.delete(provider)
      if (stored(provider) === null) return hadMemory
      write((text) => variablesOf(provider).reduce((rest, name) => withVariable(rest, name, null), text))
      return true
    },
  }
}
