/** The app's window: safe by construction, painted before it shows, back where it was (U-10, U-21–U-24, U-242, U-250). */
import { BrowserWindow, dialog, Menu, type MessageBoxOptions, screen } from 'electron'
import type { ShellMessage } from '../../shared/bridge.ts'
import type { ConversationId } from '../../shared/ids.ts'
import type { ShellPorts } from '../host/ports.ts'
import { SCREENS } from './addresses.ts'
import { readKeptWindow, writeKeptWindow } from './kept-window.ts'
import type { ScreenCommand } from './menu-model.ts'
import { LEAST, type Placement, placeWindow, type Rectangle } from './placement.ts'
import { stepZoom } from './zoom.ts'

/** Token `canvas` of both themes (U-242): the ground before the page has painted anything. */
const GROUND = { light: '#f7f7f5', dark: '#17181a' } as const
/** Token `line-strong`, readable on both grounds: the window's own buttons follow no theme change of the page. */
const BUTTONS = '#7c8087'
const TITLE_BAR_PX = 32
/** After the last move or resize, ms. A crash before that loses a place, nothing else. */
const KEEP_AFTER_MS = 500
/** A page that dies again this soon after it was loaded anew is left as it is. */
const DIES_AGAIN_MS = 30_000

export interface WindowOptions {
  readonly preload: string
  /** Address of the page; our own scheme when undefined. */
  readonly address: string | undefined
  /** Where place and zoom are kept. */
  readonly file: string
  readonly dark: () => boolean
  readonly log: ShellPorts['log']
  readonly mayClose: () => boolean
}

export class MainWindow {
  readonly #options: WindowOptions
  #window: BrowserWindow | null = null
  #zoom: number
  #place: Placement | null
  #keeping: NodeJS.Timeout | undefined

  constructor(options: WindowOptions) {
    this.#options = options
    const kept = readKeptWindow(options.file)
    this.#zoom = kept.zoom
    this.#place = kept.place
  }

  isOpen(): boolean {
    return this.#window !== null
  }

  /** Opens the window, or brings the open one to the front. */
  focus(): void {
    if (this.#window === null) {
      this.open()
      return
    }
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
  }

