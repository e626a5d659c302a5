/** From a command line to what the gate must know about it. Looks at the file system, runs nothing. */
import { basename } from 'node:path'
import { previewOf } from '../../../shared/text.ts'
import type { Assessment, Hit } from '../define-tool.ts'
import { FORK_BOMB, hardlineOf } from './hardline.ts'
import { CODE_PATTERNS } from './patterns/code.ts'
import { FILE_PATTERNS } from './patterns/files.ts'
import { GIT_PATTERNS } from './patterns/git.ts'
import type { Pattern } from './patterns/pattern.ts'
import { SYSTEM_PATTERNS } from './patterns/system.ts'
import { readCommands, type ShellCommand } from './shell/read-commands.ts'
import { RUNTIME, type Variables } from './shell/words.ts'
import type { World } from './world.ts'

export interface CommandRequest {
  readonly command: string
  /** Folder it would start in. */
  readonly cwd: string
  /** The conversation's working folder. */
  readonly workspace: string
}
/** Throws when the world cannot be looked at; the gate then denies. */
export type CommandAssessor = (request: CommandRequest) => Assessment

export const PATTERNS: readonly Pattern[] = [...FILE_PATTERNS, ...GIT_PATTERNS, ...SYSTEM_PATTERNS, ...CODE_PATTERNS]

/**
 * @param worldOf what is known of the machine, seen from a working folder
 * @param variables values the command's environment will have: HOME, TMPDIR
 */
export function commandAssessor(worldOf: (workspace: string) => World, variables: Variables): CommandAssessor {
  return ({ command, cwd, workspace }) => {
    const world = worldOf(workspace)
    const start = world.real(cwd)
    const line = readCommands(command, start, new Map([...variables, ['PWD', start]]))
    if (line.kind === 'unreadable') return unreadable(command, line.reason)

    const breach = line.forkBomb
      ? FORK_BOMB
      : line.commands.reduce<ReturnType<typeof hardlineOf>>((found, one) => found ?? hardlineOf(one, world), null)
    const found = PATTERNS.filter((pattern) => line.commands.some((one) => pattern.when(one, world)))
    const hits = [...found, ...(runsDownload(line.commands) ? [RUNS_DOWNLOAD] : [])].map(hitOf)
    return { subject: command, texts: [command, ...line.commands.map(textOf)], forbidden: breach, hits }
  }
}

const RUNS_DOWNLOAD = {
  key: 'runs_download',
  reason: 'it downloads a program and runs it at once',
}

/** `curl -o x … && sh x`: over a whole line, since each command alone is ordinary. */
function runsDownload(commands: readonly ShellCommand[]): boolean {
  const fetched = commands.flatMap(({ name, words, redirects }) =>
    name === 'curl' || name === 'wget'
      ? [...words.filter((word) => !word.text.startsWith('-')), ...redirects.flatMap(({ target }) => target ?? [])]
      : [],
  )
  const names = new Set(fetched.map((word) => basename(word.text)).filter((name) => name !== ''))
  return commands.some(
    ({ name, words }) =>
      names.has(name) ||
      (RUNNERS.test(name) &&
        words.some((word) => names.has(basename(word.text))) &&
        name !== 'curl' &&
        name !== 'wget'),
  )
}

const RUNNERS = /^(?:sh|bash|dash|zsh|ksh|source|\.|python[\d.]*|node|perl|ruby|php|deno|bun)$/

const hitOf = ({ key, reason }: Pick<Pattern, 'key' | 'reason'>): Hit => {
  const thing = `terminal:${key}`
  return { rule: key, reason, thing, offer: thing }
}

/** Nobody can promise anything about it, so only this very text can be allowed, and not for good. */
const unreadable = (command: string, why: string): Assessment => ({
  subject: command,
  texts: [command],
  forbidden: null,
  hits: [
    {
      rule: 'unreadable',
      reason: `what it does cannot be told beforehand (${previewOf(why, 120)})`,
      thing: `terminal!unreadable:${command}`,
      offer: null,
    },
  ],
})

/** A command without quoting, for the user's deny lines: `g"it" push` is `git push`. */
const textOf = ({ name, words }: ShellCommand): string =>
  [name, ...words.map((word) => word.text)].join(' ').replaceAll(RUNTIME, '$?')
