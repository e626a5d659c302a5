/**
 * The floor that no mode, rule or person removes (kernel 5): wipes of root, home or system folders, new file systems,
 * raw devices, fork bombs, kill -1, shutdown. Short on purpose: everything here is a loss nobody can take back.
 */
import { isInside } from '../files/guarded-paths.ts'
import { readArguments } from './shell/options.ts'
import type { ShellCommand } from './shell/read-commands.ts'
import { literal, RUNTIME, type Word } from './shell/words.ts'
import { locate, type World } from './world.ts'

export interface Hardline {
  readonly rule: string
  readonly reason: string
}

/** The first hardline rule a command breaks, or null. */
export function hardlineOf(command: ShellCommand, world: World): Hardline | null {
  for (const { rule, reason, when } of RULES) if (when(command, world)) return { rule, reason }
  return null
}

export const FORK_BOMB: Hardline = {
  rule: 'fork_bomb',
  reason: 'it would start itself over and over until the machine stops',
}

interface Rule extends Hardline {
  when(command: ShellCommand, world: World): boolean
}

const RULES: readonly Rule[] = [
  {
    rule: 'wipe',
    reason: 'it would wipe the root, home or a system folder',
    when: (command, world) =>
      wiped(command).some((word) => isPrecious(word, command, world)) ||
      // `find / | xargs rm`
      (isRemover(command.name) &&
        command.via.includes('xargs') &&
        (command.input ?? []).some(
          (source) =>
            source.name === 'find' &&
            wiped({ ...source, words: [...source.words, literal('-delete')] }).some((word) =>
              isPrecious(word, source, world),
            ),
        )),
  },
  {
    rule: 'make_filesystem',
    reason: 'it would make a new file system or partition table over what is there',
    when: ({ name, words }) =>
      (/^(?:mkfs(?:\..*)?|mke2fs|mkswap|wipefs|blkdiscard|newfs.*)$/.test(name) && !onlyAsks(words)) ||
      (name === 'diskutil' && words.some((word) => /^(?:erase|partition|zero|secureErase)/i.test(word.text))) ||
      (name === 'format' && words.some((word) => /^[a-z]:$/i.test(word.text))),
  },
  {
    rule: 'raw_device',
    reason: 'it would write to a raw disk device',
    when: (command) => written(command).some((word) => DISK.test(word.text)),
  },
  {
    rule: 'kill_all',
    reason: 'it would end every process it can reach',
    when: ({ name, words }) => name === 'killall5' || (name === 'kill' && killsAll(words.map((word) => word.text))),
  },
  {
    rule: 'shutdown',
    reason: 'it would shut the machine down or restart it',
    when: ({ name, words }) => {
      if (onlyAsks(words)) return false
      const first = words.find((word) => !word.text.startsWith('-'))?.text ?? ''
      if (name === 'shutdown') return !words.some((word) => /^-(?:c|k)$/.test(word.text))
      if (['reboot', 'halt', 'poweroff'].includes(name)) return true
      if (name === 'init' || name === 'telinit') return /^[06]$/.test(first)
      return name === 'systemctl' && /^(?:poweroff|reboot|halt|kexec|soft-reboot|hibernate|suspend)$/.test(first)
    },
  },
  {
    rule: 'kernel_trigger',
    reason: 'it would command the kernel directly',
    when: (command) => written(command).some((word) => /^\/proc\/sysrq-trigger$/.test(word.text)),
  },
]

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|md|dm-|disk|rdisk|mapper\/|root|loop|mem$|kmem$|port$)/
const SYSTEM_FOLDERS = [
  ...['/bin', '/boot', '/dev', '/etc', '/home', '/lib', '/lib32', '/lib64', '/opt', '/proc', '/root', '/run', '/sbin'],
  ...['/srv', '/sys', '/usr', '/usr/bin', '/usr/lib', '/usr/local', '/usr/sbin', '/usr/share', '/var', '/var/lib'],
  ...['/System', '/Library', '/Users', '/Applications', '/Volumes', '/private', '/private/etc', '/private/var'],
]

