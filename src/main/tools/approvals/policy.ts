/** What the person decided beforehand, read anew for every call, so that a change in the settings holds at once. */
export interface ApprovalPolicy {
  /** `off` (also `--yolo`): nothing asks; the hardline floor and the deny lines still hold. */
  mode(): 'manual' | 'off'
  /** Globs over complete commands or paths (`git push*`), optionally for one tool (`write_file:/srv/*`). */
  deny(): readonly string[]
  /** Stored rules: `terminal:<pattern key>`, `write_file:<path>`, or `write_file:<folder>/` for all below it. */
  allow(): readonly string[]
  /** Stores a rule for good. Rejects when it cannot be stored. */
  allowAlways(rule: string): Promise<void>
}

/** Whether a stored line covers a thing: the same text, or a folder (a line ending in `/`) above it. */
export const ruleCovers = (line: string, thing: string): boolean => {
  const rule = line.trim()
  return rule !== '' && (rule === thing || (rule.endsWith('/') && !rule.endsWith(':/') && thing.startsWith(rule)))
}

/** The first deny line that matches one of the texts, or null. A line may start with `<tool>:` to hold for it alone. */
export function deniedBy(lines: readonly string[], tool: string, texts: readonly string[]): string | null {
  for (const raw of lines) {
    const line = raw.trim()
    const own = `${tool}:`
    const glob = line.startsWith(own) ? line.slice(own.length).trim() : line
    if (glob !== '' && texts.some((text) => matchesGlob(glob, fold(text)))) return line
  }
  return null
}

/** White space folded: a newline or a second blank does not carry a command past a deny line. */
const fold = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * `*` = any text, `?` = one character, all else literal; the whole text must match. Path globs do not fit commands
 * (their `*` stops at `/`), and a regular expression made from many stars could take for ever; this is linear per star.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let g = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    if (glob[g] === '*') {
      star = g++
      resume = t
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === text[t])) {
      g++
      t++
    } else if (star >= 0) {
      g = star + 1
      t = ++resume
    } else {
      return false
    }
  }
  while (glob[g] === '*') g++
  return g === glob.length
}
