/** Exit codes (cli.md 1), one table for every verb. */
import type { EndReason, Refusal } from '../shared/contract/index.ts'
import { statusOf } from '../shared/contract/turn-end.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, rateLimited: 75, rejected: 78, interrupted: 130 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A verb that ends early, with words for a person; the outermost handler prints them and sets the code. */
export class CommandFailure extends Error {
  readonly code: ExitCode
  readonly next: string | null
  constructor(code: ExitCode, message: string, next: string | null = null) {
    super(message)
    this.name = 'CommandFailure'
    this.code = code
    this.next = next
  }
}

/** Bad input is usage; everything else that a call refuses has failed. */
export const failureOf = (refusal: Refusal): CommandFailure =>
  new CommandFailure(
    refusal.code === 'invalid_params' ? EXIT.usage : EXIT.failed,
    refusal.message,
    refusal.next ?? null,
  )

/** What scripts can mend in a configuration and not by waiting (kanban 4.6 trips on it at once). */
const REJECTED: ReadonlySet<EndReason> = new Set(['auth_failed', 'billing_blocked', 'provider_error'])

/** How a process ends after a turn: by its status, with the codes of their own that scripts ask for. */
export function exitCodeOf(ending: { end_reason: EndReason; detail: string | null }, stopped: boolean): ExitCode {
  if (statusOf(ending.end_reason) === 'complete') return EXIT.done
  if (stopped) return EXIT.interrupted
  if (REJECTED.has(ending.end_reason)) return EXIT.rejected
  if (ending.end_reason === 'retries_exhausted' && ending.detail === 'rate_limit') return EXIT.rateLimited
  return EXIT.failed
}
