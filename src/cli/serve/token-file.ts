/**
 * `<home>/run/serve-<pid>.json`: how other programs of the same user find a running server and its token (cli.md 2). Only
 * its owner can read it, and it goes when the server does; one that a crash left behind goes at the next start.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ServeFacts {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly pid: number
}

export interface TokenFile {
  readonly path: string
  /** Repeatable. */
  remove(): void
}

/**
 * Writes the file, mode 0600 from its first byte on.
 * @param folder the run folder of the home
 * @throws what the file system says: without this file the server would start in a home that cannot be written
 */
export function writeTokenFile(folder: string, facts: ServeFacts): TokenFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeLeftovers(folder)
  const path = join(folder, `serve-${facts.pid}.json`)
  writeFileSync(path, `${JSON.stringify(facts)}\n`, { mode: 0o600, flag: 'wx' })
  return { path, remove: () => rmSync(path, { force: true }) }
}

function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(/^serve-(\d+)\.json$/.exec(name)?.[1])
    if (Number.isInteger(pid) && (pid === process.pid || !isAlive(pid))) rmSync(join(folder, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // somebody else's process: alive, and not ours to judge
  }
}
