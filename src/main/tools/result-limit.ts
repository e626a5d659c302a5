/**
 * Oversized results (kernel 5): the whole text goes to a file below the home, the model gets the beginning and a hint.
 * The file is a convenience; if it cannot be written the result says so and carries head and tail instead.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { truncate } from '../../shared/text.ts'

export const PREVIEW_CHARS = 1_500

/** Where oversized results are kept. Rejects when the disk refuses. */
export interface ResultStore {
  /** Stores the text and returns the absolute path a reader can open. */
  keep(toolId: string, text: string): Promise<string>
}

/** clamp(0.15 · context tokens · 4 chars, 8,000, 100,000) UTF-16 units. */
export const resultLimit = (contextLength: number): number =>
  Math.min(100_000, Math.max(8_000, Math.floor((Number.isFinite(contextLength) ? contextLength : 0) * 0.6)))

/**
 * Fits a result into its limit.
 * @param limit UTF-16 units; `Infinity` leaves every result whole
 * @param full the readable form to keep when it differs from `content`
 */
export async function fitResult(
  store: ResultStore,
  toolId: string,
  content: string,
  limit: number,
  full = content,
): Promise<string> {
  if (content.length <= limit) return content
  try {
    const path = await store.keep(toolId, full)
    return [
      truncate(full, PREVIEW_CHARS),
      '',
      `[The result has ${full.length} characters, over the limit of ${limit}; this is its beginning.`,
      `All of it is in ${path}: continue with read_file (offset, limit) or search_files.]`,
    ].join('\n')
  } catch (error) {
    const half = Math.floor(limit / 2) - 200
    return [
      truncate(full, half),
      `\n[${full.length - 2 * half} characters left out: the result was over the limit of ${limit} and could not be stored (${error instanceof Error ? error.message : String(error)}).]\n`,
      full.slice(-half),
    ].join('\n')
  }
}

/** Files below `<home>/cache/tool-results/`, readable by the owner only. */
export const resultFiles = (home: string): ResultStore => ({
  keep: async (toolId, text) => {
    const folder = join(home, 'cache', 'tool-results')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${toolId.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 100)}.txt`)
    await writeFile(path, text, { mode: 0o600 })
    await chmod(path, 0o600)
    return path
  },
})
