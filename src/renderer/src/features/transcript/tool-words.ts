/** Words and looks of tool rows; pure. */
import type { ToolItem, ToolState } from './items.ts'

interface Look {
  readonly word: string
  readonly shape: 'ring' | 'dot' | 'square' | 'diamond' | 'triangle' | 'bars'
  readonly colour: string
  readonly moving?: true
}

/** One look a state: shape, colour and word, so that colour is never the only sign (U-224). */
export const toolLooks: Readonly<Record<ToolState, Look>> = {
  waiting: { word: 'waiting', shape: 'ring', colour: 'line-strong' },
  approved: { word: 'allowed, running', shape: 'dot', colour: 'warning', moving: true },
  running: { word: 'running', shape: 'dot', colour: 'warning', moving: true },
  done: { word: 'done', shape: 'dot', colour: 'success' },
  failed: { word: 'failed', shape: 'triangle', colour: 'danger' },
  refused: { word: 'refused', shape: 'square', colour: 'danger' },
  not_dispatched: { word: 'not run', shape: 'ring', colour: 'danger' },
  skipped: { word: 'skipped after stop', shape: 'bars', colour: 'line-strong' },
  missing: { word: 'result missing', shape: 'diamond', colour: 'violet' },
  unknown: { word: 'outcome unknown', shape: 'diamond', colour: 'violet' },
}

export const lookOf = ({ state, question }: Pick<ToolItem, 'state' | 'question'>): Look =>
  question === null ? toolLooks[state] : { word: 'waiting for your answer', shape: 'square', colour: 'danger' }

/** Arguments as an object; null when they are not one. */
export function parsedArgs(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** What the call is about, in one line: the command, the path, the pattern. */
export function subjectOf(tool: Pick<ToolItem, 'args'>): string {
  const args = parsedArgs(tool.args)
  if (args === null) return tool.args.slice(0, 200)
  for (const key of ['command', 'path', 'pattern', 'query', 'name', 'url'])
    if (typeof args[key] === 'string') return args[key]
  const first = Object.values(args).find((value) => typeof value === 'string' && value !== '')
  return typeof first === 'string' ? first : ''
}

/** 1400 → `1.4 s`, 20 → `20 ms`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(1, Math.round(ms))} ms`
  const seconds = ms / 1_000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return `${minutes} min ${Math.round(seconds - minutes * 60)} s`
}

/** Characters as a size a person reads. */
export function sizeOf(chars: number): string {
  if (chars < 1_000) return `${chars} chars`
  return chars < 1_000_000
    ? `${(chars / 1_000).toFixed(chars < 10_000 ? 1 : 0)} k chars`
    : `${(chars / 1_000_000).toFixed(1)} M chars`
}

/** The readable part of a result: a terminal's output without its JSON around it. */
export function readableResult(name: string, text: string): { text: string; exitCode: number | null } {
  if (name !== 'terminal') return { text, exitCode: null }
  const parsed = parsedArgs(text)
  if (parsed === null || typeof parsed['output'] !== 'string') return { text, exitCode: null }
  const error = typeof parsed['error'] === 'string' && parsed['error'] !== '' ? `\n${parsed['error']}` : ''
  return {
    text: `${parsed['output']}${error}`,
    exitCode: typeof parsed['exit_code'] === 'number' ? parsed['exit_code'] : null,
  }
}
