/** Files that would be lost, overwritten or changed outside the working folder. */
import { isInside, standingForRead, standingForWrite } from '../../files/guarded-paths.ts'
import { readArguments } from '../shell/options.ts'
import type { ShellCommand } from '../shell/read-commands.ts'
import type { Word } from '../shell/words.ts'
import { allInside, locate, type World } from '../world.ts'
import { onlyAsks, type Pattern } from './pattern.ts'
import { changed, isSink, overwrites, written } from './targets.ts'

const DELETERS = new Set(['unlink', 'shred', 'wipe', 'trash', 'trash-put', 'del', 'del-cli'])
/** Programs that only look, so that naming one of Herma's own files to them is harmless. */
const READERS = new Set([
  ...['cat', 'ls', 'head', 'tail', 'stat', 'file', 'wc', 'du', 'grep', 'less', 'more', 'sha256sum', 'md5sum', 'echo'],
  ...[
    'test',
    '[',
    'readlink',
    'realpath',
    'basename',
    'dirname',
    'find',
    'diff',
    'cmp',
    'strings',
    'xxd',
    'hexdump',
    'cd',
  ],
])

const HARMLESS_AFTER_FIND = new Set([
  ...['grep', 'egrep', 'fgrep', 'rg', 'cat', 'head', 'tail', 'wc', 'ls', 'stat', 'file', 'echo', 'printf', 'test'],
  ...[
    'basename',
    'dirname',
    'du',
    'diff',
    'cmp',
    'md5sum',
    'sha1sum',
    'sha256sum',
    'readlink',
    'realpath',
    'sort',
    '[',
  ],
])

export const FILE_PATTERNS: readonly Pattern[] = [
  {
    key: 'delete_files',
    reason: 'it deletes files',
    when: (command, world) => deletes(command, world, { recursive: false, inside: true }),
  },
  {
    key: 'delete_files_outside',
    reason: 'it deletes files outside the working folder, or files that are only known when it runs',
    when: (command, world) => deletes(command, world, { recursive: false, inside: false }),
  },
  {
    key: 'delete_recursively',
    reason: 'it deletes folders with everything in them',
    when: (command, world) => deletes(command, world, { recursive: true, inside: true }),
  },
  {
    key: 'delete_recursively_outside',
    reason: 'it deletes whole folders outside the working folder, or ones that are only known when it runs',
    when: (command, world) => deletes(command, world, { recursive: true, inside: false }),
  },
  {
    key: 'find_and_act',
    reason: 'it deletes or changes whatever a search finds',
    when: ({ name, words, via }) =>
      (name === 'find' && words.some((word) => /^-(?:delete|fprintf?|fprint0|fls)$/.test(word.text))) ||
      (['find', 'fd', 'fdfind'].includes(via.at(-1) ?? '') && !HARMLESS_AFTER_FIND.has(name)),
  },
  {
    key: 'overwrite_files',
    reason: 'it would overwrite a file that is there',
    when: (command, world) => overwrites(command, world),
  },
  {
    key: 'write_outside',
    reason: 'it writes outside the working folder',
    when: (command, world) =>
      written(command).some((word) => {
        const { where, path } = locate(word, command, world)
        return (where === 'outside' || where === 'unknown') && !(path !== null && isSink(path))
      }),
  },
  {
    key: 'guarded_files',
    reason: 'it writes to system, start-up, key or Herma files',
    when: (command, world) =>
      [...written(command), ...changed(command)].some((word) => {
        const { path } = locate(word, command, world)
        return path !== null && !isSink(path) && standingForWrite(path, world).kind !== 'plain'
      }) || handsOutHerma(command, world),
  },
  {
    key: 'key_files',
    reason: 'it reads files that hold keys or logins, and what is read goes to the model',
    when: (command, world) =>
      [...command.words, ...command.redirects.flatMap(({ target }) => target ?? [])].some((word) => {
        if (!/[/~.]/.test(word.text)) return false
        if (mayBecomeKeyFile(word, world)) return true
        const { path } = locate(word, command, world)
        return path !== null && standingForRead(path, world).kind !== 'plain'
      }),
  },
  {
    key: 'raw_copy',
    reason: 'dd writes bytes without regard to what is there',
    when: ({ name, words }) => name === 'dd' && !onlyAsks(words),
  },
  {
    key: 'permissions_recursively',
    reason: 'it changes owner or permissions of whole folders',
    when: ({ name, words }) =>
      ['chmod', 'chown', 'chgrp', 'setfacl', 'chattr'].includes(name) && readArguments(words).has('R', 'recursive'),
  },
  {
    key: 'permissions_open',
    reason: 'it gives everybody write access, or a program its owner’s rights',
    when: ({ name, words }) =>
      (name === 'chmod' &&
        words.some((word) =>
          /^(?:[0-7]?[0-7][0-7][2367]|[2467][0-7]{3}|[ugoa]*\+[rwx]*s.*|[oa]*[oa][oa]*[+=][rx]*w.*)$/.test(word.text),
        )) ||
      name === 'setcap' ||
      name === 'chattr',
  },
  {
    key: 'unpack_outside',
    reason: 'it unpacks files outside the working folder',
    when: (command, world) => {
      const { name, words } = command
      if (!['tar', 'bsdtar', 'unzip', '7z', 'cpio'].includes(name)) return false
      const given = readArguments(words, name === 'unzip' ? 'd' : name === '7z' ? 'o' : 'Cf')
      if (name.endsWith('tar') && given.has('P', 'absolute-names')) return true
      const folders =
        name === 'unzip'
          ? given.values('d', '')
          : name === '7z'
            ? given.values('o', '')
            : given.values('C', 'directory')
      return folders.some((word) => ['outside', 'unknown'].includes(locate(word, command, world).where))
    },
  },
]

