/**
 * Spend per model (session-db 2.2). Booked with the row the call produced, or alone when it produced none; totals in
 * `sessions` are a cache changed in the same transaction (I13).
 */
import type { SessionId } from '../../shared/ids.ts'
import type { Binding, UsageCount } from '../../shared/ledger.ts'
import { sql, type WritableDb } from '../storage/index.ts'

const BOOK = sql`
  insert into session_model_usage(session_id, model, billing_provider, billing_base_url, task, api_call_count, input_tokens,
    output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, est_cost_micros, cost_status, first_seen, last_seen)
  values (:session, :model, :provider, :baseUrl, :task, 1, :input, :output, :cacheRead, :cacheWrite, :reasoning, :cost, :status, :now, :now)
  on conflict(session_id, model, billing_provider, billing_base_url, billing_mode, task) do update set
    api_call_count = api_call_count + 1, input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens,
    reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens, est_cost_micros = est_cost_micros + excluded.est_cost_micros,
    cost_status = case when cost_status = 'unknown' then 'unknown' else excluded.cost_status end, last_seen = excluded.last_seen`
const TOTAL = sql`
  update sessions set api_call_count = api_call_count + 1, input_tokens = input_tokens + :input,
    output_tokens = output_tokens + :output, cache_read_tokens = cache_read_tokens + :cacheRead,
    cache_write_tokens = cache_write_tokens + :cacheWrite, reasoning_tokens = reasoning_tokens + :reasoning,
    est_cost_micros = est_cost_micros + :cost,
    cost_status = case when cost_status = 'unknown' then 'unknown' else :status end
  where id = :session`

/**
 * Adds one API call. Missing usage adds no tokens and marks the cost unknown: it is never guessed (session-db 7.2).
 * @param task '' for the main loop, else the auxiliary purpose (title, compression, …)
 */
export function bookUsage(
  db: WritableDb,
  call: { session: SessionId; binding: Binding; task: string; usage: UsageCount | null },
  nowMs: number,
): void {
  const { usage, binding } = call
  const counts = {
    input: usage?.inputTokens ?? 0,
    output: usage?.outputTokens ?? 0,
    cacheRead: usage?.cacheReadTokens ?? 0,
    cacheWrite: usage?.cacheWriteTokens ?? 0,
    reasoning: usage?.reasoningTokens ?? 0,
    cost: usage?.costMicros ?? 0,
    status: usage === null || usage.costMicros === null ? 'unknown' : 'estimated',
  }
  db.run(BOOK, {
    session: call.session,
    model: binding.model,
    provider: binding.provider,
    baseUrl: binding.baseUrl,
    task: call.task,
    ...counts,
    now: nowMs,
  })
  db.run(TOTAL, { session: call.session, ...counts })
}
