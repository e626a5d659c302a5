/**
 * Windows of the double: each is a page of a real Chromium, the built preload runs in an isolated world, and IPC is bound
 * to that world alone.
 */
import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { CDPSession, Page, Route } from 'playwright-core'
import {
  fromHttp,
  ipcHandlers,
  isDeepJson,
  need,
  preventable,
  protocolHandlers,
  record,
  stage,
  toHttp,
} from './stage.ts'
import { isolatedWorld, mainWorld } from './worlds.ts'

const CHANNEL = '__double'
const BINDING = '__double_ipc'
const WORLD = 'electron-preload'

export const windows = new Set<BrowserWindow>()

interface Bounds {
  x: number
  y: number
  width: number
  height: number
}
type Options = Partial<Bounds> & {
  show?: boolean
  minWidth?: number
  minHeight?: number
  backgroundColor?: string
  webPreferences?: Record<string, unknown>
}

export class WebContents extends EventEmitter {
  targetId = ''
  owner: BrowserWindow | undefined
  page: Page | undefined
  cdp: CDPSession | undefined
  contextId: number | undefined
  openHandler: ((details: { url: string }) => { action: string }) | undefined
  zoomFactor = 1
  isDestroyed = (): boolean => this.page?.isClosed() ?? false
  close(): void {
    this.owner?.close()
  }
  getURL = (): string => fromHttp(this.page?.url() ?? '')
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }
  setZoomFactor(factor: number): void {
    this.zoomFactor = factor
    record('webContents.setZoomFactor', factor)
  }
  reload(): void {
    void this.page?.reload().catch(() => {})
  }
  send(channel: string, ...args: unknown[]): void {
    need(isDeepJson(args), 'webContents.send: only JSON values cross in this app')
    this.deliver({ op: 'event', ch: channel, args })
  }
  deliver(message: unknown): void {
    if (this.contextId === undefined) return
    const expression = `__deliver(${JSON.stringify(message)})`
    void this.cdp?.send('Runtime.evaluate', { expression, contextId: this.contextId }).catch(() => {})
  }
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows = (): BrowserWindow[] => [...windows]
  static fromWebContents = (contents: WebContents): BrowserWindow | undefined => contents.owner
  readonly webContents = new WebContents()
  readonly #options: Options
  #bounds: Bounds
  #maximized = false
  #fullScreen = false
  #minimized = false
  #destroyed = false
  #visible = false
  /** Navigations that the main process asks for raise no `will-navigate`. */
  #loading = false
  readonly #made: Promise<Page>

  constructor(options: Options = {}) {
    super()
    need(stage.ready, 'Cannot create BrowserWindow before app is ready')
    const preferences = options.webPreferences ?? {}
    need(
      preferences['nodeIntegration'] !== true &&
        preferences['contextIsolation'] !== false &&
        preferences['sandbox'] !== false,
      'insecure webPreferences',
    )
    this.#options = options
    this.#bounds = {
      x: options.x ?? 0,
      y: options.y ?? 0,
      width: Math.max(options.width ?? 800, options.minWidth ?? 0),
      height: Math.max(options.height ?? 600, options.minHeight ?? 0),
    }
    this.#visible = options.show ?? true
    record('new BrowserWindow', { ...options, webPreferences: { ...preferences } })
    windows.add(this)
    this.webContents.owner = this
    stage.app?.emit('web-contents-created', {}, this.webContents)
    this.#made = this.#make()
    this.#made.catch((error: unknown) => {
      console.error(error)
      process.exit(70)
    })
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#made
    this.#loading = true
    try {
      await page.goto(toHttp(url))
    } finally {
      this.#loading = false
    }
  }
  show(): void {
    this.#visible = true
    record('window.show')
  }
  focus(): void {
    record('window.focus')
  }
  isVisible = (): boolean => this.#visible
  isDestroyed = (): boolean => this.#destroyed
  getNormalBounds = (): Bounds => ({ ...this.#bounds })
  isMaximized = (): boolean => this.#maximized
  isFullScreen = (): boolean => this.#fullScreen
  isMinimized = (): boolean => this.#minimized
  maximize(): void {
    this.#maximized = true
    this.emit('maximize')
  }
  setFullScreen(on: boolean): void {
    this.#fullScreen = on
    this.emit(on ? 'enter-full-screen' : 'leave-full-screen')
  }
  minimize(): void {
    this.#minimized = true
  }
  restore(): void {
    this.#minimized = false
    record('window.restore')
  }
  setBounds(bounds: Bounds): void {
    this.#bounds = { ...bounds }
    this.emit('move')
    this.emit('resize')
  }
  close(): void {
    const event = preventable()
    this.emit('close', event)
    if (!event.defaultPrevented) void this.destroyNow()
  }
  async destroyNow(): Promise<void> {
    const page = await this.#made
    if (!page.isClosed()) await page.close()
    this.#gone()
  }

  async #make(): Promise<Page> {
    const context = stage.browser?.contexts()[0]
    if (context === undefined) throw new Error('[electron double] no browser')
    const page = await context.newPage()
    await page.setViewportSize({ width: this.#bounds.width, height: this.#bounds.height })
    const contents = this.webContents
    contents.page = page
    const cdp = await context.newCDPSession(page)
    contents.cdp = cdp
    contents.targetId = (await cdp.send('Target.getTargetInfo')).targetInfo.targetId
    const preload = this.#options.webPreferences?.['preload']
    if (typeof preload === 'string') await this.#runPreload(cdp, preload)
    await page.route(/^https?:\/\//, (route) => this.#answer(route))
    this.#watchPopups(page, cdp)
    page.on('close', () => this.#gone())
    page.once('domcontentloaded', () => contents.emit('dom-ready'))
    page.on('load', () => contents.emit('did-finish-load'))
    page.once('load', () => this.emit('ready-to-show'))
    return page
  }

  async #runPreload(cdp: CDPSession, preload: string): Promise<void> {
    need(existsSync(preload), `Unable to load preload script: ${preload}`)
    need(!preload.endsWith('.mjs'), 'a sandboxed preload cannot be an ES module')
    const source = readFileSync(preload, 'utf8')
    await cdp.send('Page.enable')
    await cdp.send('Runtime.enable')
    await cdp.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD })
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === WORLD) this.webContents.contextId = context.id
    })
    cdp.on('Runtime.bindingCalled', (event) => {
      if (event.name === BINDING) void this.#fromRenderer(JSON.parse(event.payload))
    })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${mainWorld})(${JSON.stringify(CHANNEL)})` })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: WORLD,
      source: `(${isolatedWorld})(${JSON.stringify(CHANNEL)}, ${JSON.stringify(BINDING)}, function (require, module, exports, process) {\n${source}\n})`,
    })
  }

  /** Pages of the app's own scheme come from its handler; a page that navigates elsewhere asks the app first. */
  async #answer(route: Route): Promise<void> {
    const request = route.request()
    const url = fromHttp(request.url())
    if (request.isNavigationRequest() && request.frame().parentFrame() === null && !this.#loading) {
      const event = preventable({ url })
      this.webContents.emit('will-navigate', event, url)
      record('will-navigate', url, event.defaultPrevented)
      if (event.defaultPrevented) return route.abort('aborted')
    }
    const handler = protocolHandlers.get(url.slice(0, url.indexOf(':')))
    if (handler === undefined) return route.abort('failed')
    const body = request.postDataBuffer()
    const response = await handler(
      new Request(url, {
        method: request.method(),
        headers: await request.allHeaders(),
        ...(body === null ? {} : { body: new Uint8Array(body) }),
      }),
    )
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  }

  #watchPopups(page: Page, cdp: CDPSession): void {
    // The popup's own address is still empty when it appears.
    let asked = ''
    cdp.on('Page.windowOpen', (event) => {
      asked = fromHttp(event.url)
    })
    page.on('popup', (popup) => {
      const answer = this.webContents.openHandler?.({ url: asked }) ?? { action: 'allow' }
      if (answer.action === 'deny') void popup.close()
    })
  }

  async #fromRenderer(message: { op: string; id: number; ch: string; args: unknown[] }): Promise<void> {
    const { webContents } = this
    // Preload runs in the top-level frame only, here as in Electron, so no sender has a parent.
    const event = { sender: webContents, senderFrame: { url: webContents.getURL(), parent: null } }
    const handler = ipcHandlers.get(message.ch)
    try {
      if (handler === undefined) throw new Error(`No handler registered for '${message.ch}'`)
      const value = await handler(event, ...message.args)
      need(value === undefined || isDeepJson(value), 'handler result: only JSON values cross in this app')
      webContents.deliver({ op: 'result', id: message.id, ok: true, value })
    } catch (error) {
      const text = `Error invoking remote method '${message.ch}': ${String(error)}`
      webContents.deliver({ op: 'result', id: message.id, ok: false, error: text })
    }
  }

  #gone(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    windows.delete(this)
    this.emit('closed')
    if (windows.size === 0 && !stage.quitting) stage.app?.emit('window-all-closed')
  }
}
