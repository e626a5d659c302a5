/**
 * Small screen state that must survive a crash: drafts, layout, scroll anchors (U-46, U-71). One file a key, on disk
 * when the promise resolves. Nobody's fact: it lives in the cache and may be lost without losing a message.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Refusal, refusal } from '../../shared/contract/index.ts'
import { ok, type Result, refused } from '../../shared/result.ts'
import type { Json } from '../../shared/schema.ts'
import type { Home } from './home.ts'

const VALUE_LIMIT_CHARS = 1_048_576

export class UiState {
  readonly #folder: string
  /** Writes of one key go one after the other, so that the last one asked for is the one that stays. */
  readonly #writing = new Map<string, Promise<unknown>>()

  constructor(home: Home) {
    this.#folder = join(home.path, 'cache', 'ui')
  }

  /** Values of the keys that exist; a file that cannot be read counts as absent. */
  async get(keys: readonly string[]): Promise<Record<string, Json>> {
    const found = await Promise.all(keys.map(async (key) => [key, await this.#read(key)] as const))
    return Object.fromEntries(found.filter((pair): pair is readonly [string, Json] => pair[1] !== undefined))
  }

  /** Stores a value, or removes it with null. */
  async set(key: string, value: Json | null): Promise<Result<{ stored: boolean }, Refusal>> {
    const content = JSON.stringify({ key, value })
    if (content.length > VALUE_LIMIT_CHARS)
      return refused(
        refusal(
          'invalid_params',
          `This is too large to be kept (${content.length.toLocaleString('en')} characters, at most ${VALUE_LIMIT_CHARS.toLocaleString('en')}). What was kept before stays.`,
        ),
      )
    const previous = this.#writing.get(key) ?? Promise.resolve()
    const mine = previous.then(() => this.#write(key, value === null ? null : content))
    const settled = mine.catch(() => undefined)
    this.#writing.set(key, settled)
    try {
      await mine
      return ok({ stored: value !== null })
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      return refused(
        refusal(code === 'ENOSPC' ? 'db_full' : 'db_readonly', `It could not be written to disk (${code}).`, {
          next: 'Your text is still in the window; copy it before closing.',
        }),
      )
    } finally {
      if (this.#writing.get(key) === settled) this.#writing.delete(key)
    }
  }

  #path(key: string): string {
    return join(this.#folder, `${createHash('sha256').update(key).digest('hex')}.json`)
  }

  async #read(key: string): Promise<Json | undefined> {
    let text: string
    try {
      text = await readFile(this.#path(key), 'utf8')
    } catch (error) {
      // A folder or a file in the wrong place holds nothing of ours; everything else is the disk's trouble.
      if (NOT_THERE.has((error as NodeJS.ErrnoException).code)) return undefined
      throw error
    }
    const stored = parsed(text)
    return typeof stored === 'object' && stored !== null && 'key' in stored && stored.key === key && 'value' in stored
      ? (stored.value as Json)
      : undefined
  }

  async #write(key: string, content: string | null): Promise<void> {
    const path = this.#path(key)
    if (content === null) return rm(path, { force: true })
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      const handle = await open(temporary, 'wx', 0o600)
      try {
        await handle.writeFile(content)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
  }
}

const NOT_THERE = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'EISDIR'])

/** Undefined for what is no JSON: a file that another program damaged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
