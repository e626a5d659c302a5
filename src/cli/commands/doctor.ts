/**
 * `herma doctor`: asks what can be asked without changing anything. Exit 1 when a check fails.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { Config } from '../../main/host/config/config.ts'
import { stateFile } from '../../main/host/home.ts'
import { STAGES } from '../../main/kernel/index.ts'
import { readSessions, violations, WRITE_NAMES } from '../../main/sessions/index.ts'
import { assertSafeSqlite, sqliteVersion } from '../../main/storage/index.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { homeOf, screensFolder } from '../place.ts'
import type { Invocation } from '../program.ts'
import { VERSION } from '../version.ts'

interface Check {
  readonly id: string
  readonly ok: boolean
  readonly detail: string
}

/** A check is a question whose answer is a sentence; a throw is a failed check with its words. */
function ask(id: string, question: () => string): Check {
  try {
    return { id, ok: true, detail: question() }
  } catch (error) {
    return { id, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

export async function doctor(it: Invocation, flags: { deep?: boolean }): Promise<ExitCode> {
  const home = homeOf(it)
  const file = stateFile(home)
  const exists = statSync(file, { throwIfNoEntry: false }) !== undefined
  const found: { rule: string; table: string; key: string; detail: string }[] = []
  const checks: Check[] = [
    ask('node', () => {
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
      if (major < 22 || (major === 22 && minor < 15))
        throw new Error(`Node ${process.version} is too old; 22.15 or newer is needed.`)
      return process.version
    }),
    ask('sqlite', () => {
      const version = sqliteVersion()
      assertSafeSqlite(version)
      return version
    }),
    ask('home', () => {
      const there = statSync(home.path, { throwIfNoEntry: false }) !== undefined
      if (there) accessSync(home.path, constants.W_OK)
      return there ? home.path : `${home.path} (made with the first conversation)`
    }),
    ask('config', () => {
      const notices = new Config(home).notices()
      if (notices.length > 0) throw new Error(notices.join(' '))
      return 'fine'
    }),
    ask('database', () => {
      if (!exists) return 'none yet'
      const db = readSessions(file)
      try {
        const check = flags.deep === true ? 'integrity_check' : 'quick_check'
        const answer = db
          .all<Record<string, string>>(`pragma ${check}(5)`)
          .map((row) => row[check])
          .join('; ')
        if (answer !== 'ok') throw new Error(answer)
        if (flags.deep === true) found.push(...violations(db))
        return `${check}: ok, ${db.get<{ n: number }>('select count(*) n from messages')?.n ?? 0} messages`
      } finally {
        db.close()
      }
    }),
    ask('screens', () => {
      const index = join(screensFolder(), 'index.html')
      if (statSync(index, { throwIfNoEntry: false }) === undefined)
        throw new Error('the screens are not built; run `npm run build`')
      return 'built'
    }),
  ]
  const ok = checks.every((check) => check.ok) && found.length === 0
  if (it.out.json) it.out.data({ ok, version: VERSION, checks, violations: found, fault_points: faultPoints() })
  else {
    for (const check of checks) it.out.line(`${check.ok ? 'ok  ' : 'FAIL'} ${check.id.padEnd(9)} ${check.detail}`)
    for (const violation of found)
      it.out.line(`FAIL ${violation.rule} ${violation.table} ${violation.key}: ${violation.detail}`)
  }
  return ok ? EXIT.done : EXIT.failed
}

/** Every durable write has a point before and after it, every stage one before it (cli.md 5). */
const faultPoints = (): string[] => [
  ...WRITE_NAMES.flatMap((name) => [`${name}.before`, `${name}.after`]),
  ...['prologue', ...STAGES.map(([name]) => name)].map((name) => `stage.${name}.before`),
  ...['budget-summary', 'close-tail', 'settle'].map((name) => `finalize.${name}.before`),
]
