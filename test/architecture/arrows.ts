/** Who may import whom (architecture 2), as data. A new folder below `src/main` gets its row here first. */
import type { Import } from './sources.ts'
import { targetOf } from './sources.ts'

interface Row {
  /** Folders whose modules may be loaded, beside the own one. A path with a file name allows that file alone. */
  readonly may: readonly string[]
  /** Folders of which types may be named, and nothing loaded. */
  readonly types?: readonly string[]
  readonly node: boolean
  /** `libraries`: any package that no other row has for itself. */
  readonly packages: 'libraries' | readonly string[]
}

const EVERYTHING_IN_MAIN = [
  'src/main/storage',
  'src/main/sessions',
  'src/main/board',
  'src/main/kernel',
  'src/main/tools',
  'src/main/providers',
  'src/main/extensions',
  'src/main/rpc',
]

/** Tools, providers and extensions meet the kernel through what it asks of them. */
const LEAF: Row = {
  may: ['src/shared'],
  types: ['src/main/kernel/ports.ts'],
  node: true,
  packages: 'libraries',
}

export const ARROWS: Readonly<Record<string, Row>> = {
  'src/shared': { may: [], node: false, packages: ['zod'] },
  'src/main/storage': { may: ['src/shared'], node: true, packages: ['better-sqlite3'] },
  'src/main/sessions': { may: ['src/shared', 'src/main/storage'], node: true, packages: 'libraries' },
  'src/main/board': { may: ['src/shared', 'src/main/storage'], node: true, packages: 'libraries' },
  'src/main/kernel': { may: ['src/shared'], node: false, packages: [] },
  'src/main/tools': LEAF,
  'src/main/providers': LEAF,
  'src/main/extensions': LEAF,
  'src/main/rpc': { may: ['src/shared'], types: ['src/main/host'], node: true, packages: 'libraries' },
  'src/main/host': { may: ['src/shared', ...EVERYTHING_IN_MAIN], node: true, packages: 'libraries' },
  'src/main/app': {
    may: ['src/shared', 'src/main/host', 'src/main/rpc'],
    node: true,
    packages: ['electron', 'pino', 'zod'],
  },
  'src/cli': { may: ['src/shared', 'src/main/host', 'src/main/rpc'], node: true, packages: 'libraries' },
  'src/preload': { may: [], types: ['src/shared'], node: false, packages: ['electron'] },
  'src/renderer': { may: ['src/shared'], node: false, packages: 'libraries' },
}

/** Packages that belong to one place, whatever a row says. */
const ONE_PLACE: Readonly<Record<string, readonly string[]>> = {
  electron: ['src/main/app', 'src/preload'],
  'better-sqlite3': ['src/main/storage'],
  zod: ['src/shared/schema.ts'],
  react: ['src/renderer'],
  'react-dom': ['src/renderer'],
  '@tanstack/react-query': ['src/renderer'],
  zustand: ['src/renderer'],
  openai: ['src/main/providers'],
  commander: ['src/cli'],
}

/** Read-only data that may be bundled: not code, so it points nowhere. */
const DATA: Readonly<Record<string, readonly string[]>> = {
  resources: ['src/main'],
  'package.json': ['src/main/app', 'src/cli/version.ts'],
}

const below = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
const rowOf = (file: string): string | null => Object.keys(ARROWS).find((folder) => below(file, folder)) ?? null
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** The rule that an import breaks, in words; null when it breaks none. */
export function crossed(file: string, imported: Import): string | null {
  const folder = rowOf(file)
  const row = folder === null ? undefined : ARROWS[folder]
  if (row === undefined || folder === null) return `${file} is in no folder of the table`
  const target = targetOf(file, imported)
  if (target !== null) {
    if (below(target, folder) || row.may.some((allowed) => below(target, allowed))) return null
    if (
      Object.entries(DATA).some(([data, places]) => below(target, data) && places.some((place) => below(file, place)))
    )
      return null
    const types = row.types ?? []
    if (imported.typesOnly && types.some((allowed) => below(target, allowed))) return null
    const named = types.length === 0 ? '' : `, and types of ${types.join(', ')}`
    return `${folder} may import ${row.may.length === 0 ? 'itself' : row.may.join(', ')}${named}`
  }
  if (imported.specifier.startsWith('node:')) return row.node ? null : `${folder} runs without node`
  const name = packageOf(imported.specifier)
  const places = ONE_PLACE[name]
  if (places !== undefined && !places.some((place) => below(file, place)))
    return `${name} belongs to ${places.join(', ')}`
  if (row.packages === 'libraries' || row.packages.includes(name)) return null
  return `${folder} uses ${row.packages.length === 0 ? 'no package' : `only ${row.packages.join(', ')}`}`
}
