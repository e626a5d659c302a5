/**
 * Unknown is resolved by reading back, never guessed (session-db 3.6). The decision is pure: facts in, verdict out.
 * Nothing here runs a tool, calls a model or writes outside this file's transactions (3.7).
 */
import type { AdmissionId, MessageUid } from '../../shared/ids.ts'
import type { ToolCall } from '../../shared/ledger.ts'
import { type ReadableDb, sql, type WritableDb } from '../storage/index.ts'
import type { Admission } from './admissions.ts'
import { canonicalJson } from './canonical.ts'
import { askPerson, finishUnknown, requeue } from './unknown-admissions.ts'

export interface TurnFacts {
  readonly attempts: number
  /** Whether a person wrote it (`user:` or `cli:`): an old one is not continued behind their back. */
  readonly fromPerson: boolean
  /** ms since the turn's last row; null when there is none. */
  readonly lastRowAgeMs: number | null
  readonly rows: readonly {
    readonly uid: MessageUid
    readonly role: 'user' | 'assistant' | 'tool'
    readonly calls: readonly ToolCall[]
    readonly answers: { readonly callUid: MessageUid; readonly callIndex: number } | null
    readonly hidden: boolean
  }[]
  readonly isReadOnly: (tool: string) => boolean
}

export type Verdict =
  | { readonly kind: 'requeue'; readonly rule: 'R0' | 'R1' | 'R3' | 'R4'; readonly resume: boolean }
  | { readonly kind: 'finished'; readonly rule: 'R2' }
  | {
      readonly kind: 'ask'
      readonly rule: 'R1' | 'R3' | 'R4' | 'R5' | 'R6'
      readonly why: string
      readonly uids: readonly MessageUid[]
    }

/** Three attempts and ten minutes: beyond either, a person decides (session-db 3.6). */
const MAX_ATTEMPTS = 3
const FRESH_MS = 600_000

/** Rules R0–R6 over the rows that carry the admission. */
export function reconcile(facts: TurnFacts): Verdict {
  const { rows } = facts
  const first = rows[0]
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return { kind: 'requeue', rule: 'R0', resume: false }
  const ask = (rule: 'R1' | 'R3' | 'R4' | 'R5' | 'R6', why: string, uids: readonly MessageUid[] = []): Verdict => ({
    kind: 'ask',
    rule,
    why,
    uids,
  })
  if (first.role !== 'user') return ask('R6', 'there is an answer without its question', [first.uid])
  const callers = new Map(rows.filter((row) => row.role === 'assistant').map((row) => [row.uid, row]))
  const orphan = rows.find(
    (row) => row.answers !== null && callers.get(row.answers.callUid)?.calls[row.answers.callIndex] === undefined,
  )
  if (orphan !== undefined) return ask('R6', 'there is a result without its call', [orphan.uid])

  const again = (rule: 'R1' | 'R3' | 'R4'): Verdict => {
    if (facts.attempts >= MAX_ATTEMPTS) return ask(rule, `it was tried ${facts.attempts} times`)
    if (facts.fromPerson && (facts.lastRowAgeMs ?? 0) > FRESH_MS)
      return ask(rule, 'it stopped more than ten minutes ago')
    return { kind: 'requeue', rule, resume: true }
  }
  const lastCaller = rows.findLast((row) => row.role === 'assistant')
  if (lastCaller === undefined) return again('R1')
  const answered = new Set(
    rows.flatMap((row) => (row.answers?.callUid === lastCaller.uid ? [row.answers.callIndex] : [])),
  )
  const open = lastCaller.calls.filter((_call, index) => !answered.has(index))
  if (open.length > 0)
    return open.every((call) => facts.isReadOnly(call.name))
      ? again('R4')
      : ask('R5', `${open.map((call) => call.name).join(', ')} may or may not have run`, [lastCaller.uid])
  if (last === lastCaller && lastCaller.calls.length === 0) return { kind: 'finished', rule: 'R2' }
  if (lastCaller.calls.length > 0 || (last.role === 'user' && last.hidden)) return again('R3')
  return again('R1')
}

const TURN_ROWS = sql`
  select uid, role, tool_calls toolCalls, call_uid callUid, call_index callIndex, display_kind displayKind, created_at createdAt
  from messages where admission_id = :admission and active = 1 and carried = 0 order by session_id, pos, id`

/** Reads the facts of one unknown admission. */
export function gatherFacts(
  db: ReadableDb,
  admission: Admission,
  nowMs: number,
  isReadOnly: (tool: string) => boolean,
): TurnFacts {
  const rows = db.all<{
    uid: MessageUid
    role: 'user' | 'assistant' | 'tool'
    toolCalls: string | null
    callUid: MessageUid | null
    callIndex: number | null
    displayKind: string | null
    createdAt: number
  }>(TURN_ROWS, { admission: admission.id })
  const last = rows.at(-1)
  return {
    attempts: admission.attempts,
    fromPerson: /^(user|cli):/.test(admission.principal),
    lastRowAgeMs: last === undefined ? null : nowMs - last.createdAt,
    rows: rows.map((row) => ({
      uid: row.uid,
      role: row.role,
      calls: row.toolCalls === null ? [] : (JSON.parse(row.toolCalls) as ToolCall[]),
      answers:
        row.callUid === null || row.callIndex === null ? null : { callUid: row.callUid, callIndex: row.callIndex },
      hidden: row.displayKind === 'hidden',
    })),
    isReadOnly,
  }
}

/** Writes a verdict down, with the evidence (I8). */
export function applyVerdict(db: WritableDb, admission: AdmissionId, verdict: Verdict, nowMs: number): void {
  const evidence = canonicalJson({ ...verdict, at: nowMs })
  if (verdict.kind === 'requeue') requeue(db, admission, verdict.resume, evidence)
  else if (verdict.kind === 'finished')
    finishUnknown(db, admission, { outcome: 'completed', endReason: 'text_response', evidence }, nowMs)
  else askPerson(db, admission, evidence)
}
