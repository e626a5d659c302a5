/** What a page may ask of the machine: to put text on the clipboard, nothing else (U-250). */
import { session } from 'electron'
import { isOurs } from './addresses.ts'

const ALLOWED = 'clipboard-sanitized-write'

/** Holds for the app's only session. After `ready`. */
export function denyPermissions(devServer: string | undefined): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(permission === ALLOWED && isOurs(details.requestingUrl, devServer)),
  )
  defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === ALLOWED && isOurs(origin, devServer),
  )
  defaultSession.setDevicePermissionHandler(() => false)
}
