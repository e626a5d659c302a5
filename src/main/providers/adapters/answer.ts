/**
 * Puts one streamed chat-completions answer together (kernel 7.5). Servers differ in what they leave out, so a chunk is
 * read as unknown JSON: what has another shape is passed over, nothing throws but the size limit.
 */
import { createHash } from 'node:crypto'
import { scrubSurrogates } from '../../../shared/text.ts'
import type { ModelEvent, ModelResponse, ToolCall } from '../../kernel/ports.ts'
import { type Price, readUsage } from '../usage.ts'

/** UTF-16 units of text, reasoning and arguments together; no model answers 16 million. Beyond it, something is broken. */
export const MAX_ANSWER_UNITS = 16_000_000

export class AnswerTooLarge extends Error {}

type Delta = Extract<ModelEvent, { type: 'text' | 'reasoning' | 'call' }>
type Fields = Record<string, unknown>

interface Slot {
  readonly index: number
  id: string
  name: string
  args: string
}

export interface Answer {
  /** Takes one chunk and says what a person may see of it. Throws `AnswerTooLarge`. */
  take(chunk: unknown): Delta[]
  /** What is held back at the end: half a character whose other half never came. */
  rest(): Delta[]
  /** True when the server sent no text, no reasoning, no call and no reason to end. */
  isEmpty(): boolean
  response(): ModelResponse
}

/** @param model the model asked for; the answer carries the one the server names, if it does */
export function collectAnswer(model: string, price: Price | null): Answer {
  const text = wellFormed('text')
  const reasoning = wellFormed('reasoning')
  const slots: Slot[] = []
  const byIndex = new Map<number, Slot>()
  let units = 0
  let finishReason: string | null = null
  let usage: unknown = null
  let answeredBy = model

  const takeCall = (raw: unknown, position: number): Delta[] => {
    const delta = fields(raw)
    if (delta === null) return []
    const fn = fields(delta['function'])
    const id = string(delta['id'])
    const name = string(fn?.['name'])
    const said = delta['index']
    const index = typeof said === 'number' && Number.isInteger(said) ? said : id !== '' ? slots.length : position
    let slot = byIndex.get(index)
    // Some servers give every complete call the index 0: another id together with a name is another call.
    if (slot === undefined || (id !== '' && name !== '' && slot.id !== '' && id !== slot.id)) {
      slot = { index: slot === undefined ? index : nextIndex(slots), id: '', name: '', args: '' }
      slots.push(slot)
      byIndex.set(index, slot)
    }
    const isNamed = slot.name === '' && name !== ''
    slot.id ||= id
    slot.name ||= name
    const args = fn?.['arguments']
    slot.args += typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args)
    return isNamed ? [{ type: 'call', index: slot.index, name: slot.name }] : []
  }

  return {
    take(raw) {
      const chunk = fields(raw)
      if (chunk === null) return []
      if (string(chunk['model']) !== '') answeredBy = string(chunk['model'])
      usage = chunk['usage'] ?? fields(chunk['x_groq'])?.['usage'] ?? usage
      const choice = fields(list(chunk['choices'])[0])
      if (choice === null) return []
      finishReason = string(choice['finish_reason']) || finishReason
      // `message` instead of `delta`: the whole answer in one piece, from a server that does not stream.
      const delta = fields(choice['delta']) ?? fields(choice['message'])
      if (delta === null) return []
      const content = readContent(delta['content'])
      const thought = string(delta['reasoning_content']) || string(delta['reasoning']) || content.reasoning
      const said = content.text || string(delta['refusal'])
      units += said.length + thought.length + JSON.stringify(delta['tool_calls'] ?? '').length
      if (units > MAX_ANSWER_UNITS) throw new AnswerTooLarge()
      return [
        ...reasoning.push(thought),
        ...text.push(said),
        ...list(delta['tool_calls']).flatMap((call, position) => takeCall(call, position)),
      ]
    },
    rest: () => [...reasoning.flush(), ...text.flush()],
    isEmpty: () => finishReason === null && text.all() === '' && reasoning.all() === '' && slots.length === 0,
    response: () => ({
      text: text.all(),
      reasoning: reasoning.all() === '' ? null : reasoning.all(),
      calls: slots.toSorted((a, b) => a.index - b.index).map((slot, order) => toCall(slot, order)),
      finishReason,
      usage: readUsage(usage, price),
      model: answeredBy,
    }),
  }
}

const nextIndex = (slots: readonly Slot[]): number => Math.max(-1, ...slots.map((slot) => slot.index)) + 1

/** A missing id is made from what the call says, so that a replayed answer gets the same one (kernel 3). */
function toCall(slot: Slot, order: number): ToolCall {
  const args = scrubSurrogates(slot.args)
  const hash = createHash('sha256')
    .update(JSON.stringify([slot.name, args, order]))
    .digest('hex')
  return { id: slot.id === '' ? `call_${hash.slice(0, 24)}` : slot.id, name: slot.name, arguments: args }
}

/** Content is a string, or a list of parts where thinking may stand among the text (Mistral). */
function readContent(content: unknown): { text: string; reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' }
  let text = ''
  let reasoning = ''
  for (const part of list(content)) {
    const piece = fields(part)
    if (piece === null) continue
    text += string(piece['text'])
    const thinking = piece['thinking']
    reasoning +=
      typeof thinking === 'string'
        ? thinking
        : list(thinking)
            .map((item) => string(fields(item)?.['text']))
            .join('')
  }
  return { text, reasoning }
}

/** Joins deltas; a surrogate pair that was cut between two of them is held together, a lone half becomes U+FFFD. */
function wellFormed(type: 'text' | 'reasoning') {
  let whole = ''
  let half = ''
  const emit = (piece: string): Delta[] => {
    if (piece === '') return []
    const text = scrubSurrogates(piece)
    whole += text
    return [{ type, text }]
  }
  return {
    push(piece: string): Delta[] {
      const joined = half + piece
      const last = joined.charCodeAt(joined.length - 1)
      const isHalf = last >= 0xd800 && last <= 0xdbff
      half = isHalf ? joined.slice(-1) : ''
      return emit(isHalf ? joined.slice(0, -1) : joined)
    },
    flush(): Delta[] {
      const piece = half
      half = ''
      return emit(piece)
    },
    all: () => whole,
  }
}

const fields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const string = (value: unknown): string => (typeof value === 'string' ? value : '')
