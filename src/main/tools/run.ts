/**
 * One call: gate, time limit, handler, result limit (kernel 5). Whatever happens inside, the caller gets exactly one
 * outcome with the honest effect; a handler that answers later than that writes nothing.
 */
import { scrubSurrogates } from '../../shared/text.ts'
import type { ToolOutcome, ToolRunContext } from '../kernel/ports.ts'
import { type GateParts, type GateVerdict, passGate } from './approvals/gate.ts'
import type { ToolContext, ToolDefinition, ToolResult } from './define-tool.ts'
import { type Facts, outcomeOf } from './outcome.ts'
import { fitResult, type ResultStore } from './result-limit.ts'
import { errorText, textForModel } from './result-text.ts'
import { startTimeLimit, type TimeLimit } from './time-limit.ts'

/** Per call, approval wait excluded (kernel 5). Below it, long builds would be cut; above it, a turn looks dead. */
export const CALL_LIMIT_MS = 420_000

/** How long an open question may take to notice that its turn was stopped. */
const GATE_WIND_DOWN_MS = 1_000

export interface RunParts extends GateParts {
  readonly store: ResultStore
  /** UTF-16 units a result may have at the session's context length. */
  readonly resultLimit: number
}

type Ending =
  | { readonly kind: 'refused'; readonly verdict: GateVerdict & { kind: 'refused' } }
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'threw'; readonly error: unknown }

/** Runs one call that has been recorded. Never rejects. */
export async function runTool(
  parts: RunParts,
  tool: ToolDefinition,
  args: unknown,
  outer: ToolRunContext,
): Promise<ToolOutcome> {
  const call = new Call(parts, tool, args, outer)
  if (outer.signal.aborted) {
    return call.outcome('skipped', 'none', 'Skipped: the turn was stopped before this call started.')
  }
  const limitMs = tool.timeLimitMs?.(args) ?? CALL_LIMIT_MS
  const limit = startTimeLimit(parts.clock, limitMs)
  const stop = new AbortController()
  const interrupt = Promise.withResolvers<void>()
  const onAbort = (): void => interrupt.resolve()
  outer.signal.addEventListener('abort', onAbort, { once: true })
  try {
    const work = call.work(limit, stop.signal)
    const first = await Promise.race([
      work,
      limit.spent.then(() => 'time' as const),
      interrupt.promise.then(() => 'interrupt' as const),
    ])
    if (first !== 'time' && first !== 'interrupt') return await call.ended(first)
    stop.abort()
    const why = first === 'time' ? `timed out after ${limitMs / 1000} s` : 'interrupted'
    return await call.cutOff(why, work)
  } finally {
    call.close()
    limit.end()
    stop.abort()
    outer.signal.removeEventListener('abort', onAbort)
  }
}

/** What one call has reached so far. */
class Call {
  readonly #parts: RunParts
  readonly #tool: ToolDefinition
  readonly #args: unknown
  readonly #outer: ToolRunContext
  #started: Facts['started'] = null
  #approval: Facts['approval']
  #open = true

  constructor(parts: RunParts, tool: ToolDefinition, args: unknown, outer: ToolRunContext) {
    this.#parts = parts
    this.#tool = tool
    this.#args = args
    this.#outer = outer
  }

