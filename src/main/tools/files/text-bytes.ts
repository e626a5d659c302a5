/** Is it text, and in which encoding? Decided from the first bytes, so that a large file costs nothing. */
export type TextKind =
  | { readonly kind: 'text'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' }
  | { readonly kind: 'binary'; readonly reason: string }

/** Bytes looked at; git uses the same 8,000. */
export const SNIFF_BYTES = 8_000

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['89504e47', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive or office document'],
  ['1f8b', 'gzip data'],
  ['7f454c46', 'a program (ELF)'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
]

/** @param head the first bytes of the file, up to SNIFF_BYTES of them */
export function textKind(head: Uint8Array): TextKind {
  if (head[0] === 0xff && head[1] === 0xfe) return { kind: 'text', encoding: 'utf-16le' }
  if (head[0] === 0xfe && head[1] === 0xff) return { kind: 'text', encoding: 'utf-16be' }
  const hex = Buffer.from(head.subarray(0, 16)).toString('hex')
  const known = SIGNATURES.find(([signature]) => hex.startsWith(signature))
  if (known !== undefined) return { kind: 'binary', reason: `it is ${known[1]}` }
  const sniffed = head.subarray(0, SNIFF_BYTES)
  if (sniffed.includes(0)) return { kind: 'binary', reason: 'it contains NUL bytes' }
  const decoded = new TextDecoder('utf-8').decode(sniffed, { stream: true })
  const bad = decoded.split('\ufffd').length - 1
  if (bad > Math.max(2, decoded.length / 10)) return { kind: 'binary', reason: 'its bytes are not UTF-8 text' }
  return { kind: 'text', encoding: 'utf-8' }
}
