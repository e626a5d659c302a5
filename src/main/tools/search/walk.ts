import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import type { Files } from '../files/files.ts'

export interface FoundFile {
  /** Absolute path. */
  readonly path: string
  /** Below the start folder, with forward slashes. */
  readonly relative: string
}

/** Never entered unless the search starts inside: history and installed packages are not what anyone looks for. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules'])
const RULE_FILES = ['.gitignore', '.ignore']
/** Bytes of one rule file; more is no rule file. */
const RULES_LIMIT = 262_144
/** Folders deeper than this are a loop or a mistake. */
const DEPTH_LIMIT = 64

interface Rules {
  readonly base: string
  readonly rules: Ignore
}

/**
 * Regular files below `start`, depth first in code-unit order of the names: the same order on every machine and with
 * every run. Ignore rules of the folders on the way count, also those above the start up to the repository's root; a
 * deeper rule overrides a higher one. Links are not followed. Folders that cannot be read are skipped and counted.
 */
export async function* walk(
  files: Files,
  start: string,
  signal: AbortSignal,
  onUnreadable: (path: string) => void,
): AsyncGenerator<FoundFile> {
  const above = await rulesAbove(files, start)
  yield* walkFolder(start, above, 0)

  async function* walkFolder(folder: string, inherited: readonly Rules[], depth: number): AsyncGenerator<FoundFile> {
    signal.throwIfAborted()
    let entries: Awaited<ReturnType<Files['list']>>
    try {
      entries = await files.list(folder)
    } catch {
      onUnreadable(folder)
      return
    }
    const own = await rulesIn(files, folder, new Set(entries.map((entry) => entry.name)))
    const rules = own.length > 0 ? [...inherited, ...own] : inherited
    for (const { name, kind } of entries) {
      const path = join(folder, name)
      if (kind === 'file') {
        if (!isIgnored(rules, path, false)) yield { path, relative: slashes(relative(start, path)) }
      } else if (kind === 'folder' && depth < DEPTH_LIMIT && !SKIPPED.has(name) && !isIgnored(rules, path, true)) {
        yield* walkFolder(path, rules, depth + 1)
      }
    }
  }
}

/** The last rule that says anything decides, from the highest folder down, as git does. */
function isIgnored(all: readonly Rules[], path: string, folder: boolean): boolean {
  let ignored = false
  for (const { base, rules } of all) {
    const found = rules.test(slashes(relative(base, path)) + (folder ? '/' : ''))
    if (found.ignored) ignored = true
    else if (found.unignored) ignored = false
  }
  return ignored
}

async function rulesIn(files: Files, folder: string, names: ReadonlySet<string>): Promise<readonly Rules[]> {
  const out: Rules[] = []
  for (const name of RULE_FILES) {
    if (!names.has(name)) continue
    const text = await smallText(files, join(folder, name))
    if (text !== null) out.push({ base: folder, rules: ignore({ allowRelativePaths: true }).add(text) })
  }
  return out
}

/** Rules between the repository's root and the start; none when the start is in no repository. */
async function rulesAbove(files: Files, start: string): Promise<readonly Rules[]> {
  const chain: string[] = []
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder !== start) chain.unshift(folder)
    if ((await files.look(join(folder, '.git'))) !== null) break
    if (dirname(folder) === folder) return []
  }
  const all = await Promise.all(chain.map((folder) => rulesIn(files, folder, new Set(RULE_FILES))))
  return all.flat()
}

async function smallText(files: Files, path: string): Promise<string | null> {
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of files.read(path)) {
      size += chunk.length
      if (size > RULES_LIMIT) return null
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return null // no such file, or one that cannot be read: it ignores nothing
  }
}

const slashes = (path: string): string => (sep === '\\' ? path.replaceAll('\\', '/') : path)
