/** What is to be done with a batch of calls (kernel 5): pure, in call order, one entry a call. */
import type { PlannedCall, Prepared, ToolCall } from '../ports.ts'

export type BatchFault = 'none' | 'all_unknown' | 'bad_arguments' | 'truncated_arguments'

export interface BatchPlan {
  readonly calls: readonly PlannedCall[]
  readonly fault: BatchFault
}

/**
 * @param prepare parses one call; calls it answers itself never run
 *
 * A truncated call poisons the whole batch: nothing of it runs, since the model did not finish saying it. Unknown names
 * are a fault only when no call of the batch is known (mixed batches run what is valid).
 */
export function planCalls(calls: readonly ToolCall[], prepare: (call: ToolCall) => Prepared): BatchPlan {
  const prepared = calls.map((call) => prepare(call))
  const planned = prepared.map((result, index): PlannedCall => {
    const call = calls[index] as ToolCall
    return result.kind === 'run'
      ? { kind: 'run', index, call, args: result.args }
      : { kind: 'answered', index, call, outcome: result.outcome }
  })
  const whys = prepared.flatMap((result) => (result.kind === 'answered' ? [result.why] : []))
  const fault: BatchFault = whys.includes('truncated_arguments')
    ? 'truncated_arguments'
    : whys.length > 0 && whys.every((why) => why === 'unknown_tool') && whys.length === calls.length
      ? 'all_unknown'
      : whys.includes('bad_arguments')
        ? 'bad_arguments'
        : 'none'
  return { calls: planned, fault }
}

/** Consecutive calls that may run side by side form one segment; everything else is a segment of its own. */
export function segmentsOf(calls: readonly PlannedCall[], isParallel: (tool: string) => boolean): PlannedCall[][] {
  const segments: PlannedCall[][] = []
  let previousParallel = false
  for (const call of calls) {
    if (call.kind === 'answered') continue
    const parallel = isParallel(call.call.name)
    if (parallel && previousParallel) segments.at(-1)?.push(call)
    else segments.push([call])
    previousParallel = parallel
  }
  return segments
}
