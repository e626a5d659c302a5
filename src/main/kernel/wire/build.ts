/**
 * The wire copy (kernel 3): what one request carries, made from committed rows and the frozen prompt, never written
 * back. The same rows give the same bytes; a longer history only adds at the end.
 *
 * Repair happens here and in memory alone: an open call gets an honest stand-in result, an orphan result is left out,
 * neighbouring users are joined. Stored rows stay as they are.
 */
import { scrubSurrogates } from '../../../shared/text.ts'
import type { FrozenPrompt, HistoryRow, ModelRequest, WireCall, WireMessage, WireTool } from '../ports.ts'

export const OUTCOME_UNKNOWN =
  'Outcome unknown: Herma stopped before this call was answered. It may or may not have run. Check the actual state before repeating it.'
export const READ_DID_NOT_FINISH = 'This read did not finish. It changed nothing; it may be repeated.'

/**
 * @param isReadOnly whether a tool's unfinished call is known to have changed nothing
 * @param extra rows of this request alone (a nudge, the budget summary); they are never stored
 */
export function buildRequest(
  prompt: FrozenPrompt,
  rows: readonly HistoryRow[],
  tools: readonly WireTool[],
  isReadOnly: (tool: string) => boolean,
  extra: readonly WireMessage[] = [],
): ModelRequest {
  const messages: WireMessage[] = [{ role: 'system', content: prompt.text }]
  const results = resultsByCall(rows)
  for (const row of rows.toSorted((a, b) => a.pos - b.pos)) {
    if (row.role === 'tool') continue
    if (row.role === 'user') pushUser(messages, row.apiContent ?? row.content)
    else pushAssistant(messages, row, results, isReadOnly)
  }
  for (const message of extra) {
    if (message.role === 'user') pushUser(messages, message.content)
    else messages.push(message)
  }
  return { messages, tools }
}

const keyOf = (callUid: string, index: number): string => `${callUid}:${index}`

/** A result belongs to the call it names; one that names no known call never reaches a provider. */
function resultsByCall(rows: readonly HistoryRow[]): Map<string, string> {
  const results = new Map<string, string>()
  for (const row of rows)
    if (row.role === 'tool' && row.answers !== null)
      results.set(keyOf(row.answers.callUid, row.answers.callIndex), row.content)
  return results
}

function pushUser(messages: WireMessage[], content: string): void {
  const last = messages.at(-1)
  const text = scrubSurrogates(content)
  if (last?.role === 'user') messages[messages.length - 1] = { role: 'user', content: `${last.content}\n\n${text}` }
  else messages.push({ role: 'user', content: text })
}

function pushAssistant(
  messages: WireMessage[],
  row: HistoryRow,
  results: ReadonlyMap<string, string>,
  isReadOnly: (tool: string) => boolean,
): void {
  const text = scrubSurrogates(row.apiContent ?? row.content)
  if (row.calls.length === 0) {
    // Some servers refuse an empty turn in the middle of a conversation (kernel 3, C-09).
    messages.push({ role: 'assistant', content: text === '' ? '(no text)' : text })
    return
  }
  const calls: WireCall[] = row.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name === '' ? 'unnamed' : call.name, arguments: call.arguments },
  }))
  messages.push({ role: 'assistant', content: text === '' ? null : text, tool_calls: calls })
  row.calls.forEach((call, index) => {
    const content =
      results.get(keyOf(row.uid, index)) ?? (isReadOnly(call.name) ? READ_DID_NOT_FINISH : OUTCOME_UNKNOWN)
    messages.push({ role: 'tool', tool_call_id: call.id, content: scrubSurrogates(content) })
  })
}
