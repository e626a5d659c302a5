import { type ZodType, z } from '../../shared/schema.ts'

export type JsonSchema = { readonly [key: string]: unknown }

/** Words that a schema needs and every provider takes; `$schema`, formats and regex dialects are left out. */
const KEPT = [
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  'default',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
] as const

/**
 * JSON schema of a tool's arguments from its zod schema, in input form (what a caller may leave out is optional).
 * Keys come in one fixed order, so that the tool list is the same bytes in every request (kernel 2). Throws when the
 * schema is not an object: tools take named arguments.
 */
export function parametersOf(schema: ZodType): Record<string, unknown> {
  const raw = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  if (raw['type'] !== 'object') throw new TypeError('a tool schema must be an object')
  return sanitise(raw)
}

function sanitise(node: JsonSchema): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const key of KEPT) {
    const value = node[key]
    if (value === undefined || isSafeIntegerBound(key, value)) continue
    if (key === 'properties') out[key] = mapValues(value as JsonSchema, sanitise)
    else if (key === 'items') out[key] = sanitise(value as JsonSchema)
    else if (key === 'anyOf') out[key] = (value as JsonSchema[]).map(sanitise)
    else out[key] = value
  }
  // Some providers refuse an object that does not say which properties it has.
  if (out['type'] === 'object' && out['properties'] === undefined) out['properties'] = {}
  return out
}

/** zod adds the bounds of safe integers to every integer; they only cost tokens. */
const isSafeIntegerBound = (key: string, value: unknown): boolean =>
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) || (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)

const mapValues = (object: JsonSchema, map: (value: JsonSchema) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value as JsonSchema)]))
