/**
 * Prompt bytes by hash (session-db 5.5, kernel 2). Stored once per SHA-256 of their UTF-8 bytes, bound once to a
 * segment, before its first assistant row; only a sanctioned rebuild may bind another.
 */

import type { FrozenPrompt, Lease } from '../../shared/ledger.ts'
import { scrubSurrogates } from '../../shared/text.ts'
import { type ReadableDb, sql, type WritableDb } from '../storage/index.ts'
import { sha256 } from './canonical.ts'
import { getConversation } from './conversations.ts'
import { assertFence } from './leases.ts'
import { RefusalError } from './refusal-error.ts'

/** Closed list of reasons (kernel 2); anything else is a bug. */
export const REBUILD_REASONS = ['created', 'compression', 'runtime_identity_changed', 'stored_prompt_unusable'] as const
export type RebuildReason = (typeof REBUILD_REASONS)[number]

/** Freezes text: the hash is of what will be stored and sent. */
export function freezePrompt(text: string, stableLength: number): FrozenPrompt {
  const clean = scrubSurrogates(text)
  return { hash: sha256(clean), text: clean, stableLength }
}

const STORE = sql`insert into system_prompts(hash, prompt, created_at) values (:hash, :text, :now) on conflict(hash) do nothing`
const BIND = sql`
  update sessions set system_prompt_hash = :hash, model = :model, provider = :provider, tool_names = :tools,
    model_config = json_patch(model_config, :config)
  where id = :session`

/**
 * Binds a prompt to the tip. Binding over a usable one is refused unless the reason says otherwise.
 * @throws RefusalError `prompt_unbound` when an ordinary turn tries to bind again; `lease_lost`
 */
export function bindPrompt(
  db: WritableDb,
  lease: Lease,
  bound: { prompt: FrozenPrompt; model: string; provider: string; tools: readonly string[]; reason: RebuildReason },
  nowMs: number,
): void {
  assertFence(db, lease)
  const conversation = getConversation(db, lease.conversation)
  const hasPrompt = conversation.promptHash !== null
  if (
    hasPrompt &&
    (bound.reason === 'created' || bound.reason === 'stored_prompt_unusable') &&
    loadPrompt(db, conversation.promptHash) !== null
  )
    throw new RefusalError(
      'prompt_unbound',
      `The prompt of ${conversation.tip} is bound already; an ordinary turn keeps its bytes.`,
    )
  const { prompt } = bound
  db.run(STORE, { hash: prompt.hash, text: prompt.text, now: nowMs })
  const epoch =
    typeof conversation.modelConfig['prompt_epoch'] === 'number' ? conversation.modelConfig['prompt_epoch'] : 0
  db.run(BIND, {
    session: conversation.tip,
    hash: prompt.hash,
    model: bound.model,
    provider: bound.provider,
    tools: JSON.stringify(bound.tools),
    config: JSON.stringify({ prompt_epoch: epoch + 1, prompt_reason: bound.reason, stable_len: prompt.stableLength }),
  })
}

const LOAD = sql`select prompt from system_prompts where hash = :hash`

/** The stored text; null when there is none or it is empty. */
export function loadPrompt(db: ReadableDb, hash: string | null): string | null {
  if (hash === null) return null
  const row = db.get<{ prompt: string }>(LOAD, { hash })
  return row === undefined || row.prompt === '' ? null : row.prompt
}

const SWEEP = sql`
  delete from system_prompts where created_at < :before
    and not exists (select 1 from sessions where system_prompt_hash = system_prompts.hash)`

/** Maintenance: prompts that nothing names and that are older than 24 h (session-db 2.3). Returns how many went. */
export const sweepPrompts = (db: WritableDb, nowMs: number): number => db.run(SWEEP, { before: nowMs - 86_400_000 })
