import type { ShellCommand } from '../shell/read-commands.ts'
import type { Word } from '../shell/words.ts'
import type { World } from '../world.ts'

/** One kind of thing a person wants to be asked about. The key is what *Always allow* stores. */
export interface Pattern {
  readonly key: string
  readonly reason: string
  when(command: ShellCommand, world: World): boolean
}

/** `--help` and `--version` change nothing. */
export const onlyAsks = (words: readonly Word[]): boolean =>
  words.length > 0 && words.every((word) => /^(?:--help|--version)$/.test(word.text))

/** Whether one of the words is one of the texts. */
export const says = (words: readonly Word[], ...texts: readonly string[]): boolean =>
  words.some((word) => texts.includes(word.text))

/** The first word that is no option: the verb of `git`, `docker`, `systemctl` and their like. */
export const verbOf = (words: readonly Word[]): string => words.find((word) => !word.text.startsWith('-'))?.text ?? ''
