/** The application menu, built from its model (U-24). */
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import { unreachable } from '../../shared/result.ts'
import { type MenuColumn, type MenuEntry, menuModel, type ShellAction } from './menu-model.ts'
import type { MainWindow } from './window.ts'

/** Installs the menu for the whole app. After `ready`. @param developing adds reload and developer tools */
export function installMenu({
  window,
  developing,
}: {
  readonly window: MainWindow
  readonly developing: boolean
}): void {
  app.setAboutPanelOptions({ applicationName: 'Herma', applicationVersion: app.getVersion() })
  const columns = menuModel(process.platform, developing)
  Menu.setApplicationMenu(Menu.buildFromTemplate(columns.map((column) => templateOf(column, window))))
}

const templateOf = ({ label, entries }: MenuColumn, window: MainWindow): MenuItemConstructorOptions => ({
  label,
  submenu: entries.map((entry) => itemOf(entry, window)),
})

function itemOf(entry: MenuEntry, window: MainWindow): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'line':
      return { type: 'separator' }
    case 'role':
      return { role: entry.role }
    case 'command':
      return {
        id: entry.id,
        label: entry.label,
        // Shown here, heard by the page: only it knows whether a dialog or an input method has the keys just now.
        ...(entry.keys === undefined ? {} : { accelerator: entry.keys, registerAccelerator: false }),
        click: () => window.command(entry.id),
      }
    case 'action':
      return {
        label: entry.label,
        accelerator: entry.keys,
        ...(entry.hidden ? { visible: false, acceleratorWorksWhenHidden: true } : { id: entry.id }),
        click: () => window.zoom(BY[entry.id]),
      }
    default:
      return unreachable(entry)
  }
}

const BY: Readonly<Record<ShellAction, 1 | 0 | -1>> = { 'zoom.in': 1, 'zoom.out': -1, 'zoom.reset': 0 }
