/**
 * The word that was probably meant: fewest edits, at most a third of its length. Undefined when none is near.
 * Used for configuration keys and provider names; verbs and flags are the parser's own.
 */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  let best: { word: string; edits: number } | undefined
  for (const word of words) {
    const edits = distance(typed.toLowerCase(), word.toLowerCase())
    if (edits <= Math.max(1, Math.floor(word.length / 3)) && (best === undefined || edits < best.edits))
      best = { word, edits }
  }
  return best?.word
}

/** Insertions, deletions, replacements and swaps of neighbours, each counting one (Damerau, restricted). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1)
      current.push(edits)
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
