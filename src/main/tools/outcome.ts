import type { ApprovalRecord, Effect, ToolRecord } from '../../shared/contract/index.ts'
import { previewOf } from '../../shared/text.ts'
import type { Clock } from '../../shared/time.ts'
import type { ToolOutcome } from '../kernel/ports.ts'
import { makeVisible } from './approvals/visible.ts'
import { errorText, textForModel } from './result-text.ts'

/** The facts of a finished call; times are taken here, so that every outcome carries honest ones. */
export interface Facts {
  readonly outcome: ToolRecord['outcome']
  readonly effect: Effect
  readonly content: string
  readonly summary: string
  /** Wall clock and monotonic ms when the handler started; null = it never did. */
  readonly started: { readonly at: number; readonly monotonic: number } | null
  readonly approval?: ApprovalRecord | undefined
  readonly exitCode?: number | null | undefined
  readonly cwd?: string | undefined
  readonly files?: readonly string[] | undefined
}

/** Builds the outcome of a call: text safe for the model, record for the person. Pure but for the clock. */
export function outcomeOf(clock: Clock, facts: Facts): ToolOutcome {
  return {
    content: textForModel(facts.content),
    effect: facts.effect,
    record: {
      outcome: facts.outcome,
      summary: previewOf(makeVisible(facts.summary), 200),
      started_at: facts.started?.at ?? null,
      finished_at: clock.now(),
      duration_ms: facts.started === null ? null : Math.max(0, clock.monotonic() - facts.started.monotonic),
      ...(facts.exitCode === undefined ? {} : { exit_code: facts.exitCode }),
      ...(facts.cwd === undefined ? {} : { cwd: facts.cwd }),
      ...(facts.files === undefined ? {} : { files: [...facts.files] }),
      ...(facts.approval === undefined ? {} : { approval: facts.approval }),
    },
  }
}

/** A call that is answered without running (session-db 5.3). */
export const answeredOutcome = (clock: Clock, content: string, summary: string): ToolOutcome =>
  outcomeOf(clock, {
    outcome: 'not_dispatched',
    effect: 'not_executed',
    content: errorText(content),
    summary,
    started: null,
  })
