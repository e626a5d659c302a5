/**
 * The three tiers joined (kernel 2): the more volatile, the later, one blank line between parts, empty parts dropped.
 * The same parts give the same bytes; clock time never enters, only the start date in the volatile tier.
 */
import type { PromptParts } from '../ports.ts'

/** @returns the text and how many UTF-16 units of it belong to the stable tier */
export function buildPrompt(parts: PromptParts): { text: string; stableLength: number } {
  const join = (texts: readonly string[]): string =>
    texts
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .join('\n\n')
  const stable = join(parts.stable)
  const text = [stable, join(parts.context), join(parts.volatile)].filter((tier) => tier !== '').join('\n\n')
  return { text, stableLength: stable.length }
}
