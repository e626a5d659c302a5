import { constants } from 'node:os'
import { resolve } from 'node:path'
import { z } from '../../../shared/schema.ts'
import { previewOf } from '../../../shared/text.ts'
import type { Clock } from '../../../shared/time.ts'
import type { CommandAssessor } from '../approvals/assess-command.ts'
import { defineTool, type ToolContext, type ToolDefinition, type ToolResult } from '../define-tool.ts'
import type { Files } from '../files/files.ts'
import { collectOutput } from '../process/collect-output.ts'
import type { CommandExit, Commands } from '../process/commands.ts'
import { liveOutput } from '../process/live-output.ts'
import { commandEnv, type SecretMask } from '../process/secrets.ts'
import { startTimeLimit } from '../time-limit.ts'
import { filePath } from './path-argument.ts'

const DEFAULT_SECONDS = 180
/** Longer work belongs in the background, where a turn does not wait for it. */
const MAX_SECONDS = 600
/** What ending a process group may take beyond the command's own limit: grace, force, reading the rest. */
const ENDING_MS = 10_000

const schema = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(100_000)
    .refine((command) => !command.includes('\0'), 'has a NUL character')
    .describe('Bash command line. Standard input is closed.'),
  timeout: z
    .number()
    .positive()
    .max(MAX_SECONDS, `at most ${MAX_SECONDS} seconds in the foreground`)
    .default(DEFAULT_SECONDS)
    .describe('Seconds until the command and all it started are ended.'),
  workdir: filePath('Folder to run in; the working folder when left out.').optional(),
})

export interface TerminalParts {
  readonly commands: Commands
  readonly files: Files
  readonly assess: CommandAssessor
  readonly secrets: SecretMask
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Runs one command in the foreground. */
export const terminal = (parts: TerminalParts): ToolDefinition =>
  defineTool<z.infer<typeof schema>>({
    name: 'terminal',
    toolset: 'terminal',
    description:
      'Run a bash command and wait for it. Returns JSON {output, exit_code, error}; stdout and stderr come together, long output as head and tail. Destructive commands ask the person first.',
    schema,
    effect: 'exec',
    parallel: 'barrier',
    timeLimitMs: ({ timeout }) => timeout * 1000 + ENDING_MS,
    windDownMs: 4_000,
    summarize: ({ command }) => previewOf(command, 160),
    gate: async ({ command, workdir }, { cwd }) =>
      parts.assess({ command, cwd: workdir === undefined ? cwd : resolve(cwd, workdir), workspace: cwd }),
    run: (args, context) => runCommand(parts, args, context),
  })

async function runCommand(
  parts: TerminalParts,
  { command, timeout, workdir }: z.infer<typeof schema>,
  context: ToolContext,
): Promise<ToolResult> {
  const { clock } = context
  const cwd = workdir === undefined ? context.cwd : resolve(context.cwd, workdir)
  if ((await parts.files.look(cwd))?.kind !== 'folder') {
    return notStarted(`${cwd} is not a folder, so nothing was run.`, cwd)
  }
  const output = collectOutput()
  const live = liveOutput(clock, parts.secrets, context.progress)
  const limit = timeoutSignal(clock, timeout * 1000, context.signal)
  try {
    const exit = await parts.commands.run({
      command,
      cwd,
      env: commandEnv(parts.env),
      signal: limit.signal,
      clock,
      onOutput: (stream, bytes) => output.add(live.add(stream, bytes)),
    })
    live.end()
    return result(
      exit,
      output.text(parts.secrets.mask),
      cwd,
      limit.timedOut() ? `timed out after ${timeout} s` : 'interrupted',
    )
  } finally {
    limit.end()
    live.end()
  }
}

/** A signal that aborts with the outer one or when the command's own time is up. */
function timeoutSignal(clock: Clock, limitMs: number, outer: AbortSignal) {
  const limit = startTimeLimit(clock, limitMs)
  const own = new AbortController()
  void limit.spent.then(() => own.abort())
  return {
    signal: AbortSignal.any([own.signal, outer]),
    timedOut: () => own.signal.aborted && !outer.aborted,
    end: limit.end,
  }
}

function result(exit: CommandExit, output: string, cwd: string, whyKilled: string): ToolResult {
  switch (exit.kind) {
    case 'not_started':
      return notStarted(`The command did not start: ${exit.reason}.`, cwd)
    case 'killed': {
      const left = exit.stubborn ? '; some of its processes could not be ended' : '; all its processes were ended'
      const error = `${whyKilled}${left}. What it did until then is unknown; check before repeating it.`
      return { ...answer(output, null, error, cwd), failed: true, effect: 'unknown' }
    }
    case 'exited': {
      const note = exit.leftBehind ? 'Processes it put in the background are still running.' : null
      if (exit.signal === null) return { ...answer(output, exit.code, note, cwd), failed: exit.code !== 0 }
      // As shells count: 128 plus the signal's number.
      const code = 128 + (constants.signals[exit.signal] ?? 0)
      const error = `ended by signal ${exit.signal}${note === null ? '' : `. ${note}`}`
      return { ...answer(output, code, error, cwd), failed: true }
    }
  }
}

const answer = (output: string, exitCode: number | null, error: string | null, cwd: string): ToolResult => ({
  content: JSON.stringify({ output, exit_code: exitCode, error }),
  full: error === null ? output : `${output}\n[${error}]`,
  exitCode,
  cwd,
})

const notStarted = (error: string, cwd: string): ToolResult => ({
  ...answer('', null, error, cwd),
  failed: true,
  effect: 'not_executed',
})
