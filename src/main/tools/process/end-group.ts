/**
 * Ends a command with everything it started. The command leads its own process group; a descendant that left the group
 * (setsid) is found by its parents before anything is ended, since afterwards it has none.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '../../../shared/time.ts'

/** Time between asking (SIGTERM) and forcing (SIGKILL): enough to flush, short enough for a person who pressed stop. */
export const GRACE_MS = 2_000
const POLL_MS = 50
/** How long the system may take to remove what was killed. */
const REAP_MS = 1_000

/** SIGTERM, grace, SIGKILL. Resolves with whether something is still there. Never rejects. */
export async function endGroup(leader: number, clock: Clock): Promise<'gone' | 'stubborn'> {
  if (process.platform === 'win32') return await endTree(leader)
  const strays = descendantsOf(leader)
  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
    send(-leader, name)
    for (const stray of strays) if (isSame(stray)) send(stray.pid, name)
  }
  const alive = (): boolean => groupLives(leader) || strays.some(isSame)
  const gone = async (withinMs: number): Promise<boolean> => {
    const until = clock.monotonic() + withinMs
    while (alive()) {
      if (clock.monotonic() >= until) return false
      await clock.sleep(POLL_MS)
    }
    return true
  }
  signal('SIGTERM')
  if (await gone(GRACE_MS)) return 'gone'
  signal('SIGKILL')
  return (await gone(REAP_MS)) ? 'gone' : 'stubborn'
}

/** Whether a process of the group is left that is not merely waiting to be reaped. */
export function groupLives(leader: number): boolean {
  if (!send(-leader, 0)) return false
  const table = processTable()
  return table === null || table.some((entry) => entry.group === leader && entry.state !== 'Z')
}

interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly state: string
  /** Start time in ticks: a pid is reused, the pair never is. */
  readonly started: string
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    // EPERM: it is there and belongs to another user (sudo).
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Linux only; null elsewhere, where the group alone has to do. */
function processTable(): readonly ProcessFacts[] | null {
  if (process.platform !== 'linux') return null
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (factsOf(Number(name)) ?? []) : []))
  } catch {
    return null
  }
}

function factsOf(pid: number): ProcessFacts | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name stands in brackets and may hold anything, brackets and blanks included.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const [state = '', parent = '0', group = '0'] = fields
    return { pid, parent: Number(parent), group: Number(group), state, started: fields[19] ?? '' }
  } catch {
    return null // it ended while we looked
  }
}

function descendantsOf(leader: number): readonly ProcessFacts[] {
  const table = processTable() ?? []
  const found: ProcessFacts[] = []
  const open = [leader]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const entry of table) {
      if (entry.parent !== parent || found.includes(entry)) continue
      found.push(entry)
      open.push(entry.pid)
    }
  }
  return found.filter((entry) => entry.group !== leader)
}

const isSame = (known: ProcessFacts): boolean => {
  const now = factsOf(known.pid)
  return now !== null && now.started === known.started && now.state !== 'Z'
}

async function endTree(leader: number): Promise<'gone' | 'stubborn'> {
  return await new Promise((resolve) => {
    const killer = spawn('taskkill', ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    killer.on('error', () => resolve('stubborn'))
    killer.on('exit', (code) => resolve(code === 0 || code === 128 ? 'gone' : 'stubborn'))
  })
}
