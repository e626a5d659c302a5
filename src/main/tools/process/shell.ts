import { existsSync } from 'node:fs'
import { join } from 'node:path'

const POSIX = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash', '/bin/sh']

/**
 * The shell that commands are written for: bash, since that is what models write and what the approval scan reads;
 * `/bin/sh` where there is none. On Windows the bash of Git. null when nothing fits.
 */
export function findShell(env: Readonly<Record<string, string | undefined>>): string | null {
  if (process.platform !== 'win32') return POSIX.find((path) => existsSync(path)) ?? null
  const roots = [env['ProgramFiles'], env['ProgramW6432'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']]
  return (
    roots
      .filter((root) => root !== undefined)
      .flatMap((root) => [join(root, 'Git', 'bin', 'bash.exe'), join(root, 'Programs', 'Git', 'bin', 'bash.exe')])
      .find((path) => existsSync(path)) ?? null
  )
}
