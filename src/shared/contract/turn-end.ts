/**
 * How a turn can end (kernel 1.5): a closed set, on the wire, on screen and in `--json`. Free text goes to `detail`,
 * never into the reason. `status` says what kind of ending it is.
 */
import { z } from '../schema.ts'

export const TURN_STATUSES = ['complete', 'partial', 'interrupted', 'failed', 'deferred'] as const
export type TurnStatus = (typeof TURN_STATUSES)[number]

const table = {
  text_response: { status: 'complete', label: 'answered' },
  reused_prior_text: { status: 'complete', label: 'answered' },
  partial_stream_recovery: { status: 'partial', label: 'the stream broke off, the text so far is kept' },
  budget_exhausted: { status: 'partial', label: 'iteration budget used up' },
  restart_limit_exceeded: { status: 'partial', label: 'too many restarts in one turn' },
  interrupted_by_user: { status: 'interrupted', label: 'stopped by you' },
  lease_lost: { status: 'interrupted', label: 'another process took over this conversation' },
  watchdog_stall: { status: 'interrupted', label: 'no progress within the limit' },
  shutdown: { status: 'interrupted', label: 'Herma was closing' },
  admission_timeout: { status: 'deferred', label: 'the conversation stayed busy elsewhere' },
  compression_timeout: { status: 'failed', label: 'the summary took too long' },
  compression_deferred: { status: 'deferred', label: 'compression is waiting' },
  compression_exhausted: { status: 'failed', label: 'still too large after compression' },
  overflow_compaction_disabled: { status: 'failed', label: 'too large, and compression is off' },
  handoff_not_actionable: { status: 'complete', label: 'waiting for you' },
  context_budget_exceeded: { status: 'failed', label: 'does not fit the context' },
  guardrail_halt: { status: 'partial', label: 'halted by a guardrail' },
  session_persistence_failed: { status: 'failed', label: 'could not be stored' },
  provider_error: { status: 'failed', label: 'the provider refused the request' },
  auth_failed: { status: 'failed', label: 'the provider rejected the key' },
  billing_blocked: { status: 'failed', label: 'the provider account is out of credit' },
  content_policy_blocked: { status: 'failed', label: 'the provider refused this prompt' },
  retries_exhausted: { status: 'failed', label: 'the provider kept failing' },
  no_response: { status: 'failed', label: 'no response arrived' },
  empty_response_exhausted: { status: 'failed', label: 'the model kept answering nothing' },
  output_truncated: { status: 'partial', label: 'the answer was cut off' },
  tool_args_truncated: { status: 'partial', label: 'a tool call was cut off and not run' },
  invalid_tool_calls: { status: 'partial', label: 'the model kept calling unknown tools' },
  malformed_tool_args: { status: 'failed', label: 'the model kept sending unreadable arguments' },
  local_error: { status: 'failed', label: 'an error inside Herma' },
} as const satisfies Record<string, { status: TurnStatus; label: string }>

export type EndReason = keyof typeof table
export const END_REASONS = Object.keys(table) as readonly EndReason[]
export const endReason = z.enum(END_REASONS as [EndReason, ...EndReason[]])
export const turnStatus = z.enum(TURN_STATUSES)

export const statusOf = (reason: EndReason): TurnStatus => table[reason].status
/** Words for a person; the same on every surface (U-07). */
export const labelOf = (reason: EndReason): string => table[reason].label
