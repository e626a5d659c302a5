/**
 * Verbs and their flags (cli.md 1, 2). A verb's code is loaded when it runs, so that one that only reads starts fast.
 * Global flags stand anywhere, before or after the verb.
 */
import { Command, CommanderError } from 'commander'
import { PROTOCOL } from '../shared/contract/version.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit.ts'
import { createOutput, type Output } from './output.ts'
import { VERSION } from './version.ts'

/** What every verb gets beside its own flags. */
export interface Invocation {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string | undefined
  readonly profile: string | undefined
  readonly out: Output
}

/** Runs the command line `args` (without program names) and returns the exit code. Prints its own failures. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.done
  const program = buildProgram((exit) => {
    code = exit
  })
  try {
    await program.parseAsync(hoistGlobals(args), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    if (error instanceof CommandFailure) {
      process.stderr.write(`herma: ${error.message}\n${error.next === null ? '' : `${error.next}\n`}`)
      return error.code
    }
    const shown = process.env['HERMA_LOG'] === 'debug' && error instanceof Error ? error.stack : String(error)
    process.stderr.write(
      `herma: an error inside Herma: ${shown}\nWhat was stored is safe. HERMA_LOG=debug shows more.\n`,
    )
    return EXIT.failed
  }
}

const WITH_VALUE = new Set(['-p', '--profile', '--home'])
const FLAGS = new Set(['--json', '--no-color', ...WITH_VALUE])

/** Moves global flags to the front, where the parser wants them; everything after `--` stays. */
function hoistGlobals(args: readonly string[]): string[] {
  const globals: string[] = []
  const rest: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string
    if (arg === '--') {
      rest.push(...args.slice(i))
      break
    }
    if (FLAGS.has(arg)) {
      globals.push(arg)
      const value = args[i + 1]
      if (WITH_VALUE.has(arg) && value !== undefined) {
        globals.push(value)
        i++
      }
    } else if (/^--(profile|home)=/.test(arg)) globals.push(arg)
    else rest.push(arg)
  }
  return [...globals, ...rest]
}

