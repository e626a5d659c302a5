/** `herma chat` without -q: messages and answers in turn, until the person leaves. */
import type { ConversationId } from '../../shared/ids.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import type { LocalCore } from '../local-core.ts'
import type { Output } from '../output.ts'
import { oneTurn } from './one-turn.ts'
import type { TerminalInput } from './terminal-input.ts'

export const HELP = '/new starts another conversation, /help shows this, /exit leaves. Ctrl+C stops the running turn.'

/**
 * @param first the conversation to go on with; null = a new one, made with its first message, so that opening and leaving
 *   leaves nothing behind
 * @param newConversation makes one, with the working folder of this run
 */
export async function terminalChat(
  core: LocalCore,
  out: Output,
  terminal: TerminalInput,
  first: ConversationId | null,
  newConversation: () => Promise<ConversationId>,
): Promise<ExitCode> {
  out.note(`herma · ${core.host.config.get('model.provider')} · ${first ?? 'new conversation'}\n${HELP}`)
  // The terminal hands Ctrl+C over as a key; the turn knows it as the signal it would be anywhere else.
  terminal.onInterrupt(() => process.emit('SIGINT'))
  let conversation = first
  for (;;) {
    const typed = await terminal.next('> ')
    const text = typed?.trim()
    // Ctrl+C and Ctrl+D leave the cursor behind the prompt.
    if (text === undefined) out.note('')
    if (text === undefined || text === '/exit' || text === '/quit') return EXIT.done
    if (text === '/help') out.note(HELP)
    else if (text === '/new') {
      conversation = null
      out.note('The next message starts a new conversation.')
    } else if (/^\/\w+$/.test(text)) out.note(`There is no command ${text}. ${HELP}`)
    else if (text !== '') {
      conversation ??= await newConversation()
      await oneTurn(core, out, { conversation, text, quiet: false, terminal })
    }
  }
}
