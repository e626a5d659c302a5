/**
 * The bridge (architecture 10): three functions, no method names, strings only. Runs sandboxed, so it may require
 * nothing but `electron`.
 */
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import type { HermaBridge } from '../shared/bridge.ts'

const bridge: HermaBridge = {
  call: (message) => ipcRenderer.invoke('herma:call', message) as Promise<string>,
  subscribe: (listener) => {
    const hear = (_event: IpcRendererEvent, message: string): void => listener(message)
    ipcRenderer.on('herma:event', hear)
    return () => {
      ipcRenderer.off('herma:event', hear)
    }
  },
  info: () => ipcRenderer.invoke('herma:info') as Promise<string>,
}
contextBridge.exposeInMainWorld('herma', bridge)
