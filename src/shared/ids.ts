/**
 * Ids that cannot be mixed up. A conversation keeps one id for ever (kernel K4); a session is one physical segment of
 * it; a message keeps its uid in every copy. Parsing happens once, at the door.
 */
import { z } from './schema.ts'

export type Id<Kind extends string> = string & { readonly __kind: Kind }
export type ConversationId = Id<'conversation'>
export type SessionId = Id<'session'>
export type MessageUid = Id<'message'>
export type AdmissionId = Id<'admission'>
export type TurnId = Id<'turn'>
export type BackendId = Id<'backend'>
export type RequestId = Id<'request'>
export type Profile = Id<'profile'>

const id = <Kind extends string>(max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an id with control characters is refused at the door
    .regex(/^[^\u0000-\u001f\u007f]+$/, 'has control characters')
    .transform((value) => value as Id<Kind>)

export const conversationId = id<'conversation'>(128)
export const sessionId = id<'session'>(128)
export const messageUid = id<'message'>(128)
export const admissionId = id<'admission'>(128)
export const turnId = id<'turn'>(128)
export const requestId = id<'request'>(1024)
/** A profile names a home below the root; the same characters on every file system. */
export const profileName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'use lower-case letters, digits, - and _')
  .transform((value) => value as Profile)

export const DEFAULT_PROFILE = 'default' as Profile

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A ULID: 48 bits of time in ms, then 80 random bits, 26 characters, sortable by time.
 * Randomness comes from Web Crypto, which Node and browsers share.
 */
export function ulid(nowMs: number): string {
  let time = ''
  for (let rest = nowMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = CROCKFORD.charAt(rest % 32) + time
  const random = crypto.getRandomValues(new Uint8Array(16))
  let tail = ''
  for (const byte of random) tail += CROCKFORD.charAt(byte & 31)
  return time + tail
}

/** `YYYYMMDD_HHMMSS_<8 hex>` in UTC (session-db 5.9): readable in lists, resolvable by unique prefix. */
export function newConversationId(nowMs: number): ConversationId {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll('-', '').replace('T', '_').replaceAll(':', '')
  const tail = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${stamp}_${tail}` as ConversationId
}
