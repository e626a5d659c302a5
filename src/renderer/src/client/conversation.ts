/**
 * What a window knows of one conversation, as a pure reducer (U-03, U-04, U-57, U-60, U-61): a snapshot, then events in
 * order. A gap, another epoch or an older watermark makes it ask for a new snapshot; it never guesses.
 *
 * Rows are the ledger's, each once, in the ledger's order. What streams is provisional and vanishes the moment its row is
 * recorded, so nothing is ever shown twice.
 */
import type {
  ApprovalRecord,
  DisplayPage,
  DisplayRow,
  HermaEvent,
  OpenRequest,
  QueuedInput,
  SessionSnapshot,
} from '../../../shared/contract/index.ts'
import type { ConversationId, TurnId } from '../../../shared/ids.ts'

/** A call that has started and has no recorded result. */
export interface RunningCall {
  readonly toolId: string
  readonly name: string
  readonly args: string
  readonly startedAt: number
  /** The newest output, raw, at most `OUTPUT_TAIL_CHARS`. */
  readonly output: string
  readonly approval: ApprovalRecord | null
}

export interface LiveTurn {
  readonly turn: TurnId
  /** How many assistant rows this turn has stored: with the turn, the name of what streams now. */
  readonly part: number
  readonly text: string
  readonly reasoning: string
  readonly running: readonly RunningCall[]
  /** Name of a call the model is writing right now. */
  readonly generating: string | null
  readonly startedAt: number
  readonly stopping: boolean
  readonly status: { readonly kind: string; readonly text: string } | null
}

export interface ConversationView {
  readonly conversation: ConversationId
  readonly epoch: string
  /** The last applied event. */
  readonly seq: number
  readonly rows: readonly DisplayRow[]
  readonly hasBefore: boolean
  readonly live: LiveTurn | null
  readonly requests: readonly OpenRequest[]
  readonly queued: readonly QueuedInput[]
  /** What the last turn of this window failed with; goes with the next turn. */
  readonly problem: { readonly message: string; readonly next: string | null } | null
  /** True after a gap: events do not count until a snapshot has come. */
  readonly stale: boolean
  /** Rows that took the place of what streamed, by uid: the same words on screen keep the same element (U-69). */
  readonly streamed: ReadonlyMap<string, string>
  /** How many events moved something that the queue shows; whoever shows it reads it again. */
  readonly queueVersion: number
}

export type ConversationAction =
  | { readonly type: 'snapshot'; readonly snapshot: SessionSnapshot }
  | { readonly type: 'older'; readonly page: DisplayPage }
  | { readonly type: 'queue'; readonly items: readonly QueuedInput[] }
  | { readonly type: 'event'; readonly event: HermaEvent }

/** 200 lines are shown (U-80); this many characters hold them with room to spare. */
export const OUTPUT_TAIL_CHARS = 40_000

export const emptyView = (conversation: ConversationId): ConversationView => ({
  conversation,
  epoch: '',
  seq: 0,
  rows: [],
  hasBefore: false,
  live: null,
  requests: [],
  queued: [],
  problem: null,
  stale: true,
  streamed: new Map(),
  queueVersion: 0,
})

/** The name of what streams now; its stored row is known by it too (`streamed`). */
export const nameOf = (live: LiveTurn): string => `live:${live.turn}:${live.part}`

export function reduce(view: ConversationView, action: ConversationAction): ConversationView {
  switch (action.type) {
    case 'snapshot':
      return fromSnapshot(view, action.snapshot)
    case 'older':
      return { ...view, rows: mergeRows(view.rows, action.page.rows), hasBefore: action.page.has_before }
    case 'queue':
      return { ...view, queued: action.items }
    default:
      return onEvent(view, action.event)
  }
}

/**
 * A snapshot replaces everything but older rows that were read before and end where its page begins. When so much was missed
 * that rows may lie between them, the older ones go: a list with a hole would be a lie (U-61).
 */
function fromSnapshot(view: ConversationView, snapshot: SessionSnapshot): ConversationView {
  const first = snapshot.page.rows[0]
  const meets =
    first === undefined
      ? 0
      : Math.max(
          0,
          view.rows.findIndex((row) => row.uid === first.uid),
        )
  const above = view.rows.slice(0, meets)
  const inflight = snapshot.inflight
  return {
    conversation: view.conversation,
    epoch: snapshot.epoch,
    seq: snapshot.latest_seq,
    rows: [...above, ...snapshot.page.rows],
    hasBefore: above.length > 0 ? view.hasBefore : snapshot.page.has_before,
    live:
      inflight === null
        ? null
        : {
            turn: inflight.turn as TurnId,
            // Events outnumber stored rows, so this name was not used before.
            part: snapshot.latest_seq,
            text: inflight.text,
            reasoning: inflight.reasoning,
            running: inflight.running.map((call) => ({
              toolId: call.tool_id,
              name: call.name,
              args: call.args,
              startedAt: call.started_at,
              output: call.output,
              approval: null,
            })),
            generating: null,
            startedAt: inflight.started_at,
            stopping: inflight.stopping,
            status: inflight.status,
          },
    requests: snapshot.open_requests,
    queued: snapshot.queued.filter((item) => item.status !== 'started'),
    problem: view.problem,
    stale: false,
    streamed: view.streamed,
    queueVersion: view.queueVersion,
  }
}

function onEvent(view: ConversationView, event: HermaEvent): ConversationView {
  if (event.conversation_id !== view.conversation || view.stale) return view
  if (event.epoch !== view.epoch) return { ...view, stale: true }
  if (event.seq <= view.seq) return view
  if (event.seq > view.seq + 1) return { ...view, stale: true }
  return apply({ ...view, seq: event.seq }, event)
}

