/** The app's end, hooked to Electron's events (U-26). What happens on the way is in `leaving.ts`. */
import { app, dialog } from 'electron'
import { systemClock } from '../../shared/time.ts'
import type { Host } from '../host/index.ts'
import { type Answer, Leaving } from './leaving.ts'
import type { MainWindow } from './window.ts'

const ANSWERS: readonly Answer[] = ['background', 'stop', 'cancel']

/** Guards the app's end. @param settled resolves when the pages' calls are answered */
export function guardQuit({
  host,
  window,
  settled,
}: {
  readonly host: Pick<Host, 'runningTurns' | 'close'>
  readonly window: MainWindow
  readonly settled: () => Promise<void>
}): Leaving {
  const leaving = new Leaving({
    runningTurns: () => host.runningTurns(),
    ask: async (running) => ANSWERS[await window.ask(question(running))] ?? 'cancel',
    windowIsOpen: () => window.isOpen(),
    closeWindow: () => window.close(),
    showWindow: () => window.focus(),
    settled,
    closeCore: () => host.close(),
    quit: () => app.quit(),
    fail(error) {
      dialog.showErrorBox('Herma could not close cleanly', `${String(error)}\n\nWhat was stored is safe.`)
      app.exit(1)
    },
    sleep: (ms) => systemClock.sleep(ms),
  })
  app.on('before-quit', (event) => {
    if (!leaving.mayQuit()) event.preventDefault()
  })
  app.on('window-all-closed', () => {
    // On macOS an app outlives its windows.
    if (process.platform !== 'darwin' && leaving.quitsWithoutWindow()) app.quit()
  })
  return leaving
}

const question = (running: number) => ({
  type: 'question' as const,
  message: running === 1 ? 'A turn is still running' : `${running} turns are still running`,
  detail:
    'What they have done so far is stored. A stopped turn keeps its text. In the background, questions for you are answered with no.',
  buttons: ['Keep running in the background', 'Stop and quit', 'Cancel'],
  defaultId: 0,
  cancelId: 2,
  noLink: true,
})
