/**
 * Regular expressions of a model on a person's files: a pattern that backtracks without end would stop the whole
 * process. V8 looks for interrupts while it backtracks, so the time limit of `node:vm` ends such a match.
 */
import { createContext, Script } from 'node:vm'

/** Longest the event loop is held at once; decisions.md 13 asks for 50 ms. */
const SLICE_MS = 50
/** Given once more before a pattern is called too slow: a busy machine is slow without any backtracking. */
const SECOND_CHANCE_MS = 250

export class TooSlow extends Error {}

const context = createContext({ work: (): void => {} })
const script = new Script('work()')

/** Runs `work` and returns what it gives; throws TooSlow when it does not come to an end. `work` must be repeatable. */
export function bounded<T>(work: () => T): T {
  for (const timeout of [SLICE_MS, SECOND_CHANCE_MS]) {
    let result: { value: T } | undefined
    context['work'] = () => {
      result = { value: work() }
    }
    try {
      script.runInContext(context, { timeout })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    }
    if (result !== undefined) return result.value
  }
  throw new TooSlow('the pattern takes too long on these files (nested repetitions?)')
}

export type LinePattern =
  | { readonly kind: 'pattern'; test(line: string): boolean; readonly literal: string | null }
  | { readonly kind: 'invalid'; readonly reason: string }

/** A JavaScript regular expression that is tried on single lines; a leading `(?i)` ignores case. */
export function linePattern(source: string): LinePattern {
  const ignoreCase = source.startsWith('(?i)')
  const body = ignoreCase ? source.slice(4) : source
  try {
    const expression = new RegExp(body, ignoreCase ? 'i' : '')
    const plain = /^[\w \-/:;,<>=!@#%&"'~`]+$/.test(body) && !ignoreCase
    return { kind: 'pattern', test: (line) => expression.test(line), literal: plain ? body : null }
  } catch (error) {
    return { kind: 'invalid', reason: error instanceof Error ? error.message : String(error) }
  }
}
