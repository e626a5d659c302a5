/** One text for one value: sorted keys, no spaces, UTF-8 (session-db 3.1). */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Json } from '../../shared/schema.ts'

export const canonicalJson = (value: Json): string => canonicalize(value) as string

/** Lower-case hex SHA-256 of the UTF-8 bytes. */
export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
