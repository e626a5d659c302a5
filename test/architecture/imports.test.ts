import { expect, test } from 'vitest'
import { crossed } from './arrows.ts'
import { filesBelow, importsOf, targetOf } from './sources.ts'

const sources = filesBelow('src', ['.ts', '.tsx'])

test('[architecture 2] no import crosses an arrow of the table', () => {
  const bent = sources.flatMap((file) =>
    importsOf(file).flatMap((imported) => {
      const rule = crossed(file, imported)
      return rule === null ? [] : [`${file} → ${targetOf(file, imported) ?? imported.specifier} (${rule})`]
    }),
  )
  expect(bent).toEqual([])
})

test('[architecture 2] the walk sees the tree: every folder has sources, and they import each other', () => {
  const edges = sources.flatMap((file) => importsOf(file))
  for (const folder of [
    'shared',
    'main/kernel',
    'main/sessions',
    'main/host',
    'main/rpc',
    'renderer',
    'preload',
    'cli',
  ])
    expect(sources.some((file) => file.startsWith(`src/${folder}/`))).toBe(true)
  expect(edges.length).toBeGreaterThan(sources.length)
})

const load = { typesOnly: false, dynamic: false }
const types = { typesOnly: true, dynamic: false }
test.each<[string, string, typeof load, string | null]>([
  ['src/main/kernel/run-turn.ts', '../sessions/ledger.ts', load, 'src/main/kernel may import src/shared'],
  ['src/main/kernel/run-turn.ts', '../sessions/ledger.ts', types, 'src/main/kernel may import src/shared'],
  ['src/main/kernel/run-turn.ts', 'node:fs', load, 'src/main/kernel runs without node'],
  ['src/main/kernel/stages/finish.ts', '../../../shared/ids.ts', load, null],
  ['src/main/tools/run.ts', '../kernel/ports.ts', types, null],
  [
    'src/main/tools/run.ts',
    '../kernel/ports.ts',
    load,
    'src/main/tools may import src/shared, and types of src/main/kernel/ports.ts',
  ],
  [
    'src/main/tools/run.ts',
    '../kernel/state.ts',
    types,
    'src/main/tools may import src/shared, and types of src/main/kernel/ports.ts',
  ],
  [
    'src/main/sessions/leases.ts',
    '../board/apply.ts',
    load,
    'src/main/sessions may import src/shared, src/main/storage',
  ],
  ['src/main/sessions/leases.ts', 'better-sqlite3', types, 'better-sqlite3 belongs to src/main/storage'],
  [
    'src/cli/commands/chat.ts',
    '../../main/app/index.ts',
    load,
    'src/cli may import src/shared, src/main/host, src/main/rpc',
  ],
  ['src/main/host/index.ts', 'electron', load, 'electron belongs to src/main/app, src/preload'],
  ['src/renderer/src/main.tsx', '../../main/host/index.ts', types, 'src/renderer may import src/shared'],
  ['src/renderer/src/main.tsx', 'node:path', load, 'src/renderer runs without node'],
  ['src/shared/ids.ts', 'react', load, 'react belongs to src/renderer'],
  ['src/main/new/thing.ts', 'yaml', load, 'src/main/new/thing.ts is in no folder of the table'],
  ['src/shared-too/a.ts', 'yaml', load, 'src/shared-too/a.ts is in no folder of the table'],
])('[architecture 2] %s → %s (%o)', (file, specifier, how, rule) => {
  expect(crossed(file, { specifier, ...how })).toBe(rule)
})
