/** What an answer consumed and what it cost (kernel 7.5). Pure. */
import type { UsageCount } from '../kernel/ports.ts'

/** USD per million tokens, the unit every provider prints. null: this bucket's price is not known. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
}

/**
 * Splits a chat-completions `usage` object into buckets: the total of the prompt includes what came from the cache, so
 * that part is taken off. null when the server said nothing; a missing number is null, never 0.
 */
export function readUsage(raw: unknown, price: Price | null): UsageCount | null {
  const usage = record(raw)
  if (usage === null) return null
  const prompt = count(usage['prompt_tokens'])
  const output = count(usage['completion_tokens'])
  if (prompt === null && output === null) return null
  const details = record(usage['prompt_tokens_details'])
  // DeepSeek names the cached part beside the total.
  const cacheRead = count(details?.['cached_tokens']) ?? count(usage['prompt_cache_hit_tokens'])
  const cacheWrite = count(details?.['cache_write_tokens'])
  const tokens = {
    inputTokens: prompt === null ? null : Math.max(0, prompt - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: count(record(usage['completion_tokens_details'])?.['reasoning_tokens']),
  }
  return { ...tokens, costMicros: costMicros(tokens, price) }
}

/**
 * Micro-USD, rounded: tokens × USD per million. null as soon as a bucket that was used has no price or a total is
 * unknown (U-08). Reasoning tokens are part of the output and are not paid twice.
 */
export function costMicros(tokens: Omit<UsageCount, 'costMicros'>, price: Price | null): number | null {
  if (price === null || tokens.inputTokens === null || tokens.outputTokens === null) return null
  const parts: readonly (readonly [tokens: number, usdPerMillion: number | null])[] = [
    [tokens.inputTokens, price.input],
    [tokens.outputTokens, price.output],
    [tokens.cacheReadTokens ?? 0, price.cacheRead],
    [tokens.cacheWriteTokens ?? 0, price.cacheWrite],
  ]
  let micros = 0
  for (const [amount, rate] of parts) {
    if (amount === 0) continue
    if (rate === null) return null
    micros += amount * rate
  }
  return Math.round(micros)
}

const record = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : null
