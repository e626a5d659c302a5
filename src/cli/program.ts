/**
 * The frame of the command line (cli.md 1): global flags before or after the verb, usage errors, exit codes. The verbs
 * stand in `verbs.ts`.
 */
import { Command, CommanderError, Option } from 'commander'
import { PROTOCOL } from '../shared/contract/version.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit.ts'
import { createOutput, type Output } from './output.ts'
import { addVerbs } from './verbs.ts'
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
  const program = frame('herma')
    .description('An agent that loses nothing and runs nothing twice.')
    .version(`herma ${VERSION} (protocol ${PROTOCOL})`, '--version', 'print version and protocol')
    .configureOutput({ outputError: (text, write) => write(`herma: ${text.replace(/^error: /, '')}`) })
    .showHelpAfterError('(`herma --help` lists the verbs)')
  addVerbs(program, {
    frame,
    ends:
      (work) =>
      async (...given: unknown[]) => {
        const command = given.at(-1) as Command
        code = await work(invocationOf(command), ...given.slice(0, -1))
      },
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    return explained(error)
  }
}

/**
 * A command with the global flags. Each has them, so that the parser knows for certain which word is a flag and which is
 * the value of one: `chat -q --json` asks for an answer to "--json".
 */
export function frame(name: string): Command {
  const command = new Command(name)
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'show help')
    .exitOverride()
  for (const option of globalFlags()) command.addOption(name === 'herma' ? option : option.hideHelp())
  return command
}

const globalFlags = (): Option[] => [
  new Option('-p, --profile <name>', 'profile to use (else HERMA_PROFILE, else default)'),
  new Option('--home <dir>', 'home folder (else HERMA_HOME, else ~/.herma)'),
  new Option('--json', 'print only JSON on stdout'),
  new Option('--no-color', 'no colour'),
]

interface GlobalFlags {
  readonly profile?: string
  readonly home?: string
  readonly json?: true
  readonly color: boolean
}

/** Global flags as given anywhere on the line; the one nearest to the verb wins. */
function invocationOf(verb: Command): Invocation {
  const given: GlobalFlags[] = []
  for (let at: Command | null = verb; at !== null; at = at.parent) given.push(at.opts<GlobalFlags>())
  return {
    env: process.env,
    home: given.find(({ home }) => home !== undefined)?.home,
    profile: given.find(({ profile }) => profile !== undefined)?.profile,
    out: createOutput({
      json: given.some(({ json }) => json === true),
      color: given.every(({ color }) => color),
    }),
  }
}

/** Says what went wrong and how the process ends. No stack trace unless asked for: nobody acts on one. */
function explained(error: unknown): ExitCode {
  // The parser has printed its own words.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof CommandFailure) {
    process.stderr.write(`herma: ${error.message}\n${error.next === null ? '' : `${error.next}\n`}`)
    return error.code
  }
  const shown = process.env['HERMA_LOG'] === 'debug' && error instanceof Error ? error.stack : String(error)
  process.stderr.write(`herma: an error inside Herma: ${shown}\nWhat was stored is safe. HERMA_LOG=debug shows more.\n`)
  return EXIT.failed
}
