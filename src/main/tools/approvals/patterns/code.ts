/** Code whose text decides what happens: piped into a shell, built while running, or given inline. */
import { readArguments } from '../shell/options.ts'
import type { ShellCommand } from '../shell/read-commands.ts'
import { hasScript, shellText } from '../shell/unwrap.ts'
import { RUNTIME, type Word } from '../shell/words.ts'
import { type Pattern, says } from './pattern.ts'

const SHELL = /^(?:sh|bash|dash|zsh|ksh|mksh|fish|ash|rbash)$/
const INTERPRETER =
  /^(?:python[\d.]*|pypy\d?|node|nodejs|deno|bun|perl|ruby|php|lua|tclsh|rscript|osascript|powershell|pwsh|irb|ipython\d?)$/

/** Words of inline programs that touch files, processes or the network, or that hide what they do. */
const REACHES_OUT =
  /\b(?:os|subprocess|shutil|pathlib|socket|ctypes|pty|multiprocessing|urllib|requests|httpx|ftplib|smtplib|paramiko|importlib|builtins|fs|child_process|net|http|https|dgram|vm|worker_threads|cluster|Deno|Bun|IO|File|FileUtils|Dir|Open3|Net|Socket|Process|Kernel)\b(?=\s*(?:[.:'"]|import|,|$|;|\s))|\b(?:system|exec\w*|popen|spawn\w*|fork|eval|compile|__import__|getattr|unlink\w*|rmtree|rmdir\w*|rm|remove|rename\w*|truncate|write\w*|open|fopen|file_put_contents|shell_exec|passthru|proc_open|fetch|connect|chmod|chown|kill|require|import\s*\(|Function)\b|`|%x|\bqx\b|base64|b64decode|fromCharCode|atob/

/** Modules and calls that the words above would stop although they only look. */
const HARMLESS_CODE =
  /\bos\.(?:getcwd|environ|path|sep|name|cpu_count|getenv|listdir)\b(?:\.\w+)?|\b(?:sys\.stdout|process\.stdout)\.write\b|\bre\.compile\b|\bimport\s+(?:os|sys|json|re|math|platform|site|struct)(?:\s*,\s*(?:os|sys|json|re|math|platform))*\b|\brequire\((['"])(?:\.{0,2}\/[^'"]*\.json|node:os|os|node:path|path|node:util|util|[a-z@][\w@/-]*\/package\.json)\1\)/g

export const CODE_PATTERNS: readonly Pattern[] = [
  {
    key: 'pipe_to_shell',
    reason: 'it runs whatever it is given from a pipe, a download or a substitution',
    when: (command) => {
      const { name, words, input } = command
      if (SHELL.test(name)) {
        return (
          (input !== null && !hasScript(words)) ||
          words.some((word) => word.substitution) ||
          (says(words, '/dev/stdin') && input !== null)
        )
      }
      if (name === 'source' || name === '.')
        return words.some((word) => word.substitution || word.text === '/dev/stdin' || word.text.startsWith(RUNTIME))
      return INTERPRETER.test(name) && words.some((word) => word.substitution)
    },
  },
  {
    key: 'pipe_to_interpreter',
    reason: 'it runs a program that comes through a pipe',
    when: ({ name, words, input, document }) =>
      INTERPRETER.test(name) &&
      input !== null &&
      document === null &&
      !says(words, '-m', '-c', '-e', '-p', '-n', '-ne', '-pe', '-r', '--eval', '--print', 'eval') &&
      words.every((word) => word.text.startsWith('-')),
  },
  {
    key: 'decided_while_running',
    reason: 'which command runs is only decided while it runs',
    when: ({ name, words }) =>
      name.includes(RUNTIME) ||
      (name === 'eval' && words.some((word) => word.text.includes(RUNTIME))) ||
      (SHELL.test(name) && shellText(words)?.known === false) ||
      (name === 'su' && words.some((word, at) => word.text === '-c' && words[at + 1]?.known === false)),
  },
  {
    key: 'inline_code',
    reason: 'its inline program can touch files, processes or the network',
    when: (command) =>
      inlinePrograms(command).some(
        (text) => text.includes(RUNTIME) || REACHES_OUT.test(text.replace(HARMLESS_CODE, '')),
      ),
  },
  {
    key: 'hidden_programs',
    reason: 'an option of it runs another program',
    when: ({ name, words }) => {
      const text = words.map((word) => word.text).join(' ')
      switch (name) {
        case 'awk':
        case 'gawk':
        case 'mawk':
        case 'nawk':
          return /\bsystem\s*\(|\|\s*(?:&\s*)?"|"\s*\|\s*getline|print[^}]*>\s*"\//.test(text)
        case 'sed':
        case 'gsed':
          return words.some((word) =>
            /(?:^|;|\n|\})\s*(?:\d+|\$|\/[^/]*\/)?\s*(?:e\b|[wW]\s+\/)|^s(.).*\1.*\1[gip\d]*e[gip\d]*$/.test(word.text),
          )
        case 'tar':
          return /--(?:checkpoint-action|to-command|use-compress-program|rsh-command)|(?:^|\s)-I\s/.test(text)
        case 'vim':
        case 'vi':
        case 'nvim':
        case 'ex':
        case 'ed':
        case 'emacs':
          return (
            words.some((word) => /^(?:-c|\+.*|-S|-es|-Es|--cmd|--eval|--batch|-l)$/.test(word.text)) ||
            name === 'ed' ||
            name === 'ex'
          )
        case 'make':
        case 'gmake':
          return words.some((word) => /^(?:SHELL|MAKEFLAGS)=/.test(word.text))
        case 'zip':
          return readArguments(words).has('T') && words.some((word) => word.text.startsWith('-TT'))
        case 'rsync':
          return words.some((word) => /^(?:-e|--rsh)/.test(word.text))
        case 'osascript':
        case 'cmd':
        case 'powershell':
        case 'pwsh':
          return words.length > 0
        case 'alias':
          return words.length > 0
        default:
          return false
      }
    },
  },
  {
    key: 'loader_settings',
    reason: 'it makes programs load other code than their own',
    when: ({ assigns }) =>
      assigns.some(
        (name) =>
          /^(?:LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_.*|BASH_ENV|ENV|PROMPT_COMMAND|PYTHONSTARTUP|NODE_OPTIONS|PERL5OPT|RUBYOPT|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|IFS|PATH)$/.test(
            name,
          ) &&
          name !== 'PATH' &&
          name !== 'IFS',
      ),
  },
]

/** Texts of programs given on the command line or in a here-document. */
function inlinePrograms(command: ShellCommand): readonly string[] {
  const { name, words, document } = command
  if (!INTERPRETER.test(name)) return []
  const texts = words.flatMap((word, at) => {
    const next = words[at + 1]?.text
    if (/^(?:-[A-Za-z]*[ceEr]|-p|-pe|--eval|--print|--execute|-Command|eval)$/.test(word.text))
      return next === undefined ? [] : [next]
    const attached = /^(?:-e|-c|--eval=|--print=)(.+)$/s.exec(word.text)
    return attached?.[1] === undefined ? [] : [attached[1]]
  })
  return document !== null && !hasScriptFile(words) ? [...texts, document] : texts
}

const hasScriptFile = (words: readonly Word[]): boolean =>
  words.some((word) => !word.text.startsWith('-') && word.text.length > 0)
