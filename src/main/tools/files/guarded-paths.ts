/**
 * Which files need a person's word, and which no tool may touch. All paths given here are real paths (links resolved);
 * on systems that ignore case they are compared folded.
 */
import { dirname, join, relative, sep } from 'node:path'

export interface Places {
  /** The folder of the user, real path. */
  readonly userHome: string
  /** Root of all Herma homes, real path. */
  readonly hermaRoot: string
  /** Compare without case (macOS, Windows). */
  readonly foldCase: boolean
}

export type PathStanding =
  | { readonly kind: 'plain' }
  | { readonly kind: 'sensitive' | 'forbidden'; readonly rule: string; readonly reason: string }

const PLAIN: PathStanding = { kind: 'plain' }

/** Below a Herma home: what the program itself owns. Everything else there is an ordinary file. */
const HERMA_OWN =
  /^(?:profiles\/[^/]+\/)?(?:run(?:\/|$)|config\.(?:ya?ml|json)|\.env|[^/]*\.lock|(?:kanban\/(?:.*\/)?)?[^/]*\.db(?:-wal|-shm|-journal)?$)/
const HERMA_SECRET = /^(?:profiles\/[^/]+\/)?(?:\.env|run\/)/

const SYSTEM = [
  ...['/etc', '/boot', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/usr/bin', '/usr/sbin', '/usr/lib'],
  ...['/sys', '/proc', '/dev', '/System', '/private/etc', 'C:/Windows'],
]
const USER_STARTUP =
  /^(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zprofile|zshenv|zlogin|xprofile|xinitrc|pam_environment|gitconfig)|\.config\/(?:fish|git|autostart|systemd)\/.*|Library\/LaunchAgents\/.*)$/
const USER_KEYS =
  /^(?:\.(?:ssh|gnupg|aws|kube|azure)(?:\/.*)?|\.config\/(?:gcloud|gh)\/.*|\.docker\/config\.json|\.(?:netrc|npmrc|pypirc|pgpass|git-credentials))$/
const PUBLIC_KEYS = /^\.ssh\/(?:.*\.pub|known_hosts.*|config)$/
const GIT_CODE = /(?:^|\/)\.git\/(?:hooks\/|config$)/

/** How far writing to `path` needs a person. Nothing here depends on the working folder. */
export function standingForWrite(path: string, places: Places): PathStanding {
  const inHerma = below(path, places.hermaRoot, places)
  if (inHerma !== null && HERMA_OWN.test(inHerma)) {
    return { kind: 'forbidden', rule: 'herma_files', reason: "it belongs to Herma's own records and settings" }
  }
  if (SYSTEM.some((folder) => path === folder || below(path, folder, places) !== null)) {
    return { kind: 'forbidden', rule: 'system_path', reason: 'it is a file of the operating system' }
  }
  const inHome = below(path, places.userHome, places)
  if (inHome !== null && USER_KEYS.test(inHome)) {
    return { kind: 'sensitive', rule: 'key_files', reason: 'it holds keys or logins' }
  }
  if (inHome !== null && USER_STARTUP.test(inHome)) {
    return {
      kind: 'sensitive',
      rule: 'startup_files',
      reason: 'it is run or read whenever you log in or start a shell',
    }
  }
  if (GIT_CODE.test(slashes(path))) {
    return { kind: 'sensitive', rule: 'git_hooks', reason: 'git runs what stands there' }
  }
  return PLAIN
}

/** How far reading `path` needs a person: what is read goes to the model's provider. */
export function standingForRead(path: string, places: Places): PathStanding {
  const inHerma = below(path, places.hermaRoot, places)
  if (inHerma !== null && HERMA_SECRET.test(inHerma)) {
    return { kind: 'forbidden', rule: 'herma_secrets', reason: "it holds Herma's own keys" }
  }
  const inHome = below(path, places.userHome, places)
  if (inHome !== null && USER_KEYS.test(inHome) && !PUBLIC_KEYS.test(inHome)) {
    return {
      kind: 'sensitive',
      rule: 'key_files',
      reason: 'it holds keys or logins, and what is read goes to the model',
    }
  }
  return PLAIN
}

/** Whether `path` is `folder` or below it. */
export const isInside = (path: string, folder: string, foldCase = false): boolean =>
  fold(path, foldCase) === fold(folder, foldCase) || below(path, folder, { foldCase }) !== null

/** The folder rule that *Always allow* may store for a write; null when the folder is too wide for a standing permission. */
export function folderRule(path: string, places: Places): string | null {
  const folder = dirname(path)
  const wide = dirname(folder) === folder || isInside(places.userHome, folder, places.foldCase)
  return wide ? null : slashes(join(folder, sep))
}

/** The part of `path` below `folder` with forward slashes, or null. */
function below(path: string, folder: string, { foldCase }: { readonly foldCase: boolean }): string | null {
  const rest = relative(fold(folder, foldCase), fold(path, foldCase))
  if (rest === '' || rest === '..' || rest.startsWith(`..${sep}`) || /^[A-Za-z]:/.test(rest)) return null
  return slashes(rest)
}

const fold = (path: string, foldCase: boolean): string => (foldCase ? path.normalize('NFC').toLowerCase() : path)
const slashes = (path: string): string => (sep === '\\' ? path.replaceAll('\\', '/') : path)
