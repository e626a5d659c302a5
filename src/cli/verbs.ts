/** Verbs and their flags (cli.md 2). A verb's code is loaded when it runs, so that one that only reads starts fast. */
import type { Command } from 'commander'
import type { ExitCode } from './exit.ts'
import type { Invocation } from './program.ts'

interface Frame {
  /** A command with the global flags. */
  readonly frame: (name: string) => Command
  /** Runs a verb with its arguments and flags, and keeps its exit code. */
  readonly ends: (
    work: (it: Invocation, ...given: unknown[]) => Promise<ExitCode>,
  ) => (...given: unknown[]) => Promise<void>
}

export function addVerbs(program: Command, { frame, ends }: Frame): void {
  /** A verb: one line of help, one example. Arguments stand behind the name: `show <id>`. */
  const verb = (parent: Command, spec: string, about: string, example: string): Command => {
    const [name = spec, ...parameters] = spec.split(' ')
    const command = frame(name)
      .copyInheritedSettings(parent)
      .description(about)
      .addHelpText('after', `\nExample:\n  ${example}\n\nGlobal flags: -p/--profile, --home, --json, --no-color`)
    for (const parameter of parameters) command.argument(parameter)
    parent.addCommand(command)
    return command
  }

  verb(program, 'app', 'Open the desktop window.', 'herma app').action(
    ends(async () => (await import('./commands/app.ts')).openApp()),
  )
  verb(program, 'serve', 'Serve the screens at a loopback address.', 'herma serve --port 4100')
    .option('--port <number>', 'port on 127.0.0.1; 0 = any free one', '0')
    .action(ends(async (it, flags) => (await import('./commands/serve.ts')).serve(it, flags as never)))
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
    .action(ends(async (it, flags) => (await import('./commands/chat.ts')).chat(it, flags as never)))

  const sessions = verb(program, 'sessions', 'List, show and export conversations.', 'herma sessions list --limit 10')
  verb(sessions, 'list', 'One row per conversation, newest first.', 'herma sessions list --search release')
    .option('--limit <n>', 'rows at most', '50')
    .option('--source <name>', 'only from this source (desktop, cli, …)')
    .option('--search <text>', 'title, first words or id')
    .option('--archived', 'archived ones instead')
    .action(ends(async (it, flags) => (await import('./commands/sessions.ts')).list(it, flags as never)))
  verb(sessions, 'show <id>', 'The messages of a conversation.', 'herma sessions show 20260101_1200')
    .option('--limit <n>', 'messages at most', '100')
    .action(
      ends(async (it, id, flags) => (await import('./commands/sessions.ts')).show(it, id as string, flags as never)),
    )
  verb(sessions, 'export [target]', 'Export as JSON lines; - is stdout.', 'herma sessions export --all backup.jsonl')
    .option('--session-id <id>', 'conversation to export (repeatable)', (id: string, before: string[] | undefined) => [
      ...(before ?? []),
      id,
    ])
    .option('--all', 'all conversations')
    .option('--format <name>', 'jsonl', 'jsonl')
    .option('--segments', 'one line per segment, exactly as stored')
    .action(
      ends(async (it, target, flags) =>
        (await import('./commands/export.ts')).exportSessions(
          it,
          (target as string | undefined) ?? '-',
          flags as never,
        ),
      ),
    )

  const config = verb(program, 'config', 'Read and change the configuration.', 'herma config get model.provider')
  verb(config, 'get [key]', 'A value with its source, or all of them.', 'herma config get').action(
    ends(async (it, key) => (await import('./commands/config.ts')).get(it, key as string | undefined)),
  )
  verb(
    config,
    'set <key> <value>',
    'Change a value; JSON or plain text.',
    'herma config set agent.max_turns 200',
  ).action(
    ends(async (it, key, value) => (await import('./commands/config.ts')).set(it, key as string, value as string)),
  )
  verb(config, 'path', 'Where the file is.', 'herma config path').action(
    ends(async (it) => (await import('./commands/config.ts')).path(it)),
  )
  verb(config, 'check', 'What in the file is not used, and why.', 'herma config check').action(
    ends(async (it) => (await import('./commands/config.ts')).check(it)),
  )

  verb(program, 'doctor', 'Check this installation and home.', 'herma doctor --json')
    .option('--deep', 'also read the whole database')
    .action(ends(async (it, flags) => (await import('./commands/doctor.ts')).doctor(it, flags as never)))
  verb(program, 'demo', 'Try everything in a temporary home with the scripted provider.', 'herma demo')
    .option('--port <number>', 'port on 127.0.0.1; 0 = any free one', '0')
    .option('--keep', 'keep the home and say where it is')
    .action(ends(async (it, flags) => (await import('./commands/demo.ts')).demo(it, flags as never)))
  verb(program, 'bench', 'Measure, beside the raw cost of the same work.', 'herma bench --only message')
    .option('--only <ids>', 'row ids or their first part, separated by commas')
    .option('--rows <n>', 'messages in the large conversation', '10000')
    .action(ends(async (it, flags) => (await import('./commands/bench.ts')).bench(it, flags as never)))
}