function apply(view: ConversationView, event: HermaEvent): ConversationView {
  if (event.type === 'message.start') return onStart(view, event.payload, event.turn)
  if (event.type === 'approval.open') {
    const others = view.requests.filter((request) => request.request_id !== event.payload.request_id)
    return { ...view, requests: [...others, event.payload] }
  }
  if (event.type === 'request.cancel')
    return { ...view, requests: view.requests.filter((request) => request.request_id !== event.payload.id) }
  if (event.type === 'session.info' || event.type === 'turn.queued')
    return { ...view, queueVersion: view.queueVersion + 1 }
  if (event.type === 'message.complete') return onComplete(view, event)
  // What belongs to a turn counts only while that turn runs: late deltas of a stopped one are nothing (U-60).
  if (view.live === null || event.turn !== view.live.turn) return view
  return onTurnEvent(view, view.live, event)
}

function onStart(
  view: ConversationView,
  payload: Extract<HermaEvent, { type: 'message.start' }>['payload'],
  turn: TurnId | undefined,
): ConversationView {
  return {
    ...view,
    rows: mergeRows(view.rows, payload.inputs),
    queued: view.queued.filter((item) => item.admission_id !== payload.admission_id),
    problem: null,
    live: {
      turn: turn ?? payload.turn,
      part: 0,
      text: '',
      reasoning: '',
      running: [],
      generating: null,
      startedAt: payload.inputs[0]?.created_at ?? 0,
      stopping: false,
      status: null,
    },
  }
}

function onTurnEvent(view: ConversationView, live: LiveTurn, event: HermaEvent): ConversationView {
  const now = (change: Partial<LiveTurn>): ConversationView => ({ ...view, live: { ...live, ...change } })
  const call = (id: string, change: (call: RunningCall) => RunningCall): ConversationView =>
    now({ running: live.running.map((each) => (each.toolId === id ? change(each) : each)) })
  switch (event.type) {
    case 'message.delta':
      return now({ text: live.text + event.payload.text, status: null })
    case 'reasoning.delta':
      return now({ reasoning: live.reasoning + event.payload.text, status: null })
    case 'tool.generating':
      return now({ generating: event.payload.name })
    case 'message.interim':
      return {
        ...now({ part: live.part + 1, text: '', reasoning: '', generating: null }),
        rows: mergeRows(view.rows, [event.payload.row]),
        streamed: withName(view, event.payload.row),
      }
    case 'tool.start': {
      const { tool_id: toolId, name, args, started_at: startedAt } = event.payload
      const started: RunningCall = { toolId, name, args, startedAt, output: '', approval: null }
      return now({ running: [...live.running, started], generating: null })
    }
    case 'tool.progress':
      return call(event.payload.tool_id, (each) => ({
        ...each,
        output: tailOf(each.output + event.payload.text),
      }))
    case 'tool.approval':
      return call(event.payload.tool_id, (each) => ({ ...each, approval: event.payload.record }))
    case 'tool.complete':
      return {
        ...now({ running: live.running.filter((each) => each.toolId !== event.payload.tool_id) }),
        rows: mergeRows(view.rows, [event.payload.row]),
      }
    case 'status.update':
      return now({ status: event.payload })
    default:
      return view
  }
}

/** The newest output, from the beginning of a line where there is one, so that no colour code is cut in two. */
function tailOf(output: string): string {
  if (output.length <= OUTPUT_TAIL_CHARS) return output
  const from = output.length - OUTPUT_TAIL_CHARS
  const line = output.indexOf('\n', from) + 1
  return output.slice(line === 0 || line === output.length ? from : line)
}

function onComplete(
  view: ConversationView,
  event: Extract<HermaEvent, { type: 'message.complete' }>,
): ConversationView {
  const { payload } = event
  const ending = { end_reason: payload.end_reason, status: payload.status, detail: payload.detail }
  const rows = payload.row === null ? view.rows : mergeRows(view.rows, [payload.row])
  const last = rows.at(-1)
  // A turn without an answer row keeps its ending on its last row, as the ledger does.
  const ended = last === undefined || last.ending !== null ? rows : [...rows.slice(0, -1), { ...last, ending }]
  const streamed = payload.row === null ? view.streamed : withName(view, payload.row)
  return {
    ...view,
    rows: ended,
    live: null,
    streamed,
    problem: payload.error_surface,
    queueVersion: view.queueVersion + 1,
  }
}

const withName = ({ streamed, live }: ConversationView, row: DisplayRow): ReadonlyMap<string, string> =>
  live === null ? streamed : new Map([...streamed, [row.uid, nameOf(live)]])

const comesBefore = (a: DisplayRow, b: DisplayRow): boolean =>
  a.segment_no === b.segment_no ? a.pos < b.pos : a.segment_no < b.segment_no

/** Rows joined by uid, newer facts winning, in the ledger's order. Appending at the end costs nothing more. */
export function mergeRows(rows: readonly DisplayRow[], more: readonly DisplayRow[]): readonly DisplayRow[] {
  if (more.length === 0) return rows
  const last = rows.at(-1)
  const first = more[0]
  if (last !== undefined && first !== undefined && comesBefore(last, first)) return [...rows, ...more]
  const byUid = new Map(rows.map((row) => [row.uid, row]))
  for (const row of more) byUid.set(row.uid, row)
  return [...byUid.values()].sort((a, b) => (comesBefore(a, b) ? -1 : comesBefore(b, a) ? 1 : 0))
}