/** One of Herma's own files given to a program that may do anything with it. */
const handsOutHerma = (command: ShellCommand, world: World): boolean =>
  !READERS.has(command.name) &&
  command.words.some((word) => {
    if (!/[/~]/.test(word.text) && command.cwd !== null && !isInside(command.cwd, world.hermaRoot, world.foldCase))
      return false
    const { path } = locate(word, command, world)
    const standing = path === null ? null : standingForWrite(path, world)
    return standing?.kind === 'forbidden' && standing.rule === 'herma_files'
  })

/** `~/.ss?/…`: a pattern over the hidden folders of the home, where keys are kept. */
const mayBecomeKeyFile = (word: Word, world: World): boolean =>
  word.pattern &&
  word.text.startsWith(`${world.userHome}/`) &&
  /^\/\.[^/]*[*?[]/.test(word.text.slice(world.userHome.length))

function deletes(command: ShellCommand, world: World, want: { recursive: boolean; inside: boolean }): boolean {
  const { name, words } = command
  if (onlyAsks(words)) return false
  let recursive = false
  let targets: readonly Word[]
  if (name === 'rm' || name === 'srm') {
    const given = readArguments(words)
    recursive = given.has('rR', 'recursive') || given.open
    targets = given.operands
  } else if (DELETERS.has(name)) {
    targets = readArguments(words, 'ns').operands
  } else if (name === 'rimraf') {
    recursive = true
    targets = readArguments(words).operands
  } else if (name === 'rmdir') {
    const given = readArguments(words)
    if (!given.has('pr', 'parents')) return false
    targets = given.operands
  } else if (name === 'rsync') {
    if (!words.some((word) => /^--(?:del|delete.*|remove-source-files)$/.test(word.text))) return false
    recursive = true
    targets = words.slice(-1)
  } else {
    return false
  }
  if (targets.length === 0 && command.via.length === 0) return false
  return recursive === want.recursive && allInside(targets, command, world) === want.inside
}
