/**
 * Where one profile's facts live (cli.md 3). Looking creates nothing; missing folders come with the first write, mode
 * 0700. There is no current home: a function that needs one takes one.
 */
import { accessSync, constants, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Refusal, refusal } from '../../shared/contract/index.ts'
import { DEFAULT_PROFILE, type Profile, profileName } from '../../shared/ids.ts'
import { ok, type Result, refused } from '../../shared/result.ts'

export interface Home {
  /** Folder of the profile: the root for `default`, `<root>/profiles/<id>` otherwise. Absolute. */
  readonly path: string
  readonly root: string
  readonly profile: Profile
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * The home that flags and environment name: flag, then HERMA_HOME, then `~/.herma`; profile likewise. Refused when the
 * place cannot be a home; nothing is made then.
 */
export function findHome(
  env: Env,
  flags: { home?: string | undefined; profile?: string | undefined } = {},
): Result<Home, Refusal> {
  const named = given(flags.home) ?? given(env['HERMA_HOME'])
  // Tests work in temporary homes; touching a person's own by accident must fail at once (session-db 1.5).
  if (named === undefined && (env['VITEST'] !== undefined || env['HERMA_TEST'] === '1'))
    return refused(
      refusal('permission_denied', 'Under test the default home is refused.', {
        next: 'Set HERMA_HOME to a temporary folder.',
      }),
    )
  const root = resolve(named ?? join(homedir(), '.herma'))
  const wanted = given(flags.profile) ?? given(env['HERMA_PROFILE']) ?? DEFAULT_PROFILE
  const profile = profileName.safeParse(wanted)
  if (!profile.success)
    return refused(
      refusal('invalid_params', `"${wanted}" is not a profile name: use lower-case letters, digits, - and _.`),
    )
  const path = profile.data === DEFAULT_PROFILE ? root : join(root, 'profiles', profile.data)
  const unusable = whyUnusable(root) ?? whyUnusable(path)
  if (unusable !== null) return refused(unusable)
  return ok({ path, root, profile: profile.data })
}

/** An empty variable is an unset one: `HERMA_HOME= herma` must not take the current folder for a home. */
const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** Why a path cannot be a home; null when it can, or when nothing is there yet. */
function whyUnusable(path: string): Refusal | null {
  const next = 'Choose another folder with --home or HERMA_HOME.'
  try {
    if (!statSync(path).isDirectory())
      return refusal(
        'db_unavailable',
        `${path} is a file, but Herma's home has to be a folder. The file was left as it is.`,
        { next },
      )
    accessSync(path, constants.R_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    const why = code === 'ENOTDIR' ? 'a part of this path is a file' : code
    return refusal('db_unavailable', `${path} cannot be opened (${why}). Nothing was changed.`, { next })
  }
  return null
}

/** Folders below a home that hold what the parts write. */
const FOLDERS = ['run', 'logs', 'cache', 'backups'] as const

/**
 * Makes what is missing, each folder readable by its owner alone. Refused with the reason when the disk says no; what was
 * made until then is taken away again, so that a home is whole or absent.
 */
export function prepareHome(home: Home): Result<Home, Refusal> {
  const made: string[] = []
  try {
    for (const folder of [home.path, ...FOLDERS.map((name) => join(home.path, name))])
      for (const path of [...missing(dirname(folder)), folder]) if (makeFolder(path)) made.push(path)
    accessSync(home.path, constants.W_OK)
    return ok(home)
  } catch (error) {
    takeAway(made)
    return refused(unwritable(home.path, error))
  }
}

/**
 * The refusal for a place that could not be written: a full disk, or one that says no. Errors of another kind are ours.
 * @throws what is no error of the file system, unchanged
 */
export function unwritable(path: string, error: unknown): Refusal {
  const code = (error as NodeJS.ErrnoException).code
  if (code === undefined) throw error
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return refusal('db_full', `The disk of ${path} is full.`, {
      next: 'Free some space, then try again. What was stored before is safe.',
    })
  return refusal('db_readonly', `${path} cannot be written (${code}). What was stored before is safe.`, {
    next: `Make ${dirname(path)} writable, or choose another home with --home.`,
  })
}

/**
 * The folders that have to be made for a path, outermost first. By hand, because `mkdir` with `recursive` does not return
 * on a file system that answers ENOENT to every new folder.
 */
function missing(path: string): string[] {
  const folders: string[] = []
  for (let at = path; statSync(at, { throwIfNoEntry: false }) === undefined && at !== dirname(at); at = dirname(at))
    folders.unshift(at)
  return folders
}

/** False when it is there already. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(path).isDirectory()) return false
    throw error
  }
}

function takeAway(made: readonly string[]): void {
  for (const folder of made.toReversed())
    try {
      rmdirSync(folder)
    } catch (error) {
      // Somebody put something in it meanwhile: then it is theirs, and stays.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
}

export const stateFile = (home: Home): string => join(home.path, 'state.db')
export const runFolder = (home: Home): string => join(home.path, 'run')
export const configFile = (home: Home): string => join(home.path, 'config.yaml')
/** Where chats made in a window work until a person chooses a folder: never somebody's own files by default. */
export const workspaceOf = (home: Home): string => join(home.path, 'workspace')
