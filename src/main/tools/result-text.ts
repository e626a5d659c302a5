/** What tool text goes through before a model reads it (kernel 3 "Text", kernel 5 "Result size"). */
import { stripVTControlCharacters } from 'node:util'
import { scrubSurrogates, truncate } from '../../shared/text.ts'

/** UTF-16 units of an error text (kernel 5). */
export const ERROR_TEXT_LIMIT = 2_000

/** Terminal sequences removed, remaining controls escaped, half characters replaced. */
export const textForModel = (text: string): string => escapeControls(scrubSurrogates(stripVTControlCharacters(text)))

/** NUL, other C0 (tab and newline excepted), DEL and C1 as `\u001b`: visible, and nothing acts on them. */
export const escapeControls = (text: string): string =>
  text.replace(/(?![\t\n])\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * An error for the model: role tags and code fences taken out, so that a file name or a server's answer cannot pose as
 * a message of the conversation; at most 2,000 units.
 */
export function errorText(text: string): string {
  const plain = textForModel(text)
    .replace(/<\/?\|?(system|user|assistant|tool|developer|im_start|im_end|function_calls?)[^>\n]{0,40}\|?>/gi, '')
    .replace(/```+/g, "'''")
  return plain.length <= ERROR_TEXT_LIMIT ? plain : `${truncate(plain, ERROR_TEXT_LIMIT - 3)}...`
}

/**
 * A command's output as a terminal would leave it: sequences removed, and a line that was drawn over with carriage
 * returns (progress bars) reduced to what stood there last.
 */
export const settledOutput = (raw: string): string =>
  stripVTControlCharacters(raw)
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => (line.includes('\r') ? (line.split('\r').findLast((part) => part !== '') ?? '') : line))
    .join('\n')
