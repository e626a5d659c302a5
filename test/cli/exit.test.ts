import { expect, test } from 'vitest'
import { EXIT, exitCodeOf, failureOf } from '../../src/cli/exit.ts'
import { END_REASONS, refusal, statusOf } from '../../src/shared/contract/index.ts'

test('[cli 1] 0 belongs to complete turns alone, and every other ending has a code that is not 0', () => {
  for (const end_reason of END_REASONS)
    expect([end_reason, exitCodeOf({ end_reason, detail: null }, false) === EXIT.done]).toEqual([
      end_reason,
      statusOf(end_reason) === 'complete',
    ])
})

test.each([
  ['auth_failed', null, 78],
  ['billing_blocked', null, 78],
  ['provider_error', 'model_not_found', 78],
  ['retries_exhausted', 'rate_limit', 75],
  ['retries_exhausted', 'network', 1],
  ['content_policy_blocked', null, 1],
  ['partial_stream_recovery', null, 1],
] as const)('[cli 2] %s (%s) ends the process with %i', (end_reason, detail, code) => {
  expect(exitCodeOf({ end_reason, detail }, false)).toBe(code)
})

test('[cli 1] a stopped turn is 130, but one that was complete before the stop came is done', () => {
  expect(exitCodeOf({ end_reason: 'interrupted_by_user', detail: null }, true)).toBe(130)
  expect(exitCodeOf({ end_reason: 'retries_exhausted', detail: 'rate_limit' }, true)).toBe(130)
  expect(exitCodeOf({ end_reason: 'text_response', detail: null }, true)).toBe(0)
})

test('[cli 1] bad input is usage, every other refusal has failed', () => {
  expect(failureOf(refusal('invalid_params', 'no', { next: 'yes' }))).toMatchObject({ code: 2, next: 'yes' })
  expect(failureOf(refusal('session_in_use', 'no'))).toMatchObject({ code: 1, message: 'no', next: null })
})
