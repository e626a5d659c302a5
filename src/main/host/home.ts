/**
 * Where one profile's facts live (cli.md 3). Looking creates nothing; missing folders come with the first write, mode
 * 0700. There is no current home: a function that needs one takes one.
 */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
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
  const named = flags.home ?? env['HERMA_HOME']
  // Tests work in temporary homes; touching a person's own by accident must fail at once (session-db 1.5).
  if (named === undefined && (env['VITEST'] !== undefined || env['HERMA_TEST'] === '1'))
    return refused(
      refusal('permission_denied', 'Under test the default home is refused.', {
        next: 'Set HERMA_HOME to a temporary folder.',
      }),
    )
  const root = resolve(named ?? join(homedir(), '.herma'))
  const profile = profileName.safeParse(flags.profile ?? env['HERMA_PROFILE'] ?? DEFAULT_PROFILE)
  if (!profile.success)
    return refused(
      refusal(
        'invalid_params',
        `"${flags.profile ?? env['HERMA_PROFILE']}" is not a profile name: use lower-case letters, digits, - and _.`,
      ),
    )
  const unusable = whyUnusable(root)
  if (unusable !== null) return refused(unusable)
  const path = profile.data === DEFAULT_PROFILE ? root : join(root, 'profiles', profile.data)
  return ok({ path, root, profile: profile.data })
}

function whyUnusable(root: string): Refusal | null {
  const next = 'Choose another folder with --home or HERMA_HOME.'
  try {
    if (!statSync(root).isDirectory())
      return refusal(
        'db_unavailable',
        `${root} is a file, but Herma's home has to be a folder. The file was left as it is.`,
        { next },
      )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      return refusal('db_unavailable', `${root} cannot be opened (${(error as NodeJS.ErrnoException).code}).`, { next })
  }
  return null
}

/** Folders below a home that hold what the parts write. */
const FOLDERS = ['run', 'logs', 'cache', 'backups'] as const

/** Makes what is missing, each folder readable by its owner alone. Refused with the reason when the disk says no. */
export function prepareHome(home: Home): Result<Home, Refusal> {
  try {
    for (const folder of ['', ...FOLDERS]) mkdirSync(join(home.path, folder), { recursive: true, mode: 0o700 })
    accessSync(home.path, constants.W_OK)
    return ok(home)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const full = code === 'ENOSPC' || code === 'EDQUOT'
    return refused(
      refusal(
        full ? 'db_full' : 'db_readonly',
        full ? `The disk of ${home.path} is full.` : `${home.path} cannot be written (${code}).`,
        {
          next: full
            ? 'Free some space, then try again. What was stored before is safe.'
            : `Make ${dirname(home.path)} writable, or choose another home with --home.`,
        },
      ),
    )
  }
}

export const stateFile = (home: Home): string => join(home.path, 'state.db')
export const runFolder = (home: Home): string => join(home.path, 'run')
export const configFile = (home: Home): string => join(home.path, 'config.yaml')
/** Where chats made in a window work until a person chooses a folder: never somebody's own files by default. */
export const workspaceOf = (home: Home): string => join(home.path, 'workspace')
