/** The desktop around the double's windows: dialogs with answers a test scripts, menus it clicks, displays it arranges. */
import { need, record, stage } from './stage.ts'

/** Buttons that the next dialogs get pressed, in order. */
export const answers: number[] = []

export const dialog = {
  showErrorBox: (title: string, content: string) => record('dialog.showErrorBox', title, content),
  async showMessageBox(...args: unknown[]) {
    const { message, buttons, cancelId } = args.at(-1) as { message: string; buttons: string[]; cancelId: number }
    record('dialog.showMessageBox', message, buttons)
    return { response: answers.shift() ?? cancelId, checkboxChecked: false }
  },
}

interface Item {
  id?: string
  label?: string
  role?: string
  accelerator?: string
  click?: () => void
  submenu?: Item[]
}

export class Menu {
  readonly items: readonly Item[]
  constructor(items: readonly Item[]) {
    this.items = items
  }
  static #application: Menu | null = null
  static buildFromTemplate = (items: Item[]): Menu => new Menu(items)
  static setApplicationMenu(menu: Menu | null): void {
    need(stage.ready, 'Menu.setApplicationMenu before ready')
    Menu.#application = menu
  }
  static getApplicationMenu = (): Menu | null => Menu.#application
  popup(): void {
    record('menu.popup')
  }
  getMenuItemById(id: string): Item | null {
    return this.items.flatMap((item) => item.submenu ?? []).find((item) => item.id === id) ?? null
  }
}

export const nativeTheme = {
  themeSource: 'system',
  get shouldUseDarkColors(): boolean {
    return nativeTheme.themeSource === 'dark'
  },
}

type Permission = (contents: unknown, permission: string, ...rest: never[]) => unknown
/** Handlers as the app set them, for tests to ask. */
export const permissions: { request?: Permission; check?: Permission } = {}
export const session = {
  defaultSession: {
    setPermissionRequestHandler(handler: Permission) {
      permissions.request = handler
    },
    setPermissionCheckHandler(handler: Permission) {
      permissions.check = handler
    },
    setDevicePermissionHandler: (_handler: () => boolean) => record('session.setDevicePermissionHandler'),
  },
}

export interface Display {
  id: number
  workArea: { x: number; y: number; width: number; height: number }
}
const displays = (): [Display, ...Display[]] =>
  JSON.parse(
    process.env['HERMA_TEST_DISPLAYS'] ?? '[{"id":1,"workArea":{"x":0,"y":0,"width":1920,"height":1080}}]',
  ) as [Display, ...Display[]]
export const screen = {
  getPrimaryDisplay(): Display {
    need(stage.ready, 'The screen module can only be used after the app is ready')
    return displays()[0]
  },
  getAllDisplays: (): Display[] => displays(),
}

/** Stands for the keyring: unreadable on disk, and honest about being none. */
const turned = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff))
export const safeStorage = {
  getSelectedStorageBackend: (): string => process.env['HERMA_TEST_KEYRING'] ?? 'basic_text',
  async isAsyncEncryptionAvailable() {
    need(stage.ready, 'safeStorage before ready')
    return true
  },
  encryptStringAsync: async (text: string) => turned(Buffer.from(text)),
  decryptStringAsync: async (bytes: Buffer) => ({ result: turned(bytes).toString(), shouldReEncrypt: false }),
}
