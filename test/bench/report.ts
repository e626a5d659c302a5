/** The figures as a table for people or as one JSON value for programs. */
import { cpus, totalmem } from 'node:os'
import type { Measured } from './measure.ts'

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory_gib: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
}

/** `ours / floor`, or `ours` where there is no floor. */
const ratioOf = ({ ours, floor }: Measured): number => (floor === null ? ours : ours / floor)

export function asJson(rows: readonly Measured[], browser: string): string {
  const measured = rows.map((row) => ({ ...row, ratio: ratioOf(row), met: ratioOf(row) <= row.goal }))
  return JSON.stringify({ machine: { ...machine, browser }, rows: measured }, null, 2)
}

export function asTable(rows: readonly Measured[], browser: string): string {
  const cells = [
    ['id', 'ours', 'floor', 'ratio', 'goal', ''],
    ...rows.map((row) => [
      row.id,
      figure(row.ours, row.unit),
      row.floor === null ? '–' : figure(row.floor, row.unit),
      row.floor === null ? '–' : `${ratioOf(row).toFixed(2)} ×`,
      row.floor === null ? `≤ ${figure(row.goal, row.unit)}` : `≤ ${row.goal} ×`,
      verdict(row),
    ]),
  ]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? []
  const lines = cells.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return [`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, Chromium ${browser}`, ...lines].join('\n')
}

function figure(value: number, unit: Measured['unit']): string {
  if (unit !== 'ms') return `${value} ${unit === 'count' ? '' : unit}`.trim()
  return `${value < 10 ? value.toFixed(3) : value.toFixed(1)} ms`
}

function verdict(row: Measured): string {
  const ratio = ratioOf(row)
  if (ratio <= row.goal) return 'met'
  return row.goal === 0 ? 'missed' : `over by ${((ratio / row.goal - 1) * 100).toFixed(0)} %`
}
