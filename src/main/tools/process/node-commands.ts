import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CommandExit, CommandSpec, Commands } from './commands.ts'
import { endGroup, groupLives } from './end-group.ts'

/** Turns of the event loop without output after which what a finished command wrote has been read. */
const QUIET_TURNS = 5
/** A background process that keeps writing never goes quiet; a pipe holds less than this many reads. */
const MAX_TURNS = 200

/** Commands as processes of this machine, each leading its own group, with nothing to read on its standard input. */
export const nodeCommands = (shell: string | null): Commands => ({
  run: async (spec) => {
    if (shell === null)
      return { kind: 'not_started', reason: 'no bash was found; on Windows install Git, which brings one' }
    if (spec.signal.aborted) return { kind: 'not_started', reason: 'the call was stopped' }
    let child: ChildProcess
    try {
      child = spawn(shell, ['-c', spec.command], {
        cwd: spec.cwd,
        env: spec.env,
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      })
    } catch (error) {
      return { kind: 'not_started', reason: error instanceof Error ? error.message : String(error) }
    }
    return await follow(child, spec)
  },
})

async function follow(child: ChildProcess, spec: CommandSpec): Promise<CommandExit> {
  let reads = 0
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (bytes: Buffer) => {
      reads++
      spec.onOutput(stream, bytes)
    })
    // A pipe that breaks says nothing about the command; its exit does.
    child[stream]?.on('error', () => {})
  }
  const failed = once(child, 'error').then(([error]) => ({ error: error as Error }))
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const stopped = Promise.withResolvers<'stop'>()
  const onAbort = (): void => stopped.resolve('stop')
  spec.signal.addEventListener('abort', onAbort, { once: true })
  try {
    // `exit`, not `close`: a background process that inherited the pipes would hold `close` back for as long as it lives.
    const first = await Promise.race([ended, failed, stopped.promise])
    if (first === 'stop') {
      const left = child.pid === undefined ? 'gone' : await endGroup(child.pid, spec.clock)
      await drained(() => reads)
      return { kind: 'killed', stubborn: left === 'stubborn' }
    }
    if ('error' in first) return { kind: 'not_started', reason: first.error.message }
    await drained(() => reads)
    const leftBehind = child.pid !== undefined && process.platform !== 'win32' && groupLives(child.pid)
    return first.signal === null
      ? { kind: 'exited', code: first.code ?? 0, signal: null, leftBehind }
      : { kind: 'exited', code: null, signal: first.signal, leftBehind }
  } finally {
    spec.signal.removeEventListener('abort', onAbort)
    child.stdout?.destroy()
    child.stderr?.destroy()
    child.unref()
  }
}

/** Reads what is already in the pipes, without waiting for anyone to close them and without a clock. */
async function drained(reads: () => number): Promise<void> {
  for (let turn = 0, quiet = 0, before = reads(); turn < MAX_TURNS && quiet < QUIET_TURNS; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    quiet = reads() === before ? quiet + 1 : 0
    before = reads()
  }
}
