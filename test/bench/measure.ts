/** How much work a page does: the processor time of its main thread, which a busy machine lengthens least. */
import type { CDPSession, Page } from '@playwright/test'

export interface Measured {
  readonly id: string
  readonly ours: number
  /** The same by the raw page in the same run; null where the row has no raw twin. */
  readonly floor: number | null
  readonly unit: 'ms' | 'frames' | 'count'
  /** The most of `ours / floor`, or of `ours` itself where there is no floor. */
  readonly goal: number
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value below which `share` of the values lie; the nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export interface Meter {
  readonly page: Page
  /** Milliseconds of the main thread's processor time that `work` costs: script, style, layout and paint. */
  cost(work: () => Promise<unknown>): Promise<number>
}

export async function meterOf(page: Page): Promise<Meter> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    page,
    async cost(work) {
      const before = await spent(session)
      await work()
      return (await spent(session)) - before
    },
  }
}

async function spent(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
}
