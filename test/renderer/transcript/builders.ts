/** Rows, calls and events by their domain names; a test changes what it is about. */
import type {
  ApprovalRequest,
  DisplayRow,
  EventPayload,
  EventType,
  HermaEvent,
  SessionSnapshot,
  ToolRecord,
} from '../../../src/shared/contract/index.ts'
import { DEFAULT_PROFILE } from '../../../src/shared/ids.ts'
import { aMessage, aRow, conversation } from '../frame/builders.ts'

export const CHAT = conversation('c1')
export const EPOCH = 'epoch-1'

export const aUserRow = (pos: number, text = `question ${pos}`): DisplayRow =>
  aMessage({ uid: `m${pos}` as never, pos, text, text_size: text.length })

export const anAnswer = (pos: number, text = `answer ${pos}`, change: Partial<DisplayRow> = {}): DisplayRow =>
  aMessage({ uid: `m${pos}` as never, pos, role: 'assistant', text, text_size: text.length, ...change })

/** An assistant row that calls `names`, in order. */
export const aCaller = (pos: number, names: readonly string[], text = ''): DisplayRow =>
  anAnswer(pos, text, {
    calls: names.map((name, index) => ({
      index,
      tool_call_id: `call_${index}`,
      name,
      arguments: '{"path":"a.txt"}',
      arguments_size: 16,
    })),
  })

export const aRecord = (change: Partial<ToolRecord> = {}): ToolRecord => ({
  outcome: 'done',
  summary: 'done',
  started_at: 1_700_000_000_000,
  finished_at: 1_700_000_001_000,
  duration_ms: 1_000,
  ...change,
})

/** The result of call `index` of `caller`. */
export const aResult = (
  pos: number,
  caller: DisplayRow,
  index = 0,
  record: ToolRecord | null = aRecord(),
  text = 'the result',
): DisplayRow =>
  aMessage({
    uid: `m${pos}` as never,
    pos,
    role: 'tool',
    text,
    text_size: text.length,
    result: {
      call_uid: caller.uid,
      call_index: index,
      tool_call_id: `call_${index}`,
      name: caller.calls[index]?.name ?? 'terminal',
      effect: 'done',
      record,
    },
  })

export const aQuestion = (change: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  request_id: 'r1',
  kind: 'approval',
  conversation_id: CHAT,
  session_id: 'c1' as never,
  tool_id: 'm2:0',
  tool: 'terminal',
  subject: 'rm -rf build',
  cwd: '/home/ada/shop',
  reason: 'It deletes files.',
  rule: 'rm',
  always_rule: 'terminal: rm -rf build',
  asked_at: 1_700_000_000_000,
  deadline: 1_700_000_300_000,
  ...change,
})

export const anEvent = <T extends EventType>(
  seq: number,
  type: T,
  payload: EventPayload<T>,
  change: Partial<HermaEvent> = {},
): HermaEvent =>
  ({
    type,
    payload,
    profile: DEFAULT_PROFILE,
    session_id: CHAT,
    conversation_id: CHAT,
    epoch: EPOCH,
    seq,
    turn: 't1',
    ...change,
  }) as unknown as HermaEvent

export const aStart = (inputs: readonly DisplayRow[], turn = 't1'): EventPayload<'message.start'> => ({
  turn: turn as never,
  admission_id: null,
  inputs: [...inputs],
  model: 'demo',
  provider: 'demo',
})

export const anEnd = (
  row: DisplayRow | null,
  change: Partial<EventPayload<'message.complete'>> = {},
): EventPayload<'message.complete'> => ({
  text: row?.text ?? '',
  end_reason: 'text_response',
  status: 'complete',
  detail: null,
  usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: null, reasoning_tokens: null, cost_usd: null },
  server_message_id: row?.uid ?? null,
  row,
  undelivered: [],
  error_surface: null,
  cleanup_errors: [],
  ...change,
})

export const aSnapshot = (rows: readonly DisplayRow[], change: Partial<SessionSnapshot> = {}): SessionSnapshot => ({
  conversation: aRow({ conversation_id: CHAT }),
  page: { rows: [...rows], has_before: false, has_after: false, total: rows.length },
  inflight: null,
  queued: [],
  open_requests: [],
  latest_seq: 0,
  epoch: EPOCH,
  ...change,
})
