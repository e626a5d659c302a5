/**
 * The invariants of session-db 7.1 as questions to the file. Each query names the rows that break its rule; a sound
 * database answers all of them with nothing. Used by tests and by `herma doctor --deep`.
 */
import { type ReadableDb, sql } from '../storage/index.ts'

export interface Violation {
  readonly rule: string
  readonly table: string
  readonly key: string
  readonly detail: string
}

interface Question {
  readonly rule: string
  readonly table: string
  readonly detail: string
  /** Selects `key` of each offending row. */
  readonly query: string
}

const QUESTIONS: readonly Question[] = [
  {
    rule: 'I3',
    table: 'session_admissions',
    detail: 'two inputs of one conversation are started at once',
    query: sql`select target_session_id key from session_admissions where status = 'started' and intent <> 'steer' group by 1 having count(*) > 1`,
  },
  {
    rule: 'I4',
    table: 'messages',
    detail: 'a row carries a generation that its conversation never had',
    query: sql`select m.uid key from messages m join sessions s on s.id = m.session_id join conversations c on c.id = s.conversation_id where m.generation > c.runtime_generation`,
  },
  {
    rule: 'I6',
    table: 'messages',
    detail: 'a call of a settled turn has no result',
    query: sql`
      select m.uid || ':' || j.key key from messages m join json_each(m.tool_calls) j
        join session_admissions a on a.admission_id = m.admission_id
      where m.active = 1 and a.status = 'terminal' and a.end_reason is not 'lease_lost'
        and a.end_reason is not 'session_persistence_failed'
        and not exists (select 1 from messages r where r.session_id = m.session_id and r.active = 1 and r.call_uid = m.uid and r.call_index = j.key)`,
  },
  {
    rule: 'I6',
    table: 'messages',
    detail: 'a result has no call',
    query: sql`
      select r.uid key from messages r where r.role = 'tool' and r.active = 1
        and not exists (select 1 from messages m where m.session_id = r.session_id and m.uid = r.call_uid and m.active = 1
          and r.call_index < json_array_length(m.tool_calls))`,
  },
  {
    rule: 'I11',
    table: 'conversations',
    detail: 'the tip is not the newest segment',
    query: sql`select c.id key from conversations c where c.tip_session_id is not (select id from sessions s where s.conversation_id = c.id order by segment_no desc limit 1)`,
  },
  {
    rule: 'I13',
    table: 'sessions',
    detail: 'totals are not the sum of the usage rows',
    query: sql`
      select s.id key from sessions s where s.api_call_count <> coalesce((select sum(api_call_count) from session_model_usage u where u.session_id = s.id), 0)
        or s.output_tokens <> coalesce((select sum(output_tokens) from session_model_usage u where u.session_id = s.id), 0)`,
  },
  {
    rule: 'I14',
    table: 'sessions',
    detail: 'the message count is not the number of active rows',
    query: sql`select s.id key from sessions s where s.message_count <> (select count(*) from messages m where m.session_id = s.id and m.active = 1)`,
  },
  {
    rule: 'I15',
    table: 'messages',
    detail: 'an answer has no bound prompt',
    query: sql`select m.uid key from messages m join sessions s on s.id = m.session_id where m.role = 'assistant' and s.system_prompt_hash is null`,
  },
  {
    rule: 'S-user',
    table: 'messages',
    detail: 'an input stands in the transcript more than once',
    query: sql`select admission_id key from messages where role = 'user' and active = 1 and carried = 0 and admission_id is not null group by admission_id having count(*) > 1`,
  },
]

/** Everything that breaks a rule; at most 20 rows a rule. Reads only. */
export const violations = (db: ReadableDb): Violation[] =>
  QUESTIONS.flatMap(({ query, ...question }) =>
    db.all<{ key: string }>(`${query} limit 20`).map((row) => ({ ...question, key: String(row.key) })),
  )

/** Names of durable writes: each is a fault point before and after. The order is the order of a first turn. */
export const WRITE_NAMES = [
  'migrate.1',
  'identity',
  'recovery.begin',
  'conversation.create',
  'conversation.title',
  'admission.submit',
  'admission.claim',
  'prompt.bind',
  'ledger.user',
  'ledger.answer',
  'ledger.calls',
  'ledger.result',
  'ledger.usage',
  'admission.settle',
  'lease.renew',
  'lease.release',
  'admission.cancel',
  'admission.reject',
  'admission.resolve',
  'heartbeat',
  'recovery.end',
] as const
