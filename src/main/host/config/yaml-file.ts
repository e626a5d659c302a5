/**
 * One `config.yaml` on disk, with everything in it that is not ours: comments, unknown keys, order. A file that cannot
 * be read as a map of keys is `broken`: it counts as empty and is never written, so that nothing in it is lost.
 */
import { readFileSync, statSync } from 'node:fs'
import { Document, isMap, parseDocument, YAMLMap } from 'yaml'
import { type Refusal, refusal } from '../../../shared/contract/index.ts'
import { ok, type Result, refused } from '../../../shared/result.ts'
import type { Json } from '../../../shared/schema.ts'

export interface YamlFile {
  readonly path: string
  /** Changes whenever the file does. */
  readonly stamp: string
  readonly document: Document
  readonly values: Readonly<Record<string, unknown>>
  /** Why it cannot be read, as a sentence; null when it can. */
  readonly broken: string | null
}

/** `stat` is enough to know whether another program has written. */
export function stampOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
    return stat === undefined ? 'absent' : `${stat.mtimeNs}:${stat.size}:${stat.ino}:${stat.mode}`
  } catch (error) {
    // A folder on the way that may not be looked into: reading says so in words.
    return `hidden:${(error as NodeJS.ErrnoException).code}`
  }
}

export function readYamlFile(path: string): YamlFile {
  const stamp = stampOf(path)
  if (stamp === 'absent') return { path, stamp, document: new Document({}), values: {}, broken: null }
  const broken = (why: string): YamlFile => ({
    path,
    stamp,
    document: new Document({}),
    values: {},
    broken: `${path} cannot be read: ${why} The defaults are used.`,
  })
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return broken(code === 'EISDIR' ? 'it is a folder.' : `${code}.`)
  }
  const document = parseDocument(text)
  const problem = document.errors[0]
  if (problem !== undefined) return broken(sentence(problem.message))
  if (document.contents === null) document.contents = new YAMLMap() as never
  if (!isMap(document.contents)) return broken('it is not a map of keys.')
  try {
    return { path, stamp, document, values: document.toJS() as Record<string, unknown>, broken: null }
  } catch (error) {
    // An alias without an anchor, or one that would blow up: found only when it is followed.
    return broken(sentence(error instanceof Error ? error.message : String(error)))
  }
}

/** The file's text with one key changed and the rest as it was. Refused when the file or the way to the key is not a map. */
export function withKey(file: YamlFile, key: string, value: Json): Result<string, Refusal> {
  if (file.broken !== null)
    return refused(
      refusal('invalid_params', `${file.broken} Nothing was written, so that nothing in it is lost.`, {
        next: `Mend ${file.path} first.`,
      }),
    )
  const path = key.split('.')
  for (let depth = 1; depth < path.length; depth++) {
    const group = path.slice(0, depth)
    const node = file.document.getIn(group, true)
    if (node === undefined || isMap(node)) continue
    // `model:` with nothing behind it is a group that is still empty.
    if (file.document.getIn(group) === null) continue
    return refused(
      refusal('invalid_params', `${group.join('.')} in ${file.path} is a value, not a group of keys; it was kept.`, {
        next: `Mend ${file.path} first.`,
      }),
    )
  }
  const changed = file.document.clone()
  for (let depth = 1; depth < path.length; depth++) {
    const group = path.slice(0, depth)
    if (!isMap(changed.getIn(group, true))) changed.setIn(group, changed.createNode({}))
  }
  changed.setIn(path, changed.createNode(value))
  return ok(String(changed))
}

/** First line of a parser's message, as a sentence. */
const sentence = (message: string): string => {
  const line = message.split('\n')[0]?.replace(/:$/, '').trim() ?? ''
  return line.endsWith('.') ? line : `${line}.`
}
