/** What the scan may know of the machine, and where the paths in a command lead. Looks, never touches. */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isInside, type Places } from '../files/guarded-paths.ts'
import type { ShellCommand } from './shell/read-commands.ts'
import { certainStart, RUNTIME, type Word } from './shell/words.ts'

export interface World extends Places {
  /** Real path of the conversation's working folder. */
  readonly workspace: string
  /** Folders for temporary files, real paths. */
  readonly temporary: readonly string[]
  /** Real path, links resolved as far as they exist. */
  real(path: string): string
  /** What stands there, without following a last link. */
  look(path: string): 'file' | 'folder' | null
}

export type Location = {
  /** `unknown`: decided while running. */
  readonly where: 'inside' | 'temporary' | 'outside' | 'unknown'
  /** Real path; for a pattern or an open end the folder that is certain. */
  readonly path: string | null
  /** The word names exactly this path. */
  readonly exact: boolean
}

/** Where a word leads when it is taken as a path in the command's folder. */
export function locate(word: Word, command: Pick<ShellCommand, 'cwd'>, world: World): Location {
  const start = certainStart(word)
  const open = start.length < word.text.length || word.pattern
  const unknown: Location = { where: 'unknown', path: null, exact: false }
  if (start === '' && open) return unknown
  if (!start.startsWith('/') && command.cwd === null) return unknown
  const certain = open ? folderPart(start.replace(/[*?[].*$/s, '')) : start
  const path = world.real(resolve(command.cwd ?? '/', certain))
  const where = isInside(path, world.workspace, world.foldCase)
    ? 'inside'
    : world.temporary.some((folder) => path !== folder && isInside(path, folder, world.foldCase))
      ? 'temporary'
      : 'outside'
  return { where, path, exact: !open }
}

const folderPart = (text: string): string => (text.endsWith('/') ? text : text.includes('/') ? dirname(text) : '.')

/** Whether all words certainly lead into the working folder, and none of them is that folder itself. */
export const allInside = (words: readonly Word[], command: ShellCommand, world: World): boolean =>
  words.length > 0 &&
  words.every((word) => {
    const { where, path, exact } = locate(word, command, world)
    return where === 'inside' && !(exact && path === world.workspace) && !word.text.includes(`..${RUNTIME}`)
  })

/** The machine as it is. */
export function machineWorld(places: Places, workspace: string, temporary: readonly string[]): World {
  // One command is judged in one moment: a path is looked up once for all patterns that ask about it.
  const known = new Map<string, string>()
  const real = (path: string): string => {
    const found = known.get(path) ?? realSync(path)
    known.set(path, found)
    return found
  }
  return { ...places, workspace: real(workspace), temporary: temporary.map(real), real, look }
}

/** Resolves links as far as the path exists; what cannot be looked at stays as written. */
export function realSync(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realSync(parent), basename(path))
  }
}

function look(path: string): 'file' | 'folder' | null {
  try {
    const facts = lstatSync(path)
    return (facts.isSymbolicLink() ? statSync(path).isDirectory() : facts.isDirectory()) ? 'folder' : 'file'
  } catch {
    return null
  }
}
