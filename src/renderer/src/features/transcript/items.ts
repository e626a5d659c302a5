/**
 * What the list shows, computed from rows (U-57, U-78, U-81, U-82): calls with their results in call order, adjacent
 * finished reads folded, an ending where a turn did not simply answer. Pure; equal rows give equal keys.
 */
import type { DisplayCall, DisplayRow, Effect, OpenRequest, TurnEnding } from '../../../../shared/contract/index.ts'
import type { ConversationView, RunningCall } from '../../client/conversation.ts'

export type ToolState =
  | 'waiting'
  | 'approved'
  | 'running'
  | 'done'
  | 'failed'
  | 'refused'
  | 'not_dispatched'
  | 'skipped'
  | 'missing'
  | 'unknown'

export interface ToolItem {
  readonly kind: 'tool'
  readonly key: string
  readonly toolId: string
  readonly name: string
  readonly args: string
  readonly argsCut: boolean
  readonly state: ToolState
  readonly result: DisplayRow | null
  readonly running: RunningCall | null
  /** The open question about this call: it waits for the person and for nothing else. */
  readonly question: OpenRequest | null
  readonly caller: DisplayRow
  readonly callIndex: number
}

export type Item =
  | { readonly kind: 'user'; readonly key: string; readonly row: DisplayRow }
  | { readonly kind: 'assistant'; readonly key: string; readonly row: DisplayRow; readonly head: boolean }
  | { readonly kind: 'notice'; readonly key: string; readonly row: DisplayRow }
  | { readonly kind: 'summary'; readonly key: string; readonly row: DisplayRow }
  | ToolItem
  | { readonly kind: 'fold'; readonly key: string; readonly tools: readonly ToolItem[] }
  | { readonly kind: 'ending'; readonly key: string; readonly ending: TurnEnding }

const READS = new Set(['read_file', 'search_files', 'session_search', 'skills_list', 'skill_view'])

/** What of a turn in progress shows among the stored rows; null when the chat is idle. */
export interface TurnSoFar {
  readonly running: readonly RunningCall[]
  readonly requests: readonly OpenRequest[]
}

/** The part of a view that changes rows: deltas of text are not in it. */
export const turnSoFar = ({ live, requests }: Pick<ConversationView, 'live' | 'requests'>): TurnSoFar | null =>
  live === null ? null : { running: live.running, requests }

/**
 * Items of stored rows. Calls that run right now are in place among their siblings.
 * @param now the turn that runs; rows before the person's last message are settled whatever runs
 */
export function itemsOf(rows: readonly DisplayRow[], now: TurnSoFar | null): Item[] {
  const results = new Map<string, DisplayRow>()
  for (const row of rows) if (row.result !== null) results.set(`${row.result.call_uid}:${row.result.call_index}`, row)
  const running = new Map(now?.running.map((call) => [call.toolId, call]) ?? [])
  const questions = new Map(now?.requests.map((request) => [request.tool_id, request]) ?? [])
  const asked = rows.findLastIndex((row) => row.role === 'user')
  const items: Item[] = []
  let previous: DisplayRow | null = null
  for (const [index, row] of rows.entries()) {
    if (row.role === 'user') items.push({ kind: 'user', key: row.uid, row })
    else if (row.kind === 'summary') items.push({ kind: 'summary', key: row.uid, row })
    else if (row.role === 'assistant')
      pushAssistant(items, row, previous, { results, running, questions, live: now !== null && index > asked })
    else if (row.role !== 'tool') items.push({ kind: 'notice', key: row.uid, row })
    if (row.ending !== null && row.ending.status !== 'complete')
      items.push({ kind: 'ending', key: `${row.uid}:ending`, ending: row.ending })
    if (row.role !== 'tool') previous = row
  }
  return foldReads(items)
}

interface Around {
  readonly results: ReadonlyMap<string, DisplayRow>
  readonly running: ReadonlyMap<string, RunningCall>
  readonly questions: ReadonlyMap<string, OpenRequest>
  readonly live: boolean
}

