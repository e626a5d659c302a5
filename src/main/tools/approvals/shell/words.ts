import { basename } from 'node:path'
import type { DoubleQuotedChild, Word as SyntaxWord, WordPart } from 'unbash'

/** Stands in a word's text where only the running shell knows what comes. Cannot occur in a command (NUL is refused). */
export const RUNTIME = '\0'

/** A word as the shell would see it after quoting and the expansions that are known beforehand. */
export interface Word {
  /** Unquoted text; RUNTIME marks parts that are decided when it runs. */
  readonly text: string
  /** Nothing in it is decided when it runs, patterns included. */
  readonly known: boolean
  /** It has an unquoted `*`, `?`, `[…]` or brace list: it can become other words. */
  readonly pattern: boolean
  /** It contains `<(…)` or `>(…)`. */
  readonly substitution: boolean
}

/** Variables with known values while a command is read. */
export type Variables = ReadonlyMap<string, string>

export const literal = (text: string): Word => ({ text, known: true, pattern: false, substitution: false })

/** The part of a word that is certain from its start. */
export const certainStart = (word: Word): string => {
  const at = word.text.indexOf(RUNTIME)
  return at < 0 ? word.text : word.text.slice(0, at)
}

/** Evaluates a word without running anything. */
export function evaluate(word: SyntaxWord, variables: Variables): Word {
  const state = { text: '', pattern: false, substitution: false }
  const parts = word.parts ?? []
  if (parts.length === 0) state.text = word.value
  else for (const part of parts) state.text += partText(part, variables, state)
  if (word.text.startsWith('~')) state.text = expandTilde(state.text, variables)
  return {
    text: state.text,
    known: !state.text.includes(RUNTIME) && !state.pattern,
    pattern: state.pattern,
    substitution: state.substitution,
  }
}

type State = { pattern: boolean; substitution: boolean }

function partText(part: WordPart | DoubleQuotedChild, variables: Variables, state: State): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((child) => partText(child, variables, state)).join('')
    case 'SimpleExpansion':
      return variables.get(part.text.slice(1)) ?? RUNTIME
    case 'ParameterExpansion': {
      const plain = part.prefix === undefined && part.index === undefined && part.operation === undefined
      return (plain ? variables.get(part.parameter) : undefined) ?? RUNTIME
    }
    case 'Glob':
      state.pattern = true
      return part.value
    case 'BraceExpansion':
    case 'ExtendedGlob':
      state.pattern = true
      return RUNTIME
    case 'ProcessSubstitution':
      state.substitution = true
      return RUNTIME
    default:
      return RUNTIME
  }
}

/** `~` is the home, `~name` somebody's home; only at the start of a word and unquoted. */
function expandTilde(text: string, variables: Variables): string {
  const [, name = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(text) ?? []
  const home = variables.get('HOME')
  if (name === '') return home === undefined ? `${RUNTIME}${rest}` : `${home}${rest}`
  if (name === '+') return `${variables.get('PWD') ?? RUNTIME}${rest}`
  return name === 'root' ? `/root${rest}` : name.includes(RUNTIME) ? text : `/home/${name}${rest}`
}

/** The program a word names: without its folder, lower case (some file systems do not tell case apart). */
export const programName = (word: Word): string =>
  basename(word.text)
    .toLowerCase()
    .replace(/\.exe$/, '')
