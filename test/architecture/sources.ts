/** The source tree as data: which files there are, and what each of them imports. Paths are relative to the checkout. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseAst } from 'vite'

export interface Import {
  readonly specifier: string
  /** Erased by the compiler: nothing of the other module is loaded. */
  readonly typesOnly: boolean
  /** Loaded when the line runs, not when the file is. */
  readonly dynamic: boolean
}

/** Files below `folder` whose name ends in one of `endings`, in a stable order. */
export function filesBelow(folder: string, endings: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.d.ts'))
    .sort()
}

export interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

/** Every node of a file, outer ones first. */
export function* nodesOf(file: string): Generator<Node> {
  const lang = file.endsWith('x') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'js'
  yield* walk(parseAst(readFileSync(file, 'utf8'), { lang }, file) as unknown as Node)
}

function* walk(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child !== null && typeof child === 'object' && typeof (child as Node).type === 'string')
        yield* walk(child as Node)
}

/** What a file imports, re-exports, loads later, or names in a type. */
export function importsOf(file: string): Import[] {
  const found: Import[] = []
  for (const node of nodesOf(file)) {
    const source = (node['source'] ?? node['argument']) as { type?: string; value?: unknown } | null | undefined
    const specifier = typeof source?.value === 'string' ? source.value : null
    if (specifier === null) continue
    if (node.type === 'ImportDeclaration') {
      const named = node['specifiers'] as { importKind?: string }[]
      const erased = named.length > 0 && named.every((each) => each.importKind === 'type')
      found.push({ specifier, typesOnly: node['importKind'] === 'type' || erased, dynamic: false })
    } else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration')
      found.push({ specifier, typesOnly: node['exportKind'] === 'type', dynamic: false })
    else if (node.type === 'ImportExpression') found.push({ specifier, typesOnly: false, dynamic: true })
    else if (node.type === 'TSImportType') found.push({ specifier, typesOnly: true, dynamic: false })
  }
  return found
}

/** Where a relative specifier points, without a query such as `?raw`; null for a package. */
export const targetOf = (file: string, { specifier }: Import): string | null =>
  specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier.replace(/\?.*$/, '')) : null
