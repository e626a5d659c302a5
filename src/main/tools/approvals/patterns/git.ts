/** Git verbs that throw away work or rewrite what others have. */
import { readArguments } from '../shell/options.ts'
import type { ShellCommand } from '../shell/read-commands.ts'
import type { Word } from '../shell/words.ts'
import { locate } from '../world.ts'
import { type Pattern, says } from './pattern.ts'

/** The verb and what follows it, past git's own options (`-C dir`, `-c key=value`). */
function gitCall({
  name,
  words,
}: ShellCommand): { verb: string; rest: readonly Word[]; settings: readonly Word[] } | null {
  if (name !== 'git') return null
  const settings: Word[] = []
  let i = 0
  for (; i < words.length; i++) {
    const text = words[i]?.text ?? ''
    if (text === '-c' || text === '--config-env') settings.push(...words.slice(i + 1, i + 2))
    if (/^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env|--exec-path)$/.test(text)) i++
    else if (!text.startsWith('-')) break
  }
  return { verb: words[i]?.text ?? '', rest: words.slice(i + 1), settings }
}

const git = (
  key: string,
  reason: string,
  when: (verb: string, rest: readonly Word[], isFile: (word: Word) => boolean) => boolean,
): Pattern => ({
  key,
  reason,
  when: (command, world) => {
    const call = gitCall(command)
    const isFile = (word: Word): boolean => {
      const { path, exact } = locate(word, command, world)
      return path !== null && exact && world.look(path) !== null
    }
    return call !== null && when(call.verb, call.rest, isFile)
  },
})

export const GIT_PATTERNS: readonly Pattern[] = [
  git('git_discard', 'it throws away changes that are not committed', (verb, rest, isFile) => {
    const given = readArguments(rest)
    switch (verb) {
      case 'reset':
        return given.has('', 'hard', 'merge', 'keep')
      case 'clean':
        return !given.has('n', 'dry-run') && !given.has('', 'help')
      case 'checkout':
        return (
          given.has('f', 'force') ||
          says(rest, '--', '.') ||
          rest.some((word) => /^:\//.test(word.text)) ||
          (!given.has('bB', 'orphan') && given.operands.some(isFile))
        )
      case 'switch':
        return given.has('f', 'force', 'discard-changes')
      case 'restore':
        return !given.has('S', 'staged') || given.has('W', 'worktree')
      case 'stash':
        return says(rest, 'drop', 'clear')
      case 'rm':
        return !given.has('', 'cached') && !given.has('n', 'dry-run')
      case 'worktree':
        return says(rest, 'remove', 'prune')
      case 'submodule':
        return says(rest, 'deinit')
      default:
        return false
    }
  }),
  git('git_force_push', 'it overwrites or deletes what others can have from the remote', (verb, rest) => {
    if (verb !== 'push') return false
    const given = readArguments(rest, 'o')
    return (
      given.has('fd', 'force', 'force-with-lease', 'force-if-includes', 'mirror', 'delete', 'prune') ||
      rest.some((word) => /^[+:]./.test(word.text))
    )
  }),
  git('git_rewrite', 'it deletes branches or history', (verb, rest) => {
    const given = readArguments(rest)
    switch (verb) {
      case 'branch':
        return given.has('DMf') || (given.has('d', 'delete') && given.has('f', 'force'))
      case 'tag':
        return given.has('df', 'delete', 'force')
      case 'reflog':
        return says(rest, 'expire', 'delete')
      case 'gc':
        return given.has('', 'prune')
      case 'update-ref':
        return given.has('d', 'stdin')
      case 'filter-branch':
      case 'filter-repo':
      case 'replace':
      case 'prune':
        return true
      case 'remote':
        return says(rest, 'remove', 'rm')
      default:
        return false
    }
  }),
  {
    key: 'git_runs_code',
    reason: 'it sets a git option that runs a program',
    when: (command) => {
      const call = gitCall(command)
      if (call === null) return false
      const risky =
        /^(?:alias\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass)|diff\.external|.*\.(?:command|cmd|textconv|helper|program)\b)/i
      const exec = readArguments(call.rest).has('', 'exec', 'upload-pack', 'receive-pack')
      return (
        call.settings.some((word) => risky.test(word.text)) ||
        (call.verb === 'config' &&
          call.rest.some((word) => risky.test(word.text)) &&
          call.rest.filter((word) => !word.text.startsWith('-')).length > 1) ||
        (['rebase', 'bisect', 'fetch', 'push', 'clone', 'difftool', 'submodule'].includes(call.verb) &&
          (exec || says(call.rest, 'foreach', 'run', '-x')))
      )
    },
  },
]
