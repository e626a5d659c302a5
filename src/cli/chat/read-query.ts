import { INPUT_TEXT_LIMIT } from '../../shared/contract/turn.ts'
import { CommandFailure, EXIT } from '../exit.ts'

/**
 * The text of a message from `-q TEXT`, or from `input` when TEXT is `-`. What cannot be a message is refused before a
 * home is touched. Bytes that are no UTF-8 become U+FFFD.
 * @throws CommandFailure usage: empty, too long, NUL bytes
 */
export async function readQuery(typed: string, input: AsyncIterable<Buffer | string>): Promise<string> {
  const text = typed === '-' ? await readAtMost(input, INPUT_TEXT_LIMIT) : typed
  if (text.trim() === '')
    throw new CommandFailure(EXIT.usage, 'The message is empty.', 'Write something after -q, or pipe it in with -q -.')
  if (text.length > INPUT_TEXT_LIMIT)
    throw new CommandFailure(
      EXIT.usage,
      `The message is too long: at most ${INPUT_TEXT_LIMIT.toLocaleString('en')} characters are accepted. Nothing was sent.`,
      'Put the long part into a file and name the file in the message.',
    )
  if (text.includes('\0'))
    throw new CommandFailure(
      EXIT.usage,
      'The message holds NUL bytes, as if it were not text. Nothing was sent.',
      'Name the file in the message instead of piping it in.',
    )
  return text.toWellFormed()
}

/** Stops reading once it is certain that the text is too long: an endless pipe is an answer too. */
async function readAtMost(input: AsyncIterable<Buffer | string>, max: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.length > max) return text
  }
  return text + decoder.decode()
}
