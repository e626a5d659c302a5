/**
 * Characters that show nothing or change the order of what is shown: controls (tab and newline excepted), format and
 * direction marks, line separators, odd spaces, fillers that look like nothing, lone surrogates.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?! )\p{Zs}/gu

/** Text for a person's decision: what cannot be seen becomes its code, as in `⟨U+202E⟩` (U-251). */
export const makeVisible = (text: string): string =>
  text.replace(HIDDEN, (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
