/** Rows about whole processes: the command against a bare Node that opens the same file (speed.md 1). */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Pair } from '../../main/host/bench.ts'
import { buildFolder } from '../place.ts'

/** From process start to the first answered read on a filled home. */
export function processPairs(home: string): Pair[] {
  const command = join(buildFolder(), 'main/herma.js')
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  const bare = `const D=require(${JSON.stringify(sqlite)});const d=new D(${JSON.stringify(join(home, 'state.db'))},{readonly:true});d.prepare('select count(*) from conversations').get()`
  const run = (args: string[]): void => {
    const ended = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, HERMA_HOME: home } })
    if (ended.status !== 0) throw new Error(ended.stderr)
  }
  return [
    {
      id: 'host.first_answer',
      runs: 15,
      goal: 2.5,
      ours: () => run([command, 'sessions', 'list', '--limit', '1', '--json']),
      raw: () => run(['-e', bare]),
    },
  ]
}
