/** From `ready` to an open window: the core first, then what may be asked of it, then the window. */
import { join } from 'node:path'
import { app, dialog, nativeTheme } from 'electron'
import type { BridgeInfo } from '../../shared/bridge.ts'
import { createClient, type HermaClient } from '../../shared/client.ts'
import { PROTOCOL } from '../../shared/contract/index.ts'
import { z } from '../../shared/schema.ts'
import { systemClock } from '../../shared/time.ts'
import type { Home } from '../host/home.ts'
import { createHost } from '../host/index.ts'
import { inProcessTransport } from '../rpc/transports/in-process.ts'
import { openLog } from './desktop-log.ts'
import { answerPages } from './ipc.ts'
import { type Launch, readLaunch } from './launch.ts'
import { installMenu } from './menu.ts'
import { lockNavigation } from './navigation.ts'
import { denyPermissions } from './permissions.ts'
import { serveScreens } from './protocol.ts'
import { guardQuit } from './quit.ts'
import { osCipher, secretsOf } from './secrets.ts'
import { MainWindow } from './window.ts'

export interface BootOptions {
  readonly home: Home
  readonly launch: Launch
  /** Absolute folder of the built renderer. */
  readonly screens: string
  /** Absolute path of the built preload. */
  readonly preload: string
  /** Address of the development server, only while developing. */
  readonly devServer: string | undefined
}

/** Rejects when a part of the app itself fails; a home that refuses is said in a box, and the app ends with 1. */
export async function boot({ home, launch, screens, preload, devServer }: BootOptions): Promise<void> {
  const log = openLog(join(home.path, 'logs/desktop.log'))
  const cipher = await osCipher()
  const opened = await createHost({
    home,
    kind: 'desktop',
    version: app.getVersion(),
    ports: {
      clock: systemClock,
      env: process.env,
      log,
      secrets: secretsOf(home, cipher),
    },
    attended: () => window.isOpen(),
  })
  if (!opened.ok) {
    dialog.showErrorBox('Herma cannot open its home', `${opened.refusal.message}\n\n${opened.refusal.next ?? ''}`)
    process.stderr.write(`${opened.refusal.message}\n`)
    app.exit(1)
    return
  }
  const host = opened.value
  const client = createClient(inProcessTransport(host.door), host.profile)
  const info: BridgeInfo = {
    profile: host.profile,
    platform: process.platform,
    version: app.getVersion(),
    protocol: PROTOCOL,
  }

  serveScreens(screens)
  denyPermissions(devServer)
  const pages = answerPages({ door: host.door, info: () => info, devServer })
  const window = new MainWindow({
    preload,
    address: devServer,
    file: join(app.getPath('userData'), 'window.json'),
    dark: () => nativeTheme.shouldUseDarkColors,
    log,
    mayClose: () => process.platform === 'darwin' || leaving.mayCloseWindow(),
  })
  const leaving = guardQuit({ host, window, settled: pages.settled })
  lockNavigation({ devServer, showChat: (conversation) => window.showChat(conversation) })
  installMenu({ window, developing: !app.isPackaged })
  host.door.subscribe((message) => window.send(message))

  app.on('second-instance', (_event, argv, _cwd, data) => {
    const asked = readLaunch((data as { argv?: readonly string[] } | null)?.argv ?? argv)
    window.focus()
    if (asked.conversation !== null) window.showChat(asked.conversation)
  })
  app.on('activate', () => window.focus())
  await followTheme(client)
  if (launch.conversation !== null)
    await client.call('ui_state.set', {
      key: 'screen.view',
      value: { kind: 'chat', conversation: launch.conversation },
    })
  window.open()
}

const theme = z.object({ theme: z.enum(['light', 'dark', 'system']) })

/** The chosen theme before the first frame (U-242): native menus and the window's ground take it from here. */
async function followTheme(client: HermaClient): Promise<void> {
  const kept = await client.call('ui_state.get', { keys: ['screen.preferences'] })
  const chosen = theme.safeParse(kept.ok ? kept.value.values['screen.preferences'] : null)
  if (chosen.success) nativeTheme.themeSource = chosen.data.theme
}
