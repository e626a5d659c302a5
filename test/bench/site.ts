/** Where both pages come from: a loopback address with the built screens, their content policy, and the raw page. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { build } from 'vite'

const ROOT = resolve(process.env['HERMA_RENDERER'] ?? 'out/renderer')
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'"
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const STYLE = `
  body { margin: 0; display: flex; flex-direction: column; height: 100vh; font: 14px/1.55 system-ui, sans-serif }
  #list { flex: 1; min-height: 0; overflow: auto; overflow-anchor: none }
  .turn { max-width: 760px; margin: 0 auto; padding: 12px 0 4px; overflow-wrap: anywhere }
  .bubble, figure { padding: 8px 12px; border-radius: 6px; background: #efefec }
  figure { margin: 0 } pre { margin: 0; overflow-x: auto } td, th { padding: 4px 12px 4px 0 }`
const FLOOR = `<!doctype html><html lang="en"><meta charset="utf-8"><title>floor</title><style>${STYLE}</style><div id="list"></div><textarea></textarea><script src="/floor.js"></script></html>`
/** The least that a person can type into. */
const BLANK =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>blank</title><textarea data-testid="composer"></textarea></html>'

export interface Site {
  readonly url: string
  close(): void
}

export async function openSite(): Promise<Site> {
  const made = new Map([
    ['/floor.html', FLOOR],
    ['/blank.html', BLANK],
    ['/floor.js', await bundle('test/bench/floor-page.ts')],
  ])
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    const file = path === '/' ? '/index.html' : path
    const answer = (body: string | Buffer): void => {
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream')
      response.setHeader('content-security-policy', POLICY)
      response.end(body)
    }
    const text = made.get(file)
    if (text !== undefined) return answer(text)
    readFile(join(ROOT, file)).then(answer, () => {
      response.statusCode = 404
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

/** A script for a page, in one text, from one of our TypeScript files. */
export async function bundle(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'chrome120',
      lib: { entry: resolve(entry), formats: ['iife'], name: 'page' },
    },
  })
  const [output] = Array.isArray(made) ? made : [made]
  if (output === undefined || !('output' in output)) throw new Error(`nothing was made of ${entry}`)
  return output.output[0].code
}
