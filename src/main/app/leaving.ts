/**
 * The way out (U-26), without Electron: asks once while turns run, lets the pages put down their drafts, closes the core,
 * then ends.
 *
 * `running` → `asking` → `background` (no window, turns go on, ends by itself after the last one), `leaving` (nothing
 * stops it any more), or back to `running`. `leaving` → `gone`. Dying on any line loses nothing that was stored: the next
 * start recovers the turns.
 */

/** How often a core in the background is asked whether its last turn has ended, ms. */
const LOOK_EVERY_MS = 1_000

export type Answer = 'background' | 'stop' | 'cancel'

export interface LeavingPorts {
  runningTurns(): number
  /** Asks over the window. */
  ask(running: number): Promise<Answer>
  windowIsOpen(): boolean
  /** Resolves when the window is gone. */
  closeWindow(): Promise<void>
  showWindow(): void
  /** Resolves when every call of a page is answered. */
  settled(): Promise<void>
  closeCore(): Promise<void>
  /** Asks the app to quit; `mayQuit` hears of it. */
  quit(): void
  /** Something on the way out failed: said, then the app ends all the same. */
  fail(error: unknown): void
  sleep(ms: number): Promise<void>
}

export class Leaving {
  readonly #ports: LeavingPorts
  #state: 'running' | 'asking' | 'background' | 'leaving' | 'gone' = 'running'

  constructor(ports: LeavingPorts) {
    this.#ports = ports
  }

  /** The app was asked to quit. True when it may end now; otherwise the way out begins, or is under way. */
  mayQuit(): boolean {
    if (this.#state === 'gone') return true
    if (this.#state === 'leaving' || this.#state === 'asking') return false
    const running = this.#ports.runningTurns()
    const next = running === 0 ? this.#leave() : this.#ask(running)
    next.catch((error: unknown) => this.#ports.fail(error))
    return false
  }

  /** A person closes the last window, which means quitting here. False when they are asked first. */
  mayCloseWindow(): boolean {
    if (this.#state === 'asking') return false
    if (this.#state !== 'running' || this.#ports.runningTurns() === 0) return true
    this.#ports.quit() // asks while the window is still there to be asked over
    return false
  }

  /** No window is left. True when the app should quit. */
  quitsWithoutWindow(): boolean {
    return this.#state === 'running'
  }

  async #ask(running: number): Promise<void> {
    this.#state = 'asking'
    const answer = await this.#ports.ask(running)
    if (answer === 'stop') return this.#leave()
    if (answer === 'background') return this.#goOn()
    this.#state = 'running'
    this.#ports.showWindow()
  }

  async #leave(): Promise<void> {
    this.#state = 'leaving'
    const { closeWindow, settled, closeCore, quit } = this.#ports
    await closeWindow()
    await settled()
    await closeCore()
    this.#state = 'gone'
    quit()
  }

  async #goOn(): Promise<void> {
    this.#state = 'background'
    await this.#ports.closeWindow()
    while (this.#state === 'background' && !this.#ports.windowIsOpen()) {
      if (this.#ports.runningTurns() === 0) return this.#leave()
      await this.#ports.sleep(LOOK_EVERY_MS)
    }
    // A new start brought the window back, and with it the ordinary way out.
    if (this.#state === 'background') this.#state = 'running'
  }
}
