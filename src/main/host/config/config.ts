/**
 * `config.yaml` of a profile (cli.md 4). Comments and unknown keys survive a write; a value of the wrong type is passed
 * over with a notice; a file that is not YAML is never overwritten. Flags win over the environment, that over the
 * profile's file, that over the root's, that over the default, and every entry says which spoke.
 */
import { join } from 'node:path'
import { type ConfigEntry, type Refusal, refusal } from '../../../shared/contract/index.ts'
import { ok, type Result, refused } from '../../../shared/result.ts'
import { explain, type Json } from '../../../shared/schema.ts'
import { configFile, type Home, prepareHome, unwritable } from '../home.ts'
import { writeAtomically } from '../write-atomically.ts'
import { CONFIG_KEY_NAMES, CONFIG_KEYS, type ConfigKey, type ConfigValue, isConfigKey } from './keys.ts'
import { nearest } from './nearest.ts'
import { readYamlFile, stampOf, withKey, type YamlFile } from './yaml-file.ts'

/** What is not used, and why. `unknown` keys are kept and may belong to another version; the others want mending. */
export interface Finding {
  readonly kind: 'broken' | 'unusable' | 'unknown'
  readonly text: string
}

interface Layer {
  readonly source: ConfigEntry['source']
  /** Where a value stands, for the person who has to change it. */
  readonly place: (key: ConfigKey) => string
  /** What stands there, in the order in which to try it; empty when nothing does. */
  readonly candidates: (key: ConfigKey) => readonly unknown[]
}

interface Spoken {
  readonly entry: ConfigEntry
  readonly passedOver: readonly string[]
}

export class Config {
  readonly file: string
  readonly #home: Home
  readonly #fixed: readonly Layer[]
  readonly #listeners = new Set<() => void>()
  readonly #spoken = new Map<ConfigKey, Spoken>()
  #own: YamlFile
  #root: YamlFile | null
  #revision = 1

  /**
   * @param flags values of command-line flags by key; they win over everything
   * @param env read for `HERMA_` + the key in capitals, dots as underscores
   */
  constructor(
    home: Home,
    flags: Readonly<Partial<Record<ConfigKey, Json>>> = {},
    env: Readonly<Record<string, string | undefined>> = {},
  ) {
    this.#home = home
    this.file = configFile(home)
    this.#fixed = [flagLayer(flags), environmentLayer(env)]
    this.#own = readYamlFile(this.file)
    this.#root = home.path === home.root ? null : readYamlFile(join(home.root, 'config.yaml'))
  }

  /** Grows with every change of the file, also by another program. */
  get revision(): number {
    this.#refresh()
    return this.#revision
  }

  get<K extends ConfigKey>(key: K): ConfigValue<K> {
    return this.entry(key).value as ConfigValue<K>
  }

  entry(key: ConfigKey): ConfigEntry {
    return this.#spokenFor(key).entry
  }

  all(): ConfigEntry[] {
    return CONFIG_KEY_NAMES.map((key) => this.entry(key))
  }

  /** What in the files and the environment is not used, and why. */
  findings(): Finding[] {
    this.#refresh()
    const files = this.#root === null ? [this.#own] : [this.#own, this.#root]
    return [
      ...files.flatMap(({ broken }) => (broken === null ? [] : [{ kind: 'broken', text: broken } as const])),
      ...CONFIG_KEY_NAMES.flatMap((key) => this.#spokenFor(key).passedOver).map(
        (text) => ({ kind: 'unusable', text }) as const,
      ),
      ...files.flatMap((file) => unknownKeys(file)).map((text) => ({ kind: 'unknown', text }) as const),
    ]
  }

  /** The findings as sentences, for the wire. */
  notices(): string[] {
    return this.findings().map(({ text }) => text)
  }

