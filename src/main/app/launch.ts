/** What a start of the desktop app was asked for. Read from the command line of the first and of each later start. */
import { type ConversationId, conversationId } from '../../shared/ids.ts'

export interface Launch {
  readonly home: string | undefined
  readonly profile: string | undefined
  /** The chat to show, from `--session ID` or a link `herma://chat/ID`. */
  readonly conversation: ConversationId | null
}

/**
 * Reads the arguments; what is not known (Chromium's and Electron's own switches among it) is passed over.
 * @param argv the whole command line, program names included
 */
export function readLaunch(argv: readonly string[]): Launch {
  const link = argv.map(conversationOfLink).find((id) => id !== null) ?? null
  const session = conversationId.safeParse(argumentOf(argv, ['--session']))
  return {
    home: argumentOf(argv, ['--home']),
    profile: argumentOf(argv, ['--profile', '-p']),
    conversation: session.success ? session.data : link,
  }
}

/** The chat a `herma://chat/ID` link names; null for anything else, the address of the screens included. */
export function conversationOfLink(text: string): ConversationId | null {
  const named = /^herma:\/\/chat\/([^/?#]+)\/?$/i.exec(text)?.[1]
  const parsed = conversationId.safeParse(named)
  return parsed.success ? parsed.data : null
}

/** `--flag value` or `--flag=value`; the last one counts, and another flag is no value. */
function argumentOf(argv: readonly string[], names: readonly string[]): string | undefined {
  let found: string | undefined
  for (const [index, arg] of argv.entries())
    for (const name of names) {
      const next = argv[index + 1]
      if (arg.startsWith(`${name}=`)) found = arg.slice(name.length + 1)
      else if (arg === name && next !== undefined && !next.startsWith('-')) found = next
    }
  return found === '' ? undefined : found
}
