/** `herma://app/`: the built screens inside the app, under the same content policy as in a browser tab. */
import { protocol } from 'electron'
import { screenFile } from '../rpc/transports/screen-files.ts'

/** Serves the folder until the process ends. After `ready`. @param root absolute folder of the built renderer */
export function serveScreens(root: string): void {
  protocol.handle('herma', async (request) => {
    const url = new URL(request.url)
    const file = url.host === 'app' && request.method === 'GET' ? await screenFile(root, url.pathname) : null
    if (file === null) return new Response('There is nothing here.', { status: 404 })
    return new Response(file.body, { headers: file.headers })
  })
}
