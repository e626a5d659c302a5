/** Which addresses are ours, and what becomes of a link (U-250). Pure, so that every trick address can be a test case. */
import type { ConversationId } from '../../shared/ids.ts'
import { conversationOfLink } from './launch.ts'

/** Scheme and host of the screens inside the app. Never an address that anybody else could serve. */
export const SCREENS = 'herma://app/'

/** What the sender check needs to know of a frame. */
export interface Frame {
  readonly url: string
  /** null for the top-level frame of a window. */
  readonly parent: unknown
}

/**
 * Whether a frame may speak to the core: our own page, at the top of its window.
 * @param frame null when it is gone already
 * @param devServer address of the development server; undefined in a packaged app
 */
export const maySpeak = (frame: Frame | null, devServer?: string): boolean =>
  frame !== null && frame.parent === null && isOurs(frame.url, devServer)

/** Whether an address is one of our own pages. */
export function isOurs(address: string, devServer?: string): boolean {
  const url = parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'herma:') return url.host === 'app'
  return devServer !== undefined && url.origin === new URL(devServer).origin
}

export type LinkTarget =
  | { readonly kind: 'browser'; readonly url: string }
  | { readonly kind: 'chat'; readonly conversation: ConversationId }
  /** Nothing happens: scripts, files, data and whatever program a foreign scheme would start. */
  | { readonly kind: 'nowhere' }

/** Where a link leads that was clicked in a page. */
export function targetOf(address: string): LinkTarget {
  const conversation = conversationOfLink(address)
  if (conversation !== null) return { kind: 'chat', conversation }
  const url = parse(address)
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return { kind: 'nowhere' }
  return { kind: 'browser', url: url.href }
}

function parse(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    return null // not an address at all
  }
}
