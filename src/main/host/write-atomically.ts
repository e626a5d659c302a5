import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'

/**
 * Writes small files whole or not at all: a reader, and a process that starts after a crash, finds the old text or the
 * new one. The mode of an existing file stays; a link stays a link and its target is replaced.
 * @param mode of a new file
 * @throws the file system's own error; the old file is as it was then
 */
export function writeAtomically(file: string, text: string, mode: number): void {
  const there = statSync(file, { throwIfNoEntry: false })
  const target = there === undefined ? file : realpathSync(file)
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = openSync(temporary, 'wx', mode)
    try {
      // The mode of `open` passes through the umask, and a file that others may read must not become unreadable to them.
      if (there !== undefined) fchmodSync(handle, there.mode & 0o777)
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(temporary, target)
  } finally {
    rmSync(temporary, { force: true })
  }
}
