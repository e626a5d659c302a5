/**
 * The desktop app. Electron fires `ready` only after this module has finished, so nothing is awaited at the top level:
 * here stand only what has to come before `ready` (scheme, sandbox, one instance per home) and the hooks of the app.
 */
import { join } from 'node:path'
import { app, dialog, protocol } from 'electron'
import { findHome } from '../host/home.ts'
import { boot } from './boot.ts'
import { readLaunch } from './launch.ts'

const here = import.meta.dirname
const launch = readLaunch(process.argv)
const home = findHome(process.env, launch)

protocol.registerSchemesAsPrivileged([
  { scheme: 'herma', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
])
app.enableSandbox()

if (!home.ok) refuse(home.refusal.message, home.refusal.next)
else {
  // Chromium's own files live inside the home, and so does its lock: one instance per home, not per machine (U-20).
  app.setPath('userData', join(home.value.root, 'desktop'))
  if (!app.requestSingleInstanceLock({ argv: process.argv })) app.quit()
  else
    app.whenReady().then(() =>
      boot({
        home: home.value,
        launch,
        screens: join(here, '../renderer'),
        preload: join(here, '../preload/index.cjs'),
        devServer: app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'],
      }).catch((error: unknown) =>
        refuse(
          'Herma could not start.',
          `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nWhat was stored is safe.`,
        ),
      ),
    )
}

/** Says why there is no window, then ends: a box where there is a screen, and standard error for whoever reads that. */
function refuse(message: string, next: string | undefined): void {
  process.stderr.write(`${[message, next].filter(Boolean).join(' ')}\n`)
  dialog.showErrorBox('Herma', [message, next].filter(Boolean).join('\n\n'))
  app.exit(1)
}
