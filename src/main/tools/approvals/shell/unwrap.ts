/** Commands that run other commands: what they run is read as if it stood there itself. */

import type { Reader, ShellCommand } from './read-commands.ts'
import { literal, programName, RUNTIME, type Word } from './words.ts'

interface Wrapper {
  /** Short options that take the next word. */
  readonly valued?: string
  /** Words after the options that belong to the wrapper: `timeout 5 …`, `chroot /x …`. */
  readonly skip?: number
}

/** `<wrapper> [options] [own words] command …` */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: 'ughpCTUrtRD' },
  doas: { valued: 'uC' },
  env: { valued: 'uCS' },
  nohup: {},
  nice: { valued: 'n' },
  ionice: { valued: 'cnpPu' },
  chrt: { valued: 'TPDp', skip: 1 },
  taskset: { skip: 1 },
  timeout: { valued: 'sk', skip: 1 },
  time: { valued: 'fo' },
  setsid: {},
  stdbuf: { valued: 'ioe' },
  command: {},
  builtin: {},
  exec: { valued: 'a' },
  xargs: { valued: 'adEeIiLlnPs' },
  parallel: { valued: 'jaIN' },
  chroot: { skip: 1 },
  unshare: {},
  nsenter: { valued: 't' },
  firejail: {},
  flock: { valued: 'wE', skip: 1 },
  busybox: {},
  toybox: {},
  strace: { valued: 'eopsuE' },
  ltrace: { valued: 'eopsu' },
  caffeinate: { valued: 'tw' },
  pkexec: { valued: 'u' },
  runuser: { valued: 'ugGs' },
  gosu: { skip: 1 },
  setpriv: {},
  proxychains: {},
  torsocks: {},
  catchsegv: {},
  unbuffer: {},
  watch: { valued: 'nq' },
  entr: {},
  npx: { valued: 'p' },
  bunx: {},
  uvx: {},
  shx: {},
  'systemd-run': { valued: 'pEuMtH' },
}

/** Long options of wrappers that take the next word when no `=` is attached. */
const LONG_VALUED =
  /^--(?:user|group|host|prompt|chdir|unset|split-string|signal|kill-after|adjustment|max-args|max-procs|max-lines|replace|delimiter|arg-file|interval|unit|property|setenv)$/

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'fish', 'ash', 'rbash'])

/** Programs that take a command line as text after an option. */
const TEXT_OPTION: Readonly<Record<string, string>> = { su: 'c', runuser: 'c', script: 'c', flock: 'c', npx: 'c' }

/** Adds the commands that `command` would run, if it runs others. Throws Unreadable as the reader does. */
export function unwrap(command: ShellCommand, reader: Reader, depth: number): void {
  const { name, words } = command
  const via = [...command.via, name]
  const readText = (text: string): void =>
    reader.readApart(text, { cwd: command.cwd, input: command.input, via, depth: depth + 1 })
  const readWords = (rest: readonly Word[]): void => {
    const [first, ...others] = rest
    if (first === undefined) return
    const inner: ShellCommand = {
      ...command,
      name: first.known ? programName(first) : RUNTIME,
      words: others,
      redirects: [],
      assigns: [],
      via,
    }
    if (via.length > 12) return
    reader.add(inner, depth)
  }

  if (SHELLS.has(name)) {
    const text = shellText(words)
    if (text?.known === true) readText(text.text)
    else if (command.document !== null && !hasScript(words)) readText(command.document)
    else if (command.input !== null && !hasScript(words)) {
      for (const source of command.input) if (isEcho(source)) readText(echoed(source))
    }
    return
  }
  if (name === 'eval') {
    if (words.every((word) => !word.text.includes(RUNTIME))) readText(words.map((word) => word.text).join(' '))
    return
  }
  if (name === 'trap') {
    const [action] = words.filter((word) => !word.text.startsWith('-'))
    if (action?.known === true && /\s/.test(action.text)) readText(action.text)
    return
  }
  if (name === 'find' || name === 'fd' || name === 'fdfind') {
    readExecs(words, readWords)
    return
  }
  const option = Object.hasOwn(TEXT_OPTION, name) ? TEXT_OPTION[name] : undefined
  if (option !== undefined) {
    const text = textAfter(words, option)
    if (text?.known === true) {
      readText(text.text)
      return
    }
  }
  if (['npm', 'pnpm', 'yarn', 'bun'].includes(name) && /^(?:exec|x|dlx)$/.test(words[0]?.text ?? '')) {
    readWords(wrapped(words.slice(1), {}))
    return
  }
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  if (wrapper === undefined) return
  if (name === 'env') {
    const split = textAfter(words, 'S')
    if (split?.known === true) readText(split.text)
  }
  if (name === 'command' && words.some((word) => /^-[vV]+$/.test(word.text))) return
  const rest = wrapped(words, wrapper)
  // Some of these take a whole line as one word: `watch 'rm -rf x'`, `nohup 'a; b'` would fail but costs nothing here.
  const [only] = rest
  if (name === 'watch' || name === 'parallel') {
    if (rest.every((word) => word.known)) readText(rest.map((word) => word.text).join(' '))
    return
  }
  if (only !== undefined) readWords(rest)
}

