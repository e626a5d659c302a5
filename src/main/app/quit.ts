/**
 * The way out (U-26): asks once while turns run, lets the pages put down their drafts, closes the core, then ends with 0.
 *
 * States: `running` → (asked) → `background` (window gone, turns go on, ends by itself after the last one) or `leaving`
 * (nothing stops it any more). Dying on any line loses nothing that was stored: the next start recovers the turns.
 */
import { app, dialog } from 'electron'
import type { Host } from '../host/index.ts'
import type { MainWindow } from './window.ts'

/** How often a core in the background is asked whether its last turn has ended, ms. */
const LOOK_EVERY_MS = 1_000

export interface Leaving {
  /** Whether the window may close now; false when the person is being asked first. */
  mayClose(): boolean
}

/** Hooks the app's end. @param settled resolves when the pages' calls are answered */
export function guardQuit({
  host,
  window,
  settled,
}: {
  readonly host: Pick<Host, 'runningTurns' | 'close'>
  readonly window: MainWindow
  readonly settled: () => Promise<void>
}): Leaving {
  let state: 'running' | 'asking' | 'background' | 'leaving' | 'gone' = 'running'

  const leave = async (): Promise<void> => {
    state = 'leaving'
    await window.close()
    await settled()
    await host.close()
    state = 'gone'
    app.quit()
  }
  const goOnInBackground = async (): Promise<void> => {
    state = 'background'
    await window.close()
    const timer = setInterval(() => {
      if (state === 'background' && !window.isOpen() && host.runningTurns() > 0) return
      clearInterval(timer)
      if (state === 'background') state = 'running'
      if (!window.isOpen()) app.quit()
    }, LOOK_EVERY_MS)
  }
  const ask = async (running: number): Promise<void> => {
    state = 'asking'
    const answer = await window.ask({
      type: 'question',
      message: running === 1 ? 'A turn is still running' : `${running} turns are still running`,
      detail: 'What they have done so far is stored. Stopped turns keep their text and can be continued.',
      buttons: ['Keep running in the background', 'Stop and quit', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    })
    if (answer === 0) await goOnInBackground()
    else if (answer === 1) await leave()
    else {
      state = 'running'
      window.focus()
    }
  }
  const fail = (error: unknown): void => {
    dialog.showErrorBox('Herma could not close cleanly', `${String(error)}\n\nWhat was stored is safe.`)
    app.exit(1)
  }

  app.on('before-quit', (event) => {
    if (state === 'gone') return
    event.preventDefault()
    if (state === 'leaving' || state === 'asking') return
    const running = host.runningTurns()
    const next = running > 0 ? ask(running) : leave()
    next.catch(fail)
  })
  app.on('window-all-closed', () => {
    if (state === 'running' && process.platform !== 'darwin') app.quit()
  })
  return {
    mayClose() {
      if (state !== 'running' || process.platform === 'darwin' || host.runningTurns() === 0) return true
      app.quit() // asks while the window is still there to be asked over
      return false
    },
  }
}
