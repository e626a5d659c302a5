/** Which words of a command are files it makes, replaces, moves or changes. */
import { basename, join } from 'node:path'
import { readArguments } from '../shell/options.ts'
import type { ShellCommand } from '../shell/read-commands.ts'
import { literal, type Word } from '../shell/words.ts'
import { locate, type World } from '../world.ts'

/** Devices that swallow or show: writing there changes nothing. */
export const isSink = (path: string): boolean =>
  /^\/dev\/(?:null|zero|full|stdout|stderr|tty|pts\/\d+|fd\/\d+)$/.test(path) ||
  /^\/proc\/(?:self|\d+)\/fd\//.test(path)

/** Files a command makes or replaces, by the way its arguments are written. */
export function written(command: ShellCommand): readonly Word[] {
  const { name, words, redirects } = command
  const targets = redirects.flatMap(({ operator, target }) => {
    const toFile =
      /^(?:>|>>|>\||&>|&>>|<>)$/.test(operator) || (operator === '>&' && !/^(?:\d+|-)$/.test(target?.text ?? ''))
    return target !== null && toFile ? [target] : []
  })
  switch (name) {
    case 'tee':
      return [...targets, ...readArguments(words).operands]
    case 'cp':
    case 'mv':
    case 'install':
    case 'ln':
    case 'rsync': {
      const given = readArguments(words, 'tSmgo', ['target-directory', 'suffix', 'mode', 'owner', 'group'])
      const into = given.values('t', 'target-directory')
      if (name === 'ln' && given.operands.length === 1) return targets
      const remote = (word: Word): boolean => name === 'rsync' && /^[^/]*:/.test(word.text)
      const last = into.length > 0 ? into : given.operands.slice(-1)
      // What is moved away is changed too; what a link points to can be written through it.
      const moved = ['mv', 'ln'].includes(name) ? given.operands.slice(0, into.length > 0 ? undefined : -1) : []
      return [...targets, ...last.filter((word) => !remote(word)), ...moved]
    }
    case 'truncate':
      return [...targets, ...readArguments(words, 'sr').operands]
    case 'sed':
    case 'perl': {
      const inPlace = words.some((word) => /^(?:-[a-zA-Z]*i.*|--in-place.*)$/.test(word.text))
      if (!inPlace) return targets
      const { operands } = readArguments(words, 'ef')
      return [
        ...targets,
        ...(name === 'sed' && !words.some((word) => /^-[a-zA-Z]*e/.test(word.text)) ? operands.slice(1) : operands),
      ]
    }
    case 'curl':
      return [...targets, ...readArguments(words, 'oHdXuFAebcTD').values('o', 'output')]
    case 'wget': {
      const given = readArguments(words, 'OPoaUiet')
      return [...targets, ...given.values('O', 'output-document'), ...given.values('P', 'directory-prefix')].filter(
        (word) => word.text !== '-',
      )
    }
    default:
      return targets
  }
}

/** Files whose rights or time a command changes; only guarded ones matter. */
export const changed = ({ name, words }: ShellCommand): readonly Word[] =>
  ['chmod', 'chown', 'chgrp', 'touch', 'mkdir', 'rm', 'rmdir', 'unlink'].includes(name) ? words : []

/** `cp` or `mv` onto something that is there now; `-n` never does. */
export function overwrites(command: ShellCommand, world: World): boolean {
  const { name, words } = command
  if (!['cp', 'mv', 'install', 'ln'].includes(name)) return false
  const given = readArguments(words, 'tSmgo', ['target-directory', 'suffix', 'mode', 'owner', 'group'])
  if (given.has('n', 'no-clobber') || given.has('b', 'backup')) return false
  if (name === 'ln' && !given.has('f', 'force')) return false
  const into = given.values('t', 'target-directory')[0]
  const target = into ?? given.operands.at(-1)
  const sources = into === undefined ? given.operands.slice(0, -1) : given.operands
  if (target === undefined || sources.length === 0) return false
  const { path, exact } = locate(target, command, world)
  if (path === null || !exact) return true
  const there = world.look(path)
  if (there === null) return false
  if (there === 'file') return true
  // Into a folder: by name, as far as names are known; patterns are looked at only by their folder.
  return sources.some((source) => {
    if (source.text.includes('\0')) return true
    if (source.pattern) return false
    return world.look(join(path, basename(locate(literal(source.text), command, world).path ?? source.text))) !== null
  })
}
