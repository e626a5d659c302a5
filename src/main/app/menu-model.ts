/**
 * The application menu as data (U-24). A command is one of the screens' own, by id; its keys are shown here and heard by
 * the page, which knows what is in front.
 */
export type ShellAction = 'zoom.in' | 'zoom.out' | 'zoom.reset'
/** Ids as in the screens' table of commands. */
export type ScreenCommand =
  | 'chat.new'
  | 'chat.stop'
  | 'chat.rename'
  | 'sidebar.toggle'
  | 'go.back'
  | 'go.forward'
  | 'go.chats'
  | 'go.settings'
  | 'help.keys'

/** Electron's own items: their words, keys and behaviour are the platform's. */
export type Role =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit'
  | 'close'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'pasteAndMatchStyle'
  | 'delete'
  | 'selectAll'
  | 'startSpeaking'
  | 'stopSpeaking'
  | 'reload'
  | 'toggleDevTools'
  | 'togglefullscreen'
  | 'minimize'
  | 'zoom'
  | 'front'

export type MenuEntry =
  | { readonly kind: 'line' }
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'command'; readonly id: ScreenCommand; readonly label: string; readonly keys?: string }
  | {
      readonly kind: 'action'
      readonly id: ShellAction
      readonly label: string
      readonly keys: string
      /** A second key for the same thing, not worth a line of its own. */
      readonly hidden?: true
    }
export interface MenuColumn {
  readonly label: string
  readonly entries: readonly MenuEntry[]
}

/**
 * All columns of the menu.
 * @param platform as in `process.platform`
 * @param developing adds reload and developer tools
 */
export function menuModel(platform: string, developing: boolean): readonly MenuColumn[] {
  const mac = platform === 'darwin'
  const columns: MenuColumn[] = [
    {
      label: 'File',
      entries: [
        NEW_CHAT,
        RENAME,
        LINE,
        ...(mac ? [] : [SETTINGS, LINE]),
        role('close'),
        ...(mac ? [] : [role('quit')]),
      ],
    },
    {
      label: 'Edit',
      entries: [
        ...roles('undo', 'redo'),
        LINE,
        ...roles('cut', 'copy', 'paste', 'pasteAndMatchStyle', 'delete', 'selectAll'),
        ...(mac ? [LINE, ...roles('startSpeaking', 'stopSpeaking')] : []),
      ],
    },
    {
      label: 'View',
      entries: [
        command('sidebar.toggle', 'Show or hide the sidebar', 'CmdOrCtrl+B'),
        LINE,
        action('zoom.in', 'Zoom in', 'CmdOrCtrl+Plus'),
        // On most layouts plus needs Shift; people press the bare key.
        { ...action('zoom.in', 'Zoom in', 'CmdOrCtrl+='), hidden: true },
        action('zoom.out', 'Zoom out', 'CmdOrCtrl+-'),
        action('zoom.reset', 'Actual size', 'CmdOrCtrl+0'),
        LINE,
        role('togglefullscreen'),
        ...(developing ? [LINE, ...roles('reload', 'toggleDevTools')] : []),
      ],
    },
    {
      label: 'Go',
      entries: [
        command('go.back', 'Back', 'CmdOrCtrl+['),
        command('go.forward', 'Forward', 'CmdOrCtrl+]'),
        LINE,
        command('go.chats', 'Chats', 'CmdOrCtrl+2'),
        LINE,
        command('chat.stop', 'Stop the running turn', 'CmdOrCtrl+.'),
      ],
    },
    { label: 'Window', entries: mac ? roles('minimize', 'zoom', 'front') : roles('minimize', 'close') },
    { label: 'Help', entries: [command('help.keys', 'Keys that work here'), ...(mac ? [] : [LINE, role('about')])] },
  ]
  return mac ? [applicationColumn(), ...columns] : columns
}

/** The column macOS names after the app. */
const applicationColumn = (): MenuColumn => ({
  label: 'Herma',
  entries: [
    role('about'),
    LINE,
    SETTINGS,
    LINE,
    role('services'),
    LINE,
    ...roles('hide', 'hideOthers', 'unhide'),
    LINE,
    role('quit'),
  ],
})

const command = (id: ScreenCommand, label: string, keys?: string): MenuEntry =>
  keys === undefined ? { kind: 'command', id, label } : { kind: 'command', id, label, keys }
const action = (id: ShellAction, label: string, keys: string) => ({ kind: 'action', id, label, keys }) as const
const role = (name: Role): MenuEntry => ({ kind: 'role', role: name })
const roles = (...names: readonly Role[]): MenuEntry[] => names.map(role)

const LINE: MenuEntry = { kind: 'line' }
const NEW_CHAT = command('chat.new', 'New chat', 'CmdOrCtrl+N')
const RENAME = command('chat.rename', 'Rename this chat')
const SETTINGS = command('go.settings', 'Settings…', 'CmdOrCtrl+,')
