/** What the parts of the Electron double share: what the app did so far, and the Chromium its windows are pages of. */
import type { EventEmitter } from 'node:events'
import type { Browser } from 'playwright-core'

type Handler<A extends unknown[], R> = (...args: A) => R
export interface PreventableEvent {
  defaultPrevented: boolean
  preventDefault(): void
}

/** What the app asked of the desktop, in order. */
export const calls: { api: string; args: unknown[] }[] = []
export const record = (api: string, ...args: unknown[]): void => {
  calls.push({ api, args })
}

/** A rule of Electron that the app broke; the double never shrugs. */
export const need = (ok: boolean, message: string): void => {
  if (!ok) throw new Error(`[electron double] ${message}`)
}

export const stage = {
  ready: false,
  quitting: false,
  browser: undefined as Browser | undefined,
  app: undefined as EventEmitter | undefined,
}
export const schemes = new Set<string>()
export const protocolHandlers = new Map<string, Handler<[Request], Promise<Response> | Response>>()
export const ipcHandlers = new Map<string, Handler<[unknown, ...unknown[]], unknown>>()

export function preventable(more: Record<string, unknown> = {}): PreventableEvent {
  const event = {
    ...more,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true
    },
  }
  return event
}

/** Stock Chromium knows no custom scheme: `herma://app/x` is served at an intercepted https origin. */
export const toHttp = (url: string): string =>
  url.replace(/^([a-z][a-z0-9+-]*):\/\/([^/]*)/, (all, scheme: string, host: string) =>
    schemes.has(scheme) ? `https://${host}.${scheme}.invalid` : all,
  )
export const fromHttp = (url: string): string =>
  url.replace(/^https:\/\/([^/]+)\.([a-z]+)\.invalid/, (_all, host: string, scheme: string) => `${scheme}://${host}`)

/** Only what survives JSON unchanged crosses in this app. */
export const isDeepJson = (value: unknown): boolean => {
  try {
    return JSON.stringify(structuredClone(value)) === JSON.stringify(value)
  } catch {
    return false
  }
}
