/** The door of the window: text frames from our own page, answers back (architecture 10, U-250). Knows no method. */
import { type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { BridgeInfo } from '../../shared/bridge.ts'
import type { Door } from '../rpc/door.ts'
import { maySpeak } from './addresses.ts'

export interface Pages {
  /** Resolves when every call heard so far has been answered. */
  settled(): Promise<void>
}

/** Answers calls until the process ends. A wrong sender or a frame that is not text is refused before anything is read. */
export function answerPages({
  door,
  info,
  devServer,
}: {
  readonly door: Door
  readonly info: () => BridgeInfo
  readonly devServer: string | undefined
}): Pages {
  const open = new Set<Promise<string>>()
  const checkSender = (event: IpcMainInvokeEvent): void => {
    if (!maySpeak(event.senderFrame, devServer)) throw new Error('This page may not speak to Herma.')
  }
  ipcMain.handle('herma:call', async (event, message: unknown) => {
    checkSender(event)
    if (typeof message !== 'string') throw new Error('A frame is text.')
    const answer = door.handle(message)
    open.add(answer)
    try {
      return await answer
    } finally {
      open.delete(answer)
    }
  })
  ipcMain.handle('herma:info', (event) => {
    checkSender(event)
    return JSON.stringify(info())
  })
  return {
    async settled() {
      await Promise.allSettled(open)
    },
  }
}
