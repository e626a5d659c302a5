/**
 * The built screens as both doors with pages hand them out: the desktop's own scheme and the loopback server. One place
 * for the content policy, so that a screen tested in a browser tab runs under the rules of the window (U-250).
 */
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

/** No remote script, style, font or connection; inline styles stay because the editor and highlighter set them. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface ScreenFile {
  readonly body: Buffer<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Reads one file of the built screens.
 * @param root absolute folder of the built renderer
 * @param pathname path of the address, still percent-encoded; `/` is the page itself
 * @returns null for anything that is not a file inside `root`, broken encodings included. Rejects only when the disk fails
 */
export async function screenFile(root: string, pathname: string): Promise<ScreenFile | null> {
  const path = inside(root, pathname)
  if (path === null) return null
  try {
    return { body: await readFile(path), headers: headersOf(path, pathname) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null
    throw error
  }
}

function inside(root: string, pathname: string): string | null {
  let name: string
  try {
    name = decodeURIComponent(pathname)
  } catch {
    return null // a lone percent sign
  }
  if (name.includes('\0') || name.includes('\\')) return null
  const path = normalize(join(root, name === '/' || name === '' ? 'index.html' : name))
  return path.startsWith(normalize(root + sep)) ? path : null
}

function headersOf(path: string, pathname: string): Record<string, string> {
  return {
    'content-type': MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
    'content-security-policy': CONTENT_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // The bundler puts a hash of the bytes into the names below assets/, so they never change.
    'cache-control': pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
  }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.map': 'application/json; charset=utf-8',
}
