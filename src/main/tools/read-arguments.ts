/** From the text a model wrote to a value that fits a schema: parse, repair what is plainly meant, coerce. Pure. */
import type { JsonSchema } from './wire-schema.ts'

export type ReadArguments =
  | { readonly kind: 'object'; readonly value: object }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'unreadable'; readonly problem: string }

/**
 * Reads the arguments of a call (kernel 5). Empty text is `{}`. Text that does not parse and does not end in `}` or
 * `]` was cut off. Objects have no prototype, so a key `__proto__` is only a key. Never throws.
 */
export function readArguments(text: string): ReadArguments {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'object', value: bare({}) }
  let value = parse(trimmed)
  if (value === undefined) {
    if (!/[}\]]$/.test(trimmed)) return { kind: 'truncated' }
    value = parse(repair(trimmed))
  }
  // Some models encode the object twice.
  if (typeof value === 'string') value = parse(value) ?? value
  if (value === undefined) return { kind: 'unreadable', problem: 'the arguments are not valid JSON' }
  if (value === null) return { kind: 'object', value: bare({}) }
  if (typeof value !== 'object' || Array.isArray(value)) {
    const found = Array.isArray(value) ? 'an array' : `a ${typeof value}`
    return { kind: 'unreadable', problem: `the arguments must be a JSON object with named fields, not ${found}` }
  }
  return { kind: 'object', value }
}

/**
 * Turns values into the types the schema asks for where the meaning is plain: "42" → 42, "true" → true, 42 → "42",
 * scalar → [scalar], JSON text → object or array; null for a field that may be left out means left out. Everything
 * else stays as it is, for the schema to refuse.
 */
export function coerce(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema === undefined) return value
  switch (schema['type']) {
    case 'object':
      return coerceObject(fromJsonText(value, '{'), schema)
    case 'array': {
      const list = fromJsonText(value, '[')
      const items = schema['items'] as JsonSchema | undefined
      if (Array.isArray(list)) return list.map((item) => coerce(item, items))
      return list === null || list === undefined ? list : [coerce(list, items)]
    }
    case 'integer':
    case 'number':
      return typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    default:
      return value
  }
}

function coerceObject(value: unknown, schema: JsonSchema): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const required = (schema['required'] ?? []) as readonly string[]
  const out: Record<string, unknown> = bare({})
  for (const [key, field] of Object.entries(value)) {
    if (field === null && Object.hasOwn(properties, key) && !required.includes(key)) continue
    out[key] = coerce(field, Object.hasOwn(properties, key) ? properties[key] : undefined)
  }
  return out
}

function fromJsonText(value: unknown, opening: '{' | '['): unknown {
  return typeof value === 'string' && value.trimStart().startsWith(opening) ? (parse(value) ?? value) : value
}

/** undefined when the text is no JSON. Nesting beyond the engine's stack counts as no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? bare(value) : value,
    )
  } catch {
    return undefined
  }
}

/** A copy without a prototype. `Object.assign` would call a `__proto__` setter on an ordinary object. */
const bare = <T extends object>(value: T): T => Object.assign(Object.create(null), value) as T

/** Raw control characters inside strings and commas before a closing bracket: the two slips that models make. */
function repair(text: string): string {
  let out = ''
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (inString && char === '\\') {
      out += char + text.charAt(++i)
    } else if (char === '"') {
      inString = !inString
      out += char
    } else if (inString && char < ' ') {
      out += JSON.stringify(char).slice(1, -1)
    } else if (!inString && char === ',' && /^\s*[}\]]/.test(text.slice(i + 1, i + 200))) {
      // left out: nothing follows the comma
    } else {
      out += char
    }
  }
  return out
}