/** Words whose whole tree the command deletes, moves away or makes unusable. */
function wiped(command: ShellCommand): readonly Word[] {
  const { name, words } = command
  switch (name) {
    case 'rm': {
      const given = readArguments(words)
      return given.has('rR', 'recursive', 'no-preserve-root') ? given.operands : []
    }
    case 'chmod':
    case 'chown':
    case 'chgrp': {
      const given = readArguments(words)
      return given.has('R', 'recursive') ? given.operands.slice(1) : []
    }
    case 'mv':
      return readArguments(words, 'tS').operands.slice(0, -1)
    case 'find': {
      const deletes = words.some(
        (word, at) =>
          word.text === '-delete' || (/^-exec(?:dir)?$/.test(word.text) && isRemover(words[at + 1]?.text ?? '')),
      )
      const narrowed = words.some((word) =>
        /^-(?:i?name|i?path|i?regex|newer|mtime|mmin|size|empty|user)$/.test(word.text),
      )
      return deletes && !narrowed ? words.filter((word, at) => startsOf(words, at) && !word.text.startsWith('-')) : []
    }
    case 'shred':
      return readArguments(words, 'ns').operands
    case 'rsync':
      return words.some((word) => /^--del/.test(word.text)) ? words.slice(-1) : []
    default:
      return []
  }
}

const isRemover = (name: string): boolean => /^(?:.*\/)?(?:rm|shred|unlink)$/.test(name)

/** Start folders of `find` stand before its first expression. */
const startsOf = (words: readonly Word[], at: number): boolean =>
  !words.slice(0, at + 1).some((word) => /^[-(!]/.test(word.text) && !/^-[HLPOD]/.test(word.text))

/** Root, home, a system folder, all that is in one of them, or something that becomes one when a variable is empty. */
function isPrecious(word: Word, command: ShellCommand, world: World): boolean {
  // `/$X`, `/*`, `/{bin,etc}`: the root or its folders, whatever follows.
  if (/^\/+(?:\.\/)*(?:$|\.?[*?[]|\0)/.test(word.text)) return true
  const everything = /^(.*?)\/?(?:\*|\.\*|\{\*,\.\*\}|\.\[!\.\]\*)$/s.exec(word.text)
  const folder = everything !== null && word.pattern ? (everything[1] === '' ? '.' : everything[1]) : null
  const plain = folder === null ? word : { ...word, text: folder ?? '.', pattern: false }
  if (plain.text.includes(RUNTIME) || plain.pattern) return false
  const { path } = locate(plain, command, world)
  if (path === null) return false
  if (path === '/' || SYSTEM_FOLDERS.includes(path)) return true
  // The home itself, or a folder that holds it.
  return isInside(world.userHome, path, world.foldCase)
}

/** Words the command writes to: redirections and the outputs of copying programs. */
function written(command: ShellCommand): readonly Word[] {
  const { name, words, redirects } = command
  const targets = redirects.flatMap(({ operator, target }) =>
    target !== null && /^(?:>|>>|>\||&>|&>>|>&|<>)$/.test(operator) ? [target] : [],
  )
  if (name === 'dd') {
    for (const word of words) if (word.text.startsWith('of=')) targets.push({ ...word, text: word.text.slice(3) })
  }
  if (['tee', 'shred', 'truncate', 'sgdisk', 'parted', 'fdisk', 'sfdisk', 'cfdisk', 'gdisk', 'hdparm'].includes(name)) {
    if (!words.some((word) => /^(?:-l|--list|-p|--print|print)$/.test(word.text))) targets.push(...words)
  }
  if (['cp', 'mv', 'install', 'ddrescue', 'pv'].includes(name)) targets.push(...words.slice(-1))
  return targets
}

/** `kill -1`, `kill -9 -1`, `kill -s KILL -- -1`; not `kill -1 4711`, which asks one process to reload. */
function killsAll(words: readonly string[]): boolean {
  let targets = words
  const [first, second] = words
  if (first === '-s' || first === '-n') targets = words.slice(2)
  else if (first !== undefined && /^-(?:[A-Za-z]+|\d+)$/.test(first) && second !== undefined) targets = words.slice(1)
  return targets.filter((word) => word !== '--').includes('-1')
}

const onlyAsks = (words: readonly Word[]): boolean =>
  words.length > 0 && words.every((word) => /^(?:--help|--version|-V)$/.test(word.text))
