/** Pages stay where they are (U-250): no navigation, no new windows, no embedded ones. Links leave by the browser. */
import { app, shell } from 'electron'
import type { ConversationId } from '../../shared/ids.ts'
import { isOurs, targetOf } from './addresses.ts'

/** Holds for every page of the app, whoever makes it. */
export function lockNavigation({
  devServer,
  showChat,
}: {
  readonly devServer: string | undefined
  readonly showChat: (conversation: ConversationId) => void
}): void {
  const follow = (address: string): void => {
    const target = targetOf(address)
    if (target.kind === 'chat') showChat(target.conversation)
    // Rejects when the system knows no program for it: nothing was lost, and the link is still there to be copied.
    else if (target.kind === 'browser') shell.openExternal(target.url).catch(() => undefined)
  }
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      follow(url)
      return { action: 'deny' }
    })
    contents.on('will-navigate', (event) => {
      if (isOurs(event.url, devServer)) return
      event.preventDefault()
      follow(event.url)
    })
    contents.on('will-redirect', (event) => {
      if (!isOurs(event.url, devServer)) event.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    follow(url)
  })
}