  open(): void {
    if (this.#window !== null) return
    const place = placeWindow(this.#place, workAreas())
    const window = new BrowserWindow({
      ...place.bounds,
      minWidth: LEAST.width,
      minHeight: LEAST.height,
      show: false,
      title: 'Herma',
      backgroundColor: this.#options.dark() ? GROUND.dark : GROUND.light,
      ...titleBar(),
      autoHideMenuBar: true,
      webPreferences: {
        preload: this.#options.preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        // Elsewhere Chromium would fetch a dictionary from a foreign host unasked.
        spellcheck: process.platform === 'darwin',
      },
    })
    this.#window = window
    this.#keepPlaceOf(window)
    this.#watchPage(window)
    window.once('ready-to-show', () => {
      if (place.maximized) window.maximize()
      if (place.fullScreen) window.setFullScreen(true)
      window.show()
    })
    window.on('close', (event) => {
      if (!this.#options.mayClose()) event.preventDefault()
    })
    window.on('closed', () => {
      this.#window = null
    })
    window.loadURL(this.#options.address ?? SCREENS).catch((error: unknown) => {
      // It rejects as well when the window is closed while the page loads.
      if (!window.isDestroyed()) this.#options.log('error', 'the page could not be loaded', { error: String(error) })
    })
  }

  /** Closes the window; resolves when it is gone and its place is kept. */
  async close(): Promise<void> {
    const window = this.#window
    if (window === null) return
    const gone = new Promise<void>((resolve) => window.once('closed', () => resolve()))
    window.close()
    await gone
  }

  /** An event frame for the page. */
  send(message: string): void {
    this.#window?.webContents.send('herma:event', message)
  }

  /** Runs one of the screens' commands in the page. */
  command(id: ScreenCommand): void {
    this.#tell({ jsonrpc: '2.0', method: 'shell.command', params: { id } })
  }

  showChat(conversation: ConversationId): void {
    this.focus()
    this.#tell({ jsonrpc: '2.0', method: 'shell.show', params: { conversation } })
  }

  /** A step up, down, or back to 100 % (U-23). */
  zoom(by: 1 | 0 | -1): void {
    this.#zoom = stepZoom(this.#zoom, by)
    this.#window?.webContents.setZoomFactor(this.#zoom / 100)
    this.#keepSoon()
  }

  /** Asks over the window. @returns the index of the pressed button */
  async ask(question: MessageBoxOptions): Promise<number> {
    const window = this.#window
    const { response } = await (window === null
      ? dialog.showMessageBox(question)
      : dialog.showMessageBox(window, question))
    return response
  }

  #tell(message: ShellMessage): void {
    this.send(JSON.stringify(message))
  }

  #watchPage(window: BrowserWindow): void {
    const { webContents } = window
    let loadedAt = 0
    webContents.on('did-finish-load', () => {
      loadedAt = performance.now()
      webContents.setZoomFactor(this.#zoom / 100)
    })
    webContents.on('zoom-changed', (_event, direction) => this.zoom(direction === 'in' ? 1 : -1))
    // What a page shows is stored elsewhere (U-10), so a dead one is simply made anew.
    webContents.on('render-process-gone', (_event, { reason }) => {
      this.#options.log('error', 'the page ended', { reason })
      if (reason !== 'clean-exit' && performance.now() - loadedAt > DIES_AGAIN_MS) webContents.reload()
    })
    if (process.platform !== 'darwin') openMenuWithAlt(window)
  }

  #keepPlaceOf(window: BrowserWindow): void {
    const note = (): void => {
      if (window.isDestroyed() || window.isMinimized()) return
      this.#place = {
        bounds: window.getNormalBounds(),
        maximized: window.isMaximized(),
        fullScreen: window.isFullScreen(),
      }
      this.#keepSoon()
    }
    window.on('resize', note)
    window.on('move', note)
    window.on('maximize', note)
    window.on('unmaximize', note)
    window.on('enter-full-screen', note)
    window.on('leave-full-screen', note)
    window.on('close', () => {
      note()
      this.#keep()
    })
  }

  #keepSoon(): void {
    clearTimeout(this.#keeping)
    this.#keeping = setTimeout(() => this.#keep(), KEEP_AFTER_MS)
  }

  #keep(): void {
    clearTimeout(this.#keeping)
    try {
      writeKeptWindow(this.#options.file, { place: this.#place, zoom: this.#zoom })
    } catch (error) {
      // A full disk: the window works, and the next start opens it where it was before.
      this.#options.log('warn', 'place and zoom of the window were not kept', { error: String(error) })
    }
  }
}

/** Usable areas, the primary display first. */
function workAreas(): readonly [Rectangle, ...Rectangle[]] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  return [primary.workArea, ...others.map(({ workArea }) => workArea)]
}

/** The page draws the title bar; the platform draws its own buttons into it (U-11, U-246). */
const titleBar = () =>
  process.platform === 'darwin'
    ? ({ titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 12, y: 9 } } as const)
    : ({
        titleBarStyle: 'hidden',
        titleBarOverlay: { color: '#00000000', symbolColor: BUTTONS, height: TITLE_BAR_PX },
      } as const)

/** Without a native title bar there is no menu bar to fold out, so Alt alone opens the menu below ours (U-24). */
function openMenuWithAlt(window: BrowserWindow): void {
  let alone = false
  window.webContents.on('before-input-event', (_event, input) => {
    if (input.type === 'keyDown') alone = input.key === 'Alt' && !input.control && !input.shift && !input.meta
    else if (input.type === 'keyUp' && input.key === 'Alt' && alone) {
      alone = false
      Menu.getApplicationMenu()?.popup({ window, x: 0, y: TITLE_BAR_PX })
    }
  })
}