function wrapped(words: readonly Word[], { valued = '', skip = 0 }: Wrapper): readonly Word[] {
  let i = 0
  for (; i < words.length; i++) {
    const text = words[i]?.text ?? ''
    if (text === '--') {
      i++
      break
    }
    if (text.startsWith('--')) {
      if (LONG_VALUED.test(text)) i++
    } else if (text.startsWith('-') && text.length > 1) {
      const letter = [...text.slice(1)].findIndex((char) => valued.includes(char))
      if (letter >= 0 && letter === text.length - 2) i++
    } else if (!/^[A-Za-z_][A-Za-z0-9_]*=/.test(text)) break
  }
  return words.slice(i + skip)
}

/**
 * The text of `sh -c`: the first word that is no option, once an option letter `c` was given, wherever it stands in its
 * cluster. `-o` and `-O` take a word of their own.
 */
export function shellText(words: readonly Word[]): Word | undefined {
  let wanted = false
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    if (/^[-+][A-Za-z]*[oO]$/.test(word.text)) i++
    else if (word.text === '--command') wanted = true
    else if (/^[-+]/.test(word.text)) wanted ||= /^-[A-Za-z]*c[A-Za-z]*$/.test(word.text)
    else return wanted ? word : undefined
  }
  return undefined
}

/** The word after a short option that may stand at the end of a cluster: `-c`, `-lc`. */
function textAfter(words: readonly Word[], letter: string): Word | undefined {
  const at = words.findIndex(
    (word) => word.text === '--command' || (/^-[A-Za-z]+$/.test(word.text) && word.text.endsWith(letter)),
  )
  if (at >= 0) return words[at + 1]
  const attached = words.find((word) => word.text.startsWith('--command='))
  return attached === undefined ? undefined : { ...attached, text: attached.text.slice('--command='.length) }
}

/** Whether a shell was given a script file (or `-c`), so that it does not read its standard input. */
export const hasScript = (words: readonly Word[]): boolean =>
  shellText(words) !== undefined ||
  (!words.some((word) => /^-[A-Za-z]*s[A-Za-z]*$/.test(word.text)) &&
    words.some((word) => !/^[-+]/.test(word.text) && word.text !== '/dev/stdin'))

const isEcho = (command: ShellCommand): boolean =>
  ['echo', 'printf'].includes(command.name) && command.words.every((word) => !word.text.includes(RUNTIME))

const echoed = (command: ShellCommand): string =>
  command.words
    .filter((word) => !/^-[neE]+$/.test(word.text))
    .map((word) => word.text.replaceAll('\\n', '\n'))
    .join(' ')

/** `find … -exec cmd … ;` and `fd … -x cmd …`. */
function readExecs(words: readonly Word[], readWords: (words: readonly Word[]) => void): void {
  for (let i = 0; i < words.length; i++) {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(words[i]?.text ?? '')) continue
    const end = words.findIndex((word, at) => at > i && (word.text === ';' || word.text === '+'))
    readWords(words.slice(i + 1, end < 0 ? undefined : end).map((word) => (word.text === '{}' ? runtime : word)))
    if (end > 0) i = end
  }
}

const runtime: Word = { ...literal(RUNTIME), known: false }
