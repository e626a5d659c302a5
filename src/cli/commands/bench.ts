/** `herma bench`: our cost beside the raw cost of the same durable work, in one run (cli.md 6). Never asserted in a test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Measured, measure, type Pair, sessionPairs } from '../../main/host/bench.ts'
import { processPairs } from '../bench/process-rows.ts'
import { CommandFailure, EXIT, type ExitCode } from '../exit.ts'
import { table } from '../output.ts'
import type { Invocation } from '../program.ts'
import { wholeNumber } from './sessions.ts'

const CONVERSATIONS = 5_000

export async function bench(it: Invocation, flags: { only?: string; rows: string }): Promise<ExitCode> {
  const messages = wholeNumber('--rows', flags.rows, 1_000_000)
  const folder = await mkdtemp(join(tmpdir(), 'herma-bench-'))
  try {
    it.out.note(`Filling a home with ${messages} messages and ${CONVERSATIONS} conversations …`)
    const sessions = await sessionPairs(folder, { messages, conversations: CONVERSATIONS })
    try {
      const wanted = [...sessions.pairs, ...processPairs(folder)].filter(chosen(flags.only))
      if (wanted.length === 0) throw new CommandFailure(EXIT.usage, `--only ${flags.only} names no measurement.`)
      const rows: Measured[] = []
      for (const pair of wanted) {
        rows.push(await measure(pair))
        if (!it.out.json) it.out.note(`${pair.id} …`)
      }
      print(it, rows)
    } finally {
      sessions.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return EXIT.done
}

/** Whole ids or their first part. */
const chosen = (only: string | undefined) => {
  const names = only?.split(',').map((name) => name.trim())
  return (pair: Pair): boolean =>
    names === undefined || names.some((name) => pair.id === name || pair.id.startsWith(`${name}.`))
}

function print(it: Invocation, rows: readonly Measured[]): void {
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  }
  if (it.out.json) {
    it.out.data({ machine, rows })
    return
  }
  it.out.line(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`)
  const cells = rows.map((row) => [
    row.id,
    row.median_ms.toFixed(3),
    row.raw_ms.toFixed(3),
    `${row.ratio.toFixed(2)} ×`,
    row.goal === null ? '–' : `≤ ${row.goal} ×`,
    row.goal === null || row.ratio <= row.goal ? 'met' : `over by ${((row.ratio / row.goal - 1) * 100).toFixed(0)} %`,
    `${row.spread[0].toFixed(3)}–${row.spread[1].toFixed(3)}`,
    String(row.runs),
  ])
  for (const line of table(['id', 'median ms', 'raw ms', 'ratio', 'goal', '', 'spread ms', 'runs'], cells))
    it.out.line(line)
}
