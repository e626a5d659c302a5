import { mkdir, stat } from 'node:fs/promises'

/** Whether a path names an existing folder that can be looked at. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // Not there, or not ours to see: either way nobody can work in it.
    return false
  }
}

/** Makes a folder for its owner alone if it is missing. */
export const ensureFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
}