  /** Hears of every new revision; changes by other programs are noticed when somebody asks for something. */
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
    const changed = withKey(this.#own, name, parsed.data as Json)
    if (!changed.ok) return changed
    const prepared = prepareHome(this.#home)
    if (!prepared.ok) return prepared
    try {
      writeAtomically(this.file, changed.value, 0o600)
    } catch (error) {
      return refused(unwritable(this.file, error))
    }
    this.#reload()
    return ok({ revision: this.#revision, entry: this.entry(name) })
  }

  #spokenFor(key: ConfigKey): Spoken {
    this.#refresh()
    const known = this.#spoken.get(key)
    if (known !== undefined) return known
    const spoken = resolve(key, [...this.#fixed, ...this.#fileLayers()])
    this.#spoken.set(key, spoken)
    return spoken
  }

  #fileLayers(): Layer[] {
    return this.#root === null
      ? [fileLayer('file', this.#own)]
      : [fileLayer('profile', this.#own), fileLayer('file', this.#root)]
  }

  #refresh(): void {
    if (
      stampOf(this.file) !== this.#own.stamp ||
      (this.#root !== null && stampOf(this.#root.path) !== this.#root.stamp)
    )
      this.#reload()
  }

  #reload(): void {
    this.#own = readYamlFile(this.file)
    if (this.#root !== null) this.#root = readYamlFile(this.#root.path)
    this.#spoken.clear()
    this.#revision++
    for (const listener of this.#listeners) listener()
  }
}

/** A refusal for a key that does not exist, with the one that was probably meant. */
export function unknownKey(name: string): Refusal {
  const meant = nearest(name, CONFIG_KEY_NAMES)
  return refusal('invalid_params', `There is no configuration key "${name}".`, {
    next: `${meant === undefined ? '' : `Did you mean ${meant}? `}\`herma config get\` lists them.`,
  })
}

/** Meanings of a typed text: JSON first (`200`, `true`, `["a"]`), then the text itself, so that no name needs quotes. */
export function meaningsOf(typed: string): Json[] {
  try {
    return [JSON.parse(typed) as Json, typed]
  } catch {
    return [typed]
  }
}

/** The first meaning of a typed text that fits the key; the text's JSON meaning when none does. */
export const typedValue = (key: ConfigKey, typed: string): Json => {
  const meanings = meaningsOf(typed)
  return meanings.find((meaning) => CONFIG_KEYS[key].shape.safeParse(meaning).success) ?? meanings[0] ?? typed
}

function resolve(key: ConfigKey, layers: readonly Layer[]): Spoken {
  const unusable: { place: string; raw: unknown; why: string }[] = []
  const spoken = (value: unknown, source: ConfigEntry['source']): Spoken => ({
    entry: { key, value: value as never, source },
    passedOver: unusable.map(
      ({ place, raw, why }) =>
        `${key}: ${JSON.stringify(raw)} in ${place} is not usable (${why}). ${JSON.stringify(value)} is used (${source}).`,
    ),
  })
  for (const layer of layers) {
    const candidates = layer.candidates(key)
    for (const candidate of candidates) {
      const parsed = CONFIG_KEYS[key].shape.safeParse(candidate)
      if (parsed.success) return spoken(parsed.data, layer.source)
      if (candidate === candidates.at(-1))
        unusable.push({ place: layer.place(key), raw: candidate, why: explain(parsed.error) })
    }
  }
  return spoken(CONFIG_KEYS[key].fallback, 'default')
}

const flagLayer = (flags: Readonly<Partial<Record<ConfigKey, Json>>>): Layer => ({
  source: 'flag',
  place: () => 'a flag',
  candidates: (key) => (flags[key] === undefined ? [] : [flags[key]]),
})

/** `model.base_url` is `HERMA_MODEL_BASE_URL`. */
const variableOf = (key: ConfigKey): string => `HERMA_${key.toUpperCase().replaceAll('.', '_')}`

const environmentLayer = (env: Readonly<Record<string, string | undefined>>): Layer => ({
  source: 'environment',
  place: variableOf,
  candidates: (key) => {
    const typed = env[variableOf(key)]
    return typed === undefined || typed === '' ? [] : meaningsOf(typed)
  },
})

const fileLayer = (source: 'file' | 'profile', file: YamlFile): Layer => ({
  source,
  place: () => file.path,
  candidates: (key) => {
    const found = key.split('.').reduce<unknown>((at, part) => asRecord(at)[part], file.values)
    // `key:` with nothing behind it is YAML for "not set".
    return found === undefined || found === null ? [] : [found]
  },
})

const unknownKeys = (file: YamlFile): string[] =>
  leaves(file.values)
    .filter((path) => !isConfigKey(path) && !CONFIG_KEY_NAMES.some((key) => path.startsWith(`${key}.`)))
    .map((path) => {
      const meant = nearest(path, CONFIG_KEY_NAMES)
      return `${path} in ${file.path}: unknown key, kept as it is.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
    })

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** Dotted paths of everything that is not a map. A group with nothing in it is none. */
const leaves = (value: unknown, path = ''): string[] => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`))
  return path === '' || value === null ? [] : [path]
}
