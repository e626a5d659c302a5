/** `herma chat` without -q: messages and answers in turn, until the person leaves. */
import type { ConversationId } from '../../shared/ids.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import type { LocalCore } from '../local-core.ts'
import type { Output } from '../output.ts'
import { oneTurn } from './one-turn.ts'
import type { TerminalInput } from './terminal-input.ts'

export const HELP = '/new starts another conversation, /help shows this, /exit leaves. Ctrl+C stops the running turn.'

/** @param newConversation makes another one, with the working folder of this run */
export async function terminalChat(
  core: LocalCore,
  out: Output,
  terminal: TerminalInput,
  first: ConversationId,
  newConversation: () => Promise<ConversationId>,
): Promise<ExitCode> {
  out.note(`herma · ${core.host.config.get('model.provider')} · ${first}\n${HELP}`)
  // The terminal hands Ctrl+C over as a key; the turn knows it as the signal it would be anywhere else.
  terminal.onInterrupt(() => process.emit('SIGINT'))
  let conversation = first
  for (;;) {
    const typed = await terminal.next('> ')
    const text = typed?.trim()
    if (text === undefined || text === '/exit' || text === '/quit') return EXIT.done
    if (text === '/help') out.note(HELP)
    else if (text === '/new') {
      conversation = await newConversation()
      out.note(`new conversation ${conversation}`)
    } else if (/^\/\w+$/.test(text)) out.note(`There is no command ${text}. ${HELP}`)
    else if (text !== '') await oneTurn(core, out, { conversation, text, quiet: false, terminal })
  }
}
