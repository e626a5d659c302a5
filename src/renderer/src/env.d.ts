/// <reference types="vite/client" />
import type { HermaBridge } from '../../shared/bridge.ts'

declare global {
  interface Window {
    readonly herma?: HermaBridge
  }
}
