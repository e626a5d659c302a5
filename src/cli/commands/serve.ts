/** `herma serve`: the same screens in a browser tab, over loopback with a token (decisions 3). Stays until told to end. */
import { runFolder } from '../../main/host/home.ts'
import { CommandFailure, EXIT, type ExitCode, failureOf } from '../exit.ts'
import { startCore } from '../local-core.ts'
import { homeOf, screensFolder } from '../place.ts'
import type { Invocation } from '../program.ts'
import { writeTokenFile } from '../serve/token-file.ts'
import { startWebServer } from '../serve/web-server.ts'
import { VERSION } from '../version.ts'

export async function serve(
  it: Invocation,
  flags: { port: string },
  options: { demoHome?: boolean } = {},
): Promise<ExitCode> {
  const port = portNumber(flags.port)
  // Heard from the first moment: whoever reads the address may send the signal before we do anything else.
  const toldToEnd = untilToldToEnd()
  // Known only once the server listens; before that nobody can be asked.
  let connections = (): number => 0
  const { host } = await startCore(it, {
    kind: 'serve',
    demoHome: options.demoHome ?? false,
    attended: () => connections() > 0,
  })
  try {
    const started = await startWebServer({
      door: host.door,
      rendererDir: screensFolder(),
      port,
      profile: host.profile,
      version: VERSION,
    })
    if (!started.ok) throw failureOf(started.refusal)
    const server = started.value
    connections = server.connections
    const facts = { url: server.url, port: server.port, token: server.token, pid: process.pid }
    const tokenFile = writeTokenFile(runFolder(homeOf(it)), facts)
    if (it.out.json) it.out.data({ url: server.url, port: server.port, token_file: tokenFile.path, pid: process.pid })
    else it.out.line(`Herma is at ${server.url}`)
    await toldToEnd
    tokenFile.remove()
    await host.drain()
    await server.close()
  } finally {
    await host.close()
  }
  return EXIT.done
}

function portNumber(typed: string): number {
  const port = Number(typed)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CommandFailure(EXIT.usage, `--port takes a number from 0 to 65535, not "${typed}".`)
  return port
}

/** A second signal ends the process at once, as if nobody listened. */
const untilToldToEnd = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
