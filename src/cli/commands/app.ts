/** `herma app`: the desktop window is Electron's own entry; here we only find and start it. */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure, EXIT, type ExitCode } from '../exit.ts'
import { buildFolder } from '../place.ts'

/** The packaged app starts its window by its own binary; a checkout through the starter script. */
export async function openApp(): Promise<ExitCode> {
  const starter = join(buildFolder(), '../scripts/start.mjs')
  if (statSync(starter, { throwIfNoEntry: false }) === undefined)
    throw new CommandFailure(
      EXIT.failed,
      'The desktop app is not part of this installation.',
      'Use `herma serve` for the same screens in a browser.',
    )
  const child = spawn(process.execPath, [starter], { stdio: 'inherit' })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0 ? EXIT.done : EXIT.failed)))
}