function buildProgram(done: (code: ExitCode) => void): Command {
  const program = new Command('herma')
    .description('An agent that loses nothing and runs nothing twice.')
    .version(`herma ${VERSION} (protocol ${PROTOCOL})`, '--version', 'print version and protocol')
    .option('-p, --profile <name>', 'profile to use (else HERMA_PROFILE, else default)')
    .option('--home <dir>', 'home folder (else HERMA_HOME, else ~/.herma)')
    .option('--json', 'print only JSON on stdout')
    .option('--no-color', 'no colour')
    .helpOption('-h, --help', 'show help')
    .showSuggestionAfterError(true)
    .showHelpAfterError('(`herma --help` lists the verbs)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`herma: ${text.replace(/^error: /, '')}`) })

  const invocation = (): Invocation => {
    const globals = program.opts<{ profile?: string; home?: string; json?: boolean; color: boolean }>()
    return {
      env: process.env,
      home: globals.home,
      profile: globals.profile,
      out: createOutput({ json: globals.json === true, color: globals.color }),
    }
  }
  /** A verb: one line of help, one example, its code loaded on use. */
  const verb = (parent: Command, spec: string, about: string, example: string): Command =>
    parent
      .command(spec)
      .description(about)
      .addHelpText('after', `\nExample:\n  ${example}`)
      .exitOverride()
      .allowExcessArguments(false)

  const ends =
    <Rest extends unknown[]>(work: (invocation: Invocation, ...rest: Rest) => Promise<ExitCode>) =>
    async (...rest: unknown[]): Promise<void> => {
      done(await work(invocation(), ...(rest as Rest)))
    }

  verb(program, 'app', 'Open the desktop window.', 'herma app').action(
    ends(async () => (await import('./commands/app.ts')).openApp()),
  )
  verb(program, 'serve', 'Serve the screens at a loopback address.', 'herma serve --port 4100')
    .option('--port <number>', 'port on 127.0.0.1; 0 = any free one', '0')
    .action(
      ends(async (it: Invocation, flags: { port: string }) => (await import('./commands/serve.ts')).serve(it, flags)),
    )
  verb(
    program,
    'chat',
    'Run one turn with -q, or chat in the terminal.',
    'herma chat -q "What changed in this folder?"',
  )
    .option('-q, --query <text>', 'the message; - reads it from stdin')
    .option('--session <id>', 'conversation to go on with (unique prefix or exact title)')
    .option('--continue', 'go on with the newest conversation')
    .option('-m, --model <name>', 'model for this run')
    .option('--provider <name>', 'provider for this run')
    .option('--base-url <url>', 'address of an OpenAI-compatible API')
    .option('--cwd <dir>', 'working folder of a new conversation')
    .option('--max-turns <n>', 'model calls at most')
    .option('--yolo', 'do not ask before dangerous commands; the hard floor and deny rules stay')
    .option('-Q, --quiet', 'print the answer alone')
    .action(ends(async (it: Invocation, flags: object) => (await import('./commands/chat.ts')).chat(it, flags)))

  const sessions = verb(program, 'sessions', 'List, show and export conversations.', 'herma sessions list --limit 10')
  verb(sessions, 'list', 'One row per conversation, newest first.', 'herma sessions list --search release')
    .option('--limit <n>', 'rows at most', '50')
    .option('--source <name>', 'only from this source (desktop, cli, …)')
    .option('--search <text>', 'title, first words or id')
    .option('--archived', 'archived ones instead')
    .action(ends(async (it: Invocation, flags: never) => (await import('./commands/sessions.ts')).list(it, flags)))
  verb(sessions, 'show <id>', 'The messages of a conversation.', 'herma sessions show 20260101_1200')
    .option('--limit <n>', 'messages at most', '100')
    .action(
      ends(async (it: Invocation, id: string, flags: never) =>
        (await import('./commands/sessions.ts')).show(it, id, flags),
      ),
    )
  verb(sessions, 'export [target]', 'Export as JSON lines; - is stdout.', 'herma sessions export --all backup.jsonl')
    .option('--session-id <id...>', 'conversations to export')
    .option('--all', 'all conversations')
    .option('--format <name>', 'jsonl', 'jsonl')
    .option('--segments', 'one line per segment, exactly as stored')
    .action(
      ends(async (it: Invocation, target: string | undefined, flags: never) =>
        (await import('./commands/export.ts')).exportSessions(it, target ?? '-', flags),
      ),
    )

  const config = verb(program, 'config', 'Read and change the configuration.', 'herma config get model.provider')
  verb(config, 'get [key]', 'A value with its source, or all of them.', 'herma config get').action(
    ends(async (it: Invocation, key: string | undefined) => (await import('./commands/config.ts')).get(it, key)),
  )
  verb(
    config,
    'set <key> <value>',
    'Change a value; JSON or plain text.',
    'herma config set agent.max_turns 200',
  ).action(
    ends(async (it: Invocation, key: string, value: string) =>
      (await import('./commands/config.ts')).set(it, key, value),
    ),
  )
  verb(config, 'path', 'Where the file is.', 'herma config path').action(
    ends(async (it: Invocation) => (await import('./commands/config.ts')).path(it)),
  )
  verb(config, 'check', 'What in the file is not used, and why.', 'herma config check').action(
    ends(async (it: Invocation) => (await import('./commands/config.ts')).check(it)),
  )

  verb(program, 'doctor', 'Check this installation and home.', 'herma doctor --json')
    .option('--deep', 'also read the whole database')
    .action(
      ends(async (it: Invocation, flags: { deep?: boolean }) =>
        (await import('./commands/doctor.ts')).doctor(it, flags),
      ),
    )
  verb(program, 'demo', 'Try everything in a temporary home with the scripted provider.', 'herma demo')
    .option('--port <number>', 'port on 127.0.0.1; 0 = any free one', '0')
    .option('--keep', 'keep the home and say where it is')
    .action(ends(async (it: Invocation, flags: never) => (await import('./commands/demo.ts')).demo(it, flags)))
  verb(program, 'bench', 'Measure, beside the raw cost of the same work.', 'herma bench --only message')
    .option('--only <ids>', 'row ids or their first part, separated by commas')
    .option('--rows <n>', 'messages in the large conversation', '10000')
    .action(ends(async (it: Invocation, flags: never) => (await import('./commands/bench.ts')).bench(it, flags)))
  return program
}
