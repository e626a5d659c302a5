/** Two kinds of the same work in turn, A B A B …, so that a drifting machine moves both (cli.md 6). */
import { performance } from 'node:perf_hooks'

export interface Measured {
  readonly id: string
  readonly median_ms: number
  readonly raw_ms: number
  readonly ratio: number
  /** Quarter to three quarters of our runs, ms. */
  readonly spread: readonly [number, number]
  readonly runs: number
  /** At most this many times raw (speed.md); null = none is set. */
  readonly goal: number | null
}

export interface Pair {
  readonly id: string
  readonly runs: number
  readonly goal: number | null
  /** One unit of our work. */
  readonly ours: () => unknown
  /** The same facts, bare. */
  readonly raw: () => unknown
  /** Units in one call of `ours` and `raw`; figures are given per unit. */
  readonly units?: number
}

const WARM_UP = 3

export async function measure(pair: Pair): Promise<Measured> {
  const units = pair.units ?? 1
  const time = async (work: () => unknown): Promise<number> => {
    const started = performance.now()
    await work()
    return (performance.now() - started) / units
  }
  for (let i = 0; i < WARM_UP; i++) {
    await pair.ours()
    await pair.raw()
  }
  const ours: number[] = []
  const raw: number[] = []
  for (let i = 0; i < pair.runs; i++) {
    ours.push(await time(pair.ours))
    raw.push(await time(pair.raw))
  }
  const median_ms = quantile(ours, 0.5)
  const raw_ms = quantile(raw, 0.5)
  return {
    id: pair.id,
    median_ms,
    raw_ms,
    ratio: median_ms / raw_ms,
    spread: [quantile(ours, 0.25), quantile(ours, 0.75)],
    runs: pair.runs,
    goal: pair.goal,
  }
}

function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? 0
}
