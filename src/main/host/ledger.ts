/**
 * The kernel's ledger and prompt ports over SessionDB. Here the two meet: each method is one named, fenced write; what
 * the store refuses becomes a `LedgerError` with its cause, so that the kernel can end the turn by it.
 */
import { statusOf, type TurnEnding } from '../../shared/contract/index.ts'
import type { ConversationId, MessageUid } from '../../shared/ids.ts'
import type { HistoryRow, Lease, Recorded, RecordedRound } from '../../shared/ledger.ts'
import { InvariantError } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import { type Binding, LedgerError, type LedgerPort, type PromptParts, type PromptPort } from '../kernel/ports.ts'
import {
  activeHistory,
  bindPrompt,
  bookUsage,
  freezePrompt,
  getConversation,
  historyRow,
  loadPrompt,
  markEnding,
  type Outcome,
  recordAnswer,
  recordResults,
  recordUser,
  refusalOf,
  settle,
} from '../sessions/index.ts'
import { assertFence } from '../sessions/leases.ts'
import type { Store, WritableDb } from '../storage/index.ts'

export interface LedgerFacts {
  readonly store: Store
  readonly clock: Clock
  readonly epoch: () => number
}

const CAUSES: Readonly<Record<string, LedgerError['cause_']>> = {
  lease_lost: 'lease_lost',
  stale_generation: 'lease_lost',
  stale_epoch: 'lease_lost',
  db_locked: 'locked',
  db_full: 'disk',
  db_readonly: 'readonly',
  db_corrupt: 'corrupt',
  compression_closed: 'closed',
  prompt_unbound: 'prompt_unbound',
}

/** Runs one write of a turn. @throws LedgerError with the cause; InvariantError unchanged */
async function fenced<T>(facts: LedgerFacts, name: string, work: (db: WritableDb, nowMs: number) => T): Promise<T> {
  try {
    return await facts.store.write(name, 'transcript', (db) => work(db, facts.clock.now()))
  } catch (error) {
    if (error instanceof InvariantError) throw error
    const known = refusalOf(error)
    const message = known?.message ?? (error instanceof Error ? error.message : String(error))
    throw new LedgerError(CAUSES[known?.code ?? ''] ?? 'unknown', message)
  }
}

export function createLedger(facts: LedgerFacts): LedgerPort {
  const row = (conversation: ConversationId, uid: MessageUid): HistoryRow =>
    historyRow(facts.store.read, conversation, uid)
  return {
    async recordUser(lease, input) {
      return row(lease.conversation, await fenced(facts, 'ledger.user', (db, now) => recordUser(db, lease, input, now)))
    },
    async recordAnswer(lease, answer) {
      return row(
        lease.conversation,
        await fenced(facts, 'ledger.answer', (db, now) => recordAnswer(db, lease, answer, now)),
      )
    },
    async recordCalls(lease, plan) {
      const committed = await fenced(facts, 'ledger.calls', (db, now) => {
        const callUid = recordAnswer(db, lease, plan.answer, now)
        const answered = plan.calls.flatMap((planned) =>
          planned.kind === 'answered' ? [{ callIndex: planned.index, outcome: planned.outcome }] : [],
        )
        const results = answered.length === 0 ? [] : recordResults(db, lease, callUid, answered, now)
        return { callUid, results }
      })
      const round: RecordedRound = {
        row: row(lease.conversation, committed.callUid),
        answered: committed.results.map((uid) => row(lease.conversation, uid)),
        plan,
      }
      return round as Recorded<RecordedRound>
    },
    async recordResult(lease, call, outcome) {
      const [uid] = await fenced(facts, 'ledger.result', (db, now) =>
        recordResults(db, lease, call.row.uid, [{ callIndex: call.index, outcome }], now),
      )
      if (uid === undefined) throw new InvariantError('I6', 'one result is one row')
      return row(lease.conversation, uid)
    },
    async recordUsage(lease, binding, usage) {
      await fenced(facts, 'ledger.usage', (db, now) => {
        assertFence(db, lease)
        bookUsage(db, { session: getConversation(db, lease.conversation).tip, binding, task: '', usage }, now)
      })
    },
    history: async (conversation) => activeHistory(facts.store.read, conversation),
    async settle(lease, ending) {
      const shown: TurnEnding = { end_reason: ending.reason, status: statusOf(ending.reason), detail: ending.detail }
      await fenced(facts, 'admission.settle', (db, now) => {
        settle(
          db,
          {
            lease,
            epoch: facts.epoch(),
            outcome: outcomeOf(shown),
            endReason: ending.reason,
            result: { text: ending.text },
          },
          now,
        )
        markEnding(db, lease.conversation, lease.generation, shown)
      })
    },
  }
}

/** How an ending stands in the admission row. A partial answer is an answer; the reason beside it says the rest. */
const outcomeOf = (ending: TurnEnding): Outcome => {
  const outcomes: Record<TurnEnding['status'], Outcome> = {
    complete: 'completed',
    partial: 'completed',
    interrupted: 'interrupted',
    failed: 'failed',
    deferred: 'rejected',
  }
  return outcomes[ending.status]
}

export function createPromptPort(
  facts: LedgerFacts,
  binding: Binding,
  parts: (conversation: ConversationId) => Promise<PromptParts>,
): PromptPort {
  return {
    async stored(conversation) {
      const record = getConversation(facts.store.read, conversation)
      const text = loadPrompt(facts.store.read, record.promptHash)
      if (text === null || record.promptHash === null) return { bound: null, hadOne: record.model !== null }
      const stable = record.modelConfig['stable_len']
      const prompt = { hash: record.promptHash, text, stableLength: typeof stable === 'number' ? stable : 0 }
      return { bound: { prompt, model: record.model, provider: record.provider }, hadOne: true }
    },
    parts,
    freeze: freezePrompt,
    bind: (lease: Lease, prompt, tools, reason) =>
      fenced(facts, 'prompt.bind', (db, now) =>
        bindPrompt(db, lease, { prompt, model: binding.model, provider: binding.provider, tools, reason }, now),
      ),
  }
}
