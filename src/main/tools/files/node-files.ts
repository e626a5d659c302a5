import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, mkdir, open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FileFacts, Files, FolderEntry } from './files.ts'

const CHUNK_BYTES = 65_536
/** Links a path may go through before it counts as a circle; Linux uses the same number. */
const MAX_LINKS = 40

/** The real file system. */
export const nodeFiles: Files = {
  look: async (path) => {
    try {
      return factsOf(await stat(path, { bigint: true }))
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
      throw error
    }
  },
  real: (path) => real(resolve(path), 0),
  list: async (path) => {
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .map((entry): FolderEntry => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  },
  read: readRegular,
  replace,
}

type Stats = Awaited<ReturnType<typeof stat>> & { mtimeNs?: bigint }

const factsOf = (stats: Stats): FileFacts => ({
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other',
  size: Number(stats.size),
  mode: Number(stats.mode) & 0o7777,
  stamp: [stats.dev, stats.ino, stats.size, stats.mtimeNs ?? stats.mtimeMs].join(':'),
})

const kindOf = (entry: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): FolderEntry['kind'] =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other'

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

async function real(path: string, links: number): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
  }
  // A link to something that is not there yet: writing through it would create its target.
  const target = await readlink(path).catch(() => null)
  if (target !== null) {
    if (links >= MAX_LINKS) throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
    return real(resolve(dirname(path), target), links + 1)
  }
  const parent = dirname(path)
  return parent === path ? path : join(await real(parent, links), basename(path))
}

async function* readRegular(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  // Without O_NONBLOCK, opening a pipe that nobody writes to waits for ever.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw Object.assign(new Error('it is not a regular file'), { code: 'ENOTREG' })
    // Small files get small buffers: a search opens thousands of them.
    const chunk = Math.min(CHUNK_BYTES, facts.size + 1)
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunk), 0, chunk, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

async function replace(
  path: string,
  bytes: Uint8Array,
  { mode, signal, unchanged }: Parameters<Files['replace']>[2],
): Promise<FileFacts> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  // A rename would put a new file over one that its owner made read-only.
  if (mode !== null) await access(path, constants.W_OK)
  const draft = join(folder, `.${basename(path).slice(0, 40)}.herma-${randomBytes(6).toString('hex')}.tmp`)
  // A new file gets the ordinary mode with the umask; a replaced one stays closed until it has its old mode.
  const handle = await open(draft, 'wx+', mode === null ? 0o666 : 0o600)
  try {
    try {
      await handle.writeFile(bytes)
      if (mode !== null) await handle.chmod(mode)
      await handle.sync()
      await compare(handle, bytes)
    } finally {
      await handle.close()
    }
    signal.throwIfAborted()
    if (!(await unchanged())) throw Object.assign(new Error('the file changed meanwhile'), { code: 'changed' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  try {
    await syncFolder(folder)
    return factsOf(await stat(path, { bigint: true }))
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { replaced: true })
  }
}

/** Reads back what was written: a disk that lies is found before the old file is gone. */
async function compare(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  const back = Buffer.allocUnsafe(CHUNK_BYTES)
  let at = 0
  for (;;) {
    const { bytesRead } = await handle.read(back, 0, CHUNK_BYTES, at)
    if (bytesRead === 0) break
    if (!back.subarray(0, bytesRead).equals(bytes.subarray(at, at + bytesRead))) break
    at += bytesRead
  }
  if (at !== bytes.length) throw new Error('the bytes read back differ from the bytes written; the old file was kept')
}

/** The rename itself must survive a power cut. Windows cannot open folders; its journal keeps the rename. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
