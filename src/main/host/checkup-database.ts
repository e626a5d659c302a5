/** The part of the check-up that needs the database engine; loaded by the question that asks for it. */
import { STAGES } from '../kernel/index.ts'
import { countConversations, violations, WRITE_NAMES } from '../sessions/index.ts'
import { assertSafeSqlite, sqliteVersion } from '../storage/index.ts'
import type { Violation } from './checkup.ts'
import type { Home } from './home.ts'
import { readingHome } from './reading.ts'

/** @throws StorageError for a version that can damage a file */
export function engine(): string {
  const version = sqliteVersion()
  assertSafeSqlite(version)
  return version
}

/** @throws Error with what SQLite found, or why the file cannot be read */
export async function database(home: Home, deep: boolean): Promise<{ detail: string; violations: Violation[] }> {
  const check = deep ? 'integrity_check' : 'quick_check'
  const read = await readingHome(home, (db) => {
    const answer = db.all<Record<string, string>>(`pragma ${check}(5)`).map((row) => row[check])
    if (answer.join() !== 'ok') throw new Error(answer.join('; '))
    const total = [false, true].reduce((sum, archived) => sum + countConversations(db, { archived }), 0)
    return { detail: `${check}: ok, ${total} conversations`, violations: deep ? violations(db) : [] }
  })
  if (!read.ok) throw new Error(read.refusal.message)
  return read.value ?? { detail: 'none yet', violations: [] }
}

/** Every durable write has a point before and after it, every stage one before it (cli.md 5). */
export const faultPoints = (): string[] => [
  ...WRITE_NAMES.flatMap((name) => [`${name}.before`, `${name}.after`]),
  ...['prologue', ...STAGES.map(([name]) => name)].map((name) => `stage.${name}.before`),
  ...['budget-summary', 'close-tail', 'settle'].map((name) => `finalize.${name}.before`),
]
