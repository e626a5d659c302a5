import { RUNTIME, type Word } from './words.ts'

/** Words of a command split the way most programs read them. */
export interface Arguments {
  /** Words that are not options. */
  readonly operands: readonly Word[]
  /** Whether one of the short letters (`rf`) or long names is set. GNU takes any unambiguous start of a long name. */
  has(letters: string, ...long: string[]): boolean
  /** Values of an option that takes one: `-o x`, `-ox`, `--out x`, `--out=x`. */
  values(letter: string, long: string): readonly Word[]
  /** Some option could not be read because it is decided while running. */
  readonly open: boolean
}

/**
 * @param takesValue short letters whose value is the next word when nothing is attached (`o` for `-o file`)
 * @param longTakesValue the same for long names
 */
export function readArguments(
  words: readonly Word[],
  takesValue = '',
  longTakesValue: readonly string[] = [],
): Arguments {
  const operands: Word[] = []
  const letters = new Set<string>()
  const longs: string[] = []
  const values: { key: string; word: Word }[] = []
  let open = false
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    const { text } = word
    if (text === '--') {
      operands.push(...words.slice(i + 1))
      break
    }
    if (text.startsWith('--')) {
      const [name = '', value] = splitOnce(text.slice(2))
      longs.push(name)
      const next = words[i + 1]
      if (value !== undefined) values.push({ key: name, word: { ...word, text: value } })
      else if (longTakesValue.includes(name) && next !== undefined) {
        values.push({ key: name, word: next })
        i++
      }
    } else if (text.startsWith('-') && text.length > 1) {
      for (let j = 1; j < text.length; j++) {
        const letter = text.charAt(j)
        letters.add(letter)
        if (!takesValue.includes(letter)) continue
        const next = words[i + 1]
        if (j + 1 < text.length) values.push({ key: letter, word: { ...word, text: text.slice(j + 1) } })
        else if (next !== undefined) {
          values.push({ key: letter, word: next })
          i++
        }
        break
      }
    } else {
      if (text.startsWith(RUNTIME)) open = true
      operands.push(word)
    }
  }
  return {
    operands,
    open,
    has: (wanted, ...names) =>
      [...wanted].some((letter) => letters.has(letter)) ||
      longs.some((given) => given !== '' && names.some((name) => name.startsWith(given))),
    values: (letter, long) =>
      values
        .filter(({ key }) => key === letter || (long !== '' && key !== '' && long.startsWith(key) && key.length > 1))
        .map(({ word }) => word),
  }
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('=')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
