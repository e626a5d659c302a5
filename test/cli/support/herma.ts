/** The real command as a process, with a home of its own and an environment that holds nothing else of ours. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { tempFolder } from '../../support/temp-home.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** Another build can be looked at with PROGRAM_UNDER_TEST=<its main/herma.js>. */
const PROGRAM = process.env['PROGRAM_UNDER_TEST'] ?? join(ROOT, 'bin/herma')

export interface Options {
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  /** Sent to standard input, which is then closed. */
  readonly stdin?: string | Buffer
  readonly cwd?: string
  readonly nodeFlags?: readonly string[]
}
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Standard output as one JSON document. */
  json(): unknown
  /** Standard output as JSON lines. */
  lines(): Record<string, unknown>[]
}
export interface Running {
  readonly pid: number
  /** Resolves once the stream holds the text; rejects when the process ends without. */
  printed(text: string, stream?: 'stdout' | 'stderr'): Promise<string>
  kill(signal: NodeJS.Signals): void
  /** As `| head -1` does. */
  closeStdout(): void
  readonly ended: Promise<Ended>
}

export const aHomeFolder = (): string => join(tempFolder(), 'home')

export function startHerma(args: readonly string[], options: Options = {}): Running {
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), PROGRAM, ...args], {
    cwd: options.cwd ?? tempFolder(),
    env: { ...cleanEnvironment(), HERMA_HOME: options.home ?? aHomeFolder(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  // A process that does not want its input may close it first.
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  child.stdin.end(options.stdin ?? '')
  return watch(child)
}

export const runHerma = (args: readonly string[], options: Options = {}): Promise<Ended> =>
  startHerma(args, options).ended

function watch(child: ChildProcess): Running {
  const text = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (piece: string) => {
      text[name] += piece
      for (const check of [...waiting]) check()
    })
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    const { stdout, stderr } = text
    for (const check of [...waiting]) check()
    return {
      code,
      signal,
      stdout,
      stderr,
      json: () => JSON.parse(stdout),
      lines: () =>
        stdout
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
    }
  })
  return {
    pid: child.pid as number,
    printed: (wanted, stream = 'stdout') =>
      new Promise((found, failed) => {
        const check = (): void => {
          if (text[stream].includes(wanted)) found(text[stream])
          else if (child.exitCode === null && child.signalCode === null) return
          else failed(new Error(`ended without "${wanted}"\n${text.stdout}\n${text.stderr}`))
          waiting.delete(check)
        }
        waiting.add(check)
        check()
      }),
    kill: (signal) => void child.kill(signal),
    closeStdout: () => child.stdout?.destroy(),
    ended,
  }
}

/** Keys of the person who runs the tests, and homes of theirs, stay out. */
function cleanEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^HERMA_|_API_KEY$|^NO_COLOR$|^FORCE_COLOR$|^NODE_OPTIONS$|^VITEST/.test(name),
  )
  return { ...Object.fromEntries(kept), HERMA_TEST: '1' }
}
