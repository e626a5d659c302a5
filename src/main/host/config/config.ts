/**
 * `config.yaml` of a profile (cli.md 4). Comments and unknown keys survive a write; a wrong type falls back to the
 * default with a notice; a file that is not YAML is never overwritten. Flags win over the profile's file, that over
 * the root's, that over the default, and every entry says which spoke.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Document, parseDocument } from 'yaml'
import { type ConfigEntry, type Refusal, refusal } from '../../../shared/contract/index.ts'
import { ok, type Result, refused } from '../../../shared/result.ts'
import { explain, type Json } from '../../../shared/schema.ts'
import { configFile, type Home, prepareHome } from '../home.ts'
import { CONFIG_KEY_NAMES, CONFIG_KEYS, type ConfigKey, type ConfigValue, isConfigKey } from './keys.ts'

type Layer = { readonly source: ConfigEntry['source']; readonly values: Readonly<Record<string, unknown>> }

interface Read {
  readonly stamp: string
  readonly document: Document
  readonly broken: string | null
}

export class Config {
  readonly file: string
  readonly #home: Home
  readonly #flags: Layer
  readonly #listeners = new Set<() => void>()
  #own: Read
  #root: Read | null
  #revision = 1

  /** @param flags values of command-line flags by key; they win over everything */
  constructor(home: Home, flags: Readonly<Partial<Record<ConfigKey, Json>>> = {}) {
    this.#home = home
    this.file = configFile(home)
    this.#flags = { source: 'flag', values: nest(flags) }
    this.#own = readYaml(this.file)
    this.#root = home.path === home.root ? null : readYaml(join(home.root, 'config.yaml'))
  }

  /** Grows with every change of the file, also by another program. */
  get revision(): number {
    this.#refresh()
    return this.#revision
  }

  get<K extends ConfigKey>(key: K): ConfigValue<K> {
    return this.#lookUp(key).value as ConfigValue<K>
  }

  /** @throws TypeError for a key that does not exist; check with `isConfigKey` first */
  entry(key: ConfigKey): ConfigEntry {
    const { value, source } = this.#lookUp(key)
    return { key, value: value as never, source }
  }

  all(): ConfigEntry[] {
    return CONFIG_KEY_NAMES.map((key) => this.entry(key))
  }

  /** Sentences about what in the files is not used, and why. */
  notices(): string[] {
    this.#refresh()
    const notices: string[] = []
    for (const read of [this.#own, this.#root]) {
      if (read === null) continue
      if (read.broken !== null) notices.push(read.broken)
      for (const path of leaves(read.document.toJS() ?? {}))
        if (!isConfigKey(path) && !insideKey(path)) notices.push(`${path}: unknown key, kept as it is.`)
    }
    for (const key of CONFIG_KEY_NAMES) {
      const { notice } = this.#lookUp(key)
      if (notice !== null) notices.push(notice)
    }
    return notices
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Writes one key into the profile's file, atomically, comments kept.
   * @param baseRevision the revision the change was based on; null = whatever is there (command line)
   */
  set(
    name: string,
    value: Json,
    baseRevision: number | null,
  ): Result<{ revision: number; entry: ConfigEntry }, Refusal> {
    this.#refresh()
    if (!isConfigKey(name)) return refused(unknownKey(name))
    if (baseRevision !== null && baseRevision !== this.#revision)
      return refused(
        refusal('stale_revision', 'The configuration has changed meanwhile.', {
          next: 'Look at the current value and try again.',
          data: { revision: this.#revision, value: this.entry(name).value as Json },
        }),
      )
    const parsed = CONFIG_KEYS[name].shape.safeParse(value)
    if (!parsed.success)
      return refused(refusal('invalid_params', `${name}: ${explain(parsed.error)}. The old value stays.`))
    if (this.#own.broken !== null)
      return refused(
        refusal('invalid_params', `${this.#own.broken} Nothing was written, so that nothing in it is lost.`, {
          next: `Mend ${this.file} first.`,
        }),
      )
    const prepared = prepareHome(this.#home)
    if (!prepared.ok) return prepared
    const document = this.#own.document
    document.setIn(name.split('.'), document.createNode(parsed.data))
    writeAtomically(this.file, String(document))
    this.#reload()
    return ok({ revision: this.#revision, entry: this.entry(name) })
  }

  #lookUp(key: ConfigKey): { value: unknown; source: ConfigEntry['source']; notice: string | null } {
    this.#refresh()
    const layers: Layer[] = [
      this.#flags,
      { source: this.#root === null ? 'file' : 'profile', values: asRecord(this.#own.document.toJS()) },
      ...(this.#root === null ? [] : [{ source: 'file' as const, values: asRecord(this.#root.document.toJS()) }]),
    ]
    let notice: string | null = null
    for (const layer of layers) {
      const raw = dig(layer.values, key)
      if (raw === undefined) continue
      const parsed = CONFIG_KEYS[key].shape.safeParse(raw)
      if (parsed.success) return { value: parsed.data, source: layer.source, notice }
      notice = `${key}: ${JSON.stringify(raw)} is not usable (${explain(parsed.error)}); the default is used.`
    }
    return { value: CONFIG_KEYS[key].fallback, source: 'default', notice }
  }

  /** Another program may have written; `stat` is enough to know. */
  #refresh(): void {
    if (stampOf(this.file) !== this.#own.stamp) this.#reload()
  }

  #reload(): void {
    this.#own = readYaml(this.file)
    this.#revision++
    for (const listener of this.#listeners) listener()
  }
}

/** A refusal for a key that does not exist. */
export const unknownKey = (name: string): Refusal =>
  refusal('invalid_params', `There is no configuration key "${name}".`, { next: 'List them with `herma config get`.' })

const stampOf = (file: string): string => {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? 'absent' : `${stat.mtimeMs}:${stat.size}:${stat.ino}`
}

function readYaml(file: string): Read {
  const stamp = stampOf(file)
  if (stamp === 'absent') return { stamp, document: new Document({}), broken: null }
  const document = parseDocument(readFileSync(file, 'utf8'))
  const problem = document.errors[0]
  const isMap = document.contents === null || typeof document.toJS() === 'object'
  if (problem === undefined && isMap) {
    if (document.contents === null) document.contents = document.createNode({}) as never
    return { stamp, document, broken: null }
  }
  const why = problem?.message.split('\n')[0] ?? 'it is not a list of keys'
  return { stamp, document: new Document({}), broken: `${file} cannot be read: ${why} The defaults are used.` }
}

function writeAtomically(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777
  try {
    const handle = openSync(temporary, 'wx', mode)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const dig = (values: Readonly<Record<string, unknown>>, key: string): unknown =>
  key.split('.').reduce<unknown>((at, part) => asRecord(at)[part], values)

const nest = (flat: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const root: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(flat)) {
    if (value === undefined) continue
    const parts = key.split('.')
    let at = root
    for (const part of parts.slice(0, -1)) at = at[part] = asRecord(at[part])
    at[parts.at(-1) as string] = value
  }
  return root
}

/** Dotted paths of everything that is not a map. */
const leaves = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`))
    : path === ''
      ? []
      : [path]

/** Whether a path lies inside the value of a key that is itself a map or list. */
const insideKey = (path: string): boolean => CONFIG_KEY_NAMES.some((key) => path.startsWith(`${key}.`))