function pushAssistant(items: Item[], row: DisplayRow, previous: DisplayRow | null, around: Around): void {
  const head = previous?.role !== 'assistant'
  // The first row of an answer names who speaks, even when it only calls.
  if (row.text !== '' || row.reasoning !== null || head)
    items.push(
      row.finish_reason === 'closed_by_herma'
        ? { kind: 'notice', key: row.uid, row }
        : { kind: 'assistant', key: row.uid, row, head },
    )
  for (const call of row.calls) items.push(toolItem(row, call, around))
}

function toolItem(row: DisplayRow, call: DisplayCall, around: Around): ToolItem {
  const toolId = `${row.uid}:${call.index}`
  const result = around.results.get(toolId) ?? null
  const running = around.running.get(toolId) ?? null
  const question = result === null ? (around.questions.get(toolId) ?? null) : null
  return {
    kind: 'tool',
    key: toolId,
    toolId,
    name: call.name,
    args: call.arguments,
    argsCut: call.arguments_size > call.arguments.length,
    state: question === null ? stateOf(result, running, around.live) : 'waiting',
    result,
    running,
    question,
    caller: row,
    callIndex: call.index,
  }
}

/** Rows from elsewhere, or written after a crash, have no record of their own. */
const WITHOUT_RECORD: Readonly<Record<Effect, ToolState>> = {
  none: 'done',
  done: 'done',
  unknown: 'unknown',
  not_executed: 'not_dispatched',
}

/** A call whose result never came says so and never spins for ever (U-81). */
function stateOf(result: DisplayRow | null, running: RunningCall | null, live: boolean): ToolState {
  if (result !== null) return result.result?.record?.outcome ?? WITHOUT_RECORD[result.result?.effect ?? 'none']
  if (running !== null) return running.approval === null || running.approval.choice === 'deny' ? 'running' : 'approved'
  return live ? 'waiting' : 'missing'
}

/** Two or more finished reads side by side become one line; anything that failed, wrote or asked stays visible (U-82). */
function foldReads(items: readonly Item[]): Item[] {
  const folded: Item[] = []
  let group: ToolItem[] = []
  const close = (): void => {
    if (group.length > 1) folded.push({ kind: 'fold', key: `fold:${group[0]?.key}`, tools: group })
    else folded.push(...group)
    group = []
  }
  for (const item of items) {
    if (
      item.kind === 'tool' &&
      item.state === 'done' &&
      READS.has(item.name) &&
      item.result?.result?.record?.approval === undefined
    )
      group.push(item)
    else {
      close()
      folded.push(item)
    }
  }
  close()
  return folded
}

/** Two computations of one item show the same. */
export function isSameItem(a: Item, b: Item): boolean {
  if (a.kind !== b.kind || a.key !== b.key) return false
  if (a.kind === 'tool' && b.kind === 'tool') return isSameTool(a, b)
  if (a.kind === 'fold' && b.kind === 'fold')
    return a.tools.length === b.tools.length && a.tools.every((tool, at) => isSameTool(tool, b.tools[at] ?? null))
  if (a.kind === 'ending' && b.kind === 'ending')
    return a.ending.end_reason === b.ending.end_reason && a.ending.detail === b.ending.detail
  if (a.kind === 'assistant' && b.kind === 'assistant' && a.head !== b.head) return false
  return 'row' in a && 'row' in b && a.row === b.row
}

export const isSameTool = (a: ToolItem, b: ToolItem | null): boolean =>
  a.key === b?.key &&
  a.state === b.state &&
  a.result === b.result &&
  a.running === b.running &&
  a.question === b.question

/** `12 reads, 3 searches` */
export function foldLabel(tools: readonly ToolItem[]): string {
  const searches = tools.filter((tool) => tool.name.includes('search')).length
  const reads = tools.length - searches
  const part = (n: number, one: string, many: string): string[] => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`])
  return [...part(reads, 'read', 'reads'), ...part(searches, 'search', 'searches')].join(', ')
}
