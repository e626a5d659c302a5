import type { WireTool } from '../kernel/ports.ts'
import { type ToolDefinition, wireTool } from './define-tool.ts'

/** Names that older transcripts and habits of models use; they resolve at every seam (kernel 5, registration). */
const LEGACY_ALIASES: Readonly<Record<string, string>> = {
  todo: 'todo_list',
  process: 'process_manage',
  cronjob: 'cronjob_manage',
}

export interface CatalogEntry {
  readonly definition: ToolDefinition
  /** The JSON schema that the model was shown. */
  readonly parameters: Record<string, unknown>
}

export interface Catalog {
  /** Sorted by name and frozen: the same bytes in every request of the session. */
  readonly definitions: readonly WireTool[]
  readonly names: readonly string[]
  /** By exact name or legacy alias. */
  find(name: string): CatalogEntry | undefined
  /** Wishes that could not be met, in words. */
  readonly notices: readonly string[]
}

/**
 * The tools of a session: those of the wanted toolsets, sorted by name.
 * @param toolsets names of sets; left out, `all` or `*` = every set. An unknown name gives a notice, not an error.
 */
export function buildCatalog(tools: readonly ToolDefinition[], toolsets: readonly string[] = ['all']): Catalog {
  const all = toolsets.includes('all') || toolsets.includes('*')
  const known = new Set(tools.map((tool) => tool.toolset))
  const chosen = tools.filter((tool) => all || toolsets.includes(tool.toolset))
  const sorted = [...chosen].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const definitions = sorted.map((tool) => deepFreeze(wireTool(tool)))
  const entries = new Map<string, CatalogEntry>()
  for (const [index, definition] of sorted.entries()) {
    if (entries.has(definition.name)) throw new TypeError(`two tools are called ${definition.name}`)
    const wire = definitions[index] as WireTool
    entries.set(definition.name, { definition, parameters: wire.function.parameters })
  }
  return {
    definitions: Object.freeze(definitions),
    names: Object.freeze(sorted.map((tool) => tool.name)),
    find: (name) => entries.get(name) ?? entries.get(aliasOf(name)),
    notices: toolsets
      .filter((name) => name !== 'all' && name !== '*' && !known.has(name))
      .map((name) => `There is no toolset "${name}"; known: ${[...known].sort().join(', ')}.`),
  }
}

const aliasOf = (name: string): string =>
  Object.hasOwn(LEGACY_ALIASES, name) ? (LEGACY_ALIASES[name] as string) : name

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner)
    Object.freeze(value)
  }
  return value
}