  /** Gate and handler. Rejects never: the ending says what happened. */
  async work(limit: TimeLimit, signal: AbortSignal): Promise<Ending> {
    const { conversation, toolId, cwd } = this.#outer
    const context: ToolContext = {
      conversation,
      toolId,
      cwd,
      signal,
      clock: this.#parts.clock,
      progress: (stream, text) => {
        if (this.#open) this.#outer.progress(stream, text)
      },
      ask: (question) => limit.paused(() => this.#outer.ask(question)),
      waitForPerson: (work) => limit.paused(work),
    }
    const verdict = await passGate(this.#parts, this.#tool, this.#args, context)
    if (verdict.kind === 'refused') return { kind: 'refused', verdict }
    this.#approval = verdict.approval ?? undefined
    // Stopped while the question was open: an answer that crosses the stop starts nothing.
    if (signal.aborted || !this.#open) return { kind: 'threw', error: new Error('stopped before it started') }
    this.#started = { at: this.#parts.clock.now(), monotonic: this.#parts.clock.monotonic() }
    try {
      return { kind: 'result', result: await this.#tool.run(this.#args, context) }
    } catch (error) {
      return { kind: 'threw', error }
    }
  }

  async ended(ending: Ending): Promise<ToolOutcome> {
    switch (ending.kind) {
      case 'refused':
        this.#approval = ending.verdict.approval
        return this.outcome('refused', 'not_executed', errorText(this.#parts.mask(ending.verdict.text)))
      case 'threw': {
        // An exception says nothing about how far a writing handler came.
        const effect = this.#started === null ? 'not_executed' : this.#reads ? 'none' : 'unknown'
        const message = ending.error instanceof Error ? ending.error.message : String(ending.error)
        return this.outcome('failed', effect, errorText(`${this.#tool.name} failed: ${message}`))
      }
      case 'result':
        return await this.#answered(ending.result)
    }
  }

  /** Interrupted or out of time: the handler may clean up for a moment, then the outcome is written without it. */
  async cutOff(why: string, work: Promise<Ending>): Promise<ToolOutcome> {
    if (this.#started === null) {
      this.#open = false
      // A question that was open comes back as denied by the interrupt; that record is the honest one.
      const ending = await Promise.race([work, this.#parts.clock.sleep(GATE_WIND_DOWN_MS)])
      if (ending?.kind === 'refused') return await this.ended(ending)
      return this.outcome(
        'refused',
        'not_executed',
        `${capital(why)} before it was allowed to run; nothing was executed.`,
      )
    }
    const windDownMs = this.#tool.windDownMs ?? 0
    const late = windDownMs > 0 ? await Promise.race([work, this.#parts.clock.sleep(windDownMs)]) : undefined
    const result = late?.kind === 'result' ? late.result : undefined
    const text = `${why}. What it did until then is unknown; check before repeating it.`
    const content = result === undefined ? text : `${text}\n${textForModel(result.content)}`
    return this.outcome('unknown', 'unknown', await this.#fit(content, result?.full), result)
  }

  /** From here on nothing of a late handler is passed on. */
  close(): void {
    this.#open = false
  }

  outcome(outcome: Facts['outcome'], effect: Facts['effect'], content: string, result?: ToolResult): ToolOutcome {
    return outcomeOf(this.#parts.clock, {
      outcome,
      effect,
      content,
      summary: this.#summary(),
      started: this.#started,
      approval: this.#approval,
      exitCode: result?.exitCode,
      cwd: result?.cwd,
      files: result?.files,
    })
  }

  async #answered(result: ToolResult): Promise<ToolOutcome> {
    const effect = result.effect ?? (this.#reads ? 'none' : 'done')
    const outcome = effect === 'unknown' ? 'unknown' : result.failed === true ? 'failed' : 'done'
    return this.outcome(outcome, effect, await this.#fit(textForModel(result.content), result.full), result)
  }

  async #fit(content: string, full: string | undefined): Promise<string> {
    const own = this.#tool.maxResultChars
    const limit =
      own === undefined ? this.#parts.resultLimit : own === Infinity ? own : Math.min(own, this.#parts.resultLimit)
    const readable = full === undefined ? content : scrubSurrogates(full)
    return await fitResult(this.#parts.store, this.#outer.toolId, content, limit, readable)
  }

  #summary(): string {
    try {
      return this.#parts.mask(this.#tool.summarize(this.#args))
    } catch {
      return this.#tool.name
    }
  }

  get #reads(): boolean {
    return this.#tool.effect === 'read' || this.#tool.effect === 'ask'
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
