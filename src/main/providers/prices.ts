/** What models cost and how much they hold (decisions 28): a dated table, and null for everything it does not say. */
import table from '../../../resources/models.json' with { type: 'json' }
import type { Price } from './usage.ts'

interface Entry {
  readonly context: number | null
  readonly input: number | null
  readonly output: number | null
  readonly cache_read: number | null
  readonly cache_write: number | null
}
const MODELS = new Map<string, Entry>(Object.entries(table.models))

/** The day the table was made, `YYYY-MM-DD`: shown wherever a price is. */
export const PRICES_AS_OF: string = table.as_of

/** null when the model is not in the table or its price is not known. */
export function priceOf(provider: string, model: string): Price | null {
  const entry = MODELS.get(`${provider}/${model}`)
  if (entry === undefined || entry.input === null || entry.output === null) return null
  return { input: entry.input, output: entry.output, cacheRead: entry.cache_read, cacheWrite: entry.cache_write }
}

/** Tokens of prompt and answer together; null when not known. */
export const contextOf = (provider: string, model: string): number | null =>
  MODELS.get(`${provider}/${model}`)?.context ?? null
