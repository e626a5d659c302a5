/** The file system as the tools see it: few operations, regular files only, so that a tool can be pointed elsewhere. */

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly mode: number
  /** Changes whenever the file is written or replaced. */
  readonly stamp: string
}
export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

/** Every method rejects with the system's error (`code` set) unless it says otherwise. Paths are absolute. */
export interface Files {
  /** Facts behind symbolic links; null when nothing is there. */
  look(path: string): Promise<FileFacts | null>
  /** The path with every symbolic link resolved, also when its last parts do not exist yet. */
  real(path: string): Promise<string>
  /** Entries in code-unit order of their names. */
  list(path: string): Promise<readonly FolderEntry[]>
  /** Bytes of a regular file. Never waits on a pipe or a device: those are refused. */
  read(path: string, signal?: AbortSignal): AsyncIterable<Uint8Array>
  /**
   * Puts `bytes` in place of whatever file stands at `path`, all or nothing: parents made, written beside it, synced,
   * read back and compared, then renamed. `unchanged` is asked right before the rename; false rejects with `changed`.
   * A failure after the rename has `replaced: true`: the new bytes are there, but perhaps not safe from a power cut.
   * A process that dies in between leaves the old file and one `.herma-*.tmp` beside it.
   */
  replace(
    path: string,
    bytes: Uint8Array,
    options: { readonly mode: number | null; readonly signal: AbortSignal; unchanged(): Promise<boolean> },
  ): Promise<FileFacts>
}

/** One plain sentence for a system error at a path. */
export function worldError(error: unknown, path: string): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const said = SENTENCES[code]
  if (said !== undefined) return `${path}: ${said}`
  return `${path}: ${error instanceof Error ? error.message : String(error)}`
}

const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the system does not permit that',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full; what was there before is untouched',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long for the file system',
  ELOOP: 'the symbolic links go round in a circle',
  EMFILE: 'too many files are open; try again',
  EDQUOT: 'the disk quota is used up; what was there before is untouched',
  moved: 'it led to another file when the call was checked, so it was left alone; try again',
  changed: 'it changed while this was being written, so nothing was replaced; read it again',
}
