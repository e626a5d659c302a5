/**
 * A rough size of a request (kernel 4.4): four ASCII characters are a token, Chinese, Japanese and Korean characters
 * count one each. Completion tokens never count.
 */
import type { ModelRequest } from '../ports.ts'

// Kana, CJK with its extensions, Hangul.
const WIDE = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/g

const tokensOf = (text: string): number => {
  const wide = text.match(WIDE)?.length ?? 0
  return Math.ceil((text.length - wide) / 4) + wide
}

/** Tokens of one request, system prompt and tools included. */
export const estimateTokens = (request: ModelRequest): number =>
  request.messages.reduce((sum, message) => sum + tokensOf(JSON.stringify(message)), 0) +
  (request.tools.length === 0 ? 0 : tokensOf(JSON.stringify(request.tools)))
