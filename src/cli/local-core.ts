/** A core in this process, and the typed client to it over the in-process road (cli.md, head). */
import { createHost, type Host, type HostOptions } from '../main/host/index.ts'
import { inProcessTransport } from '../main/rpc/transports/in-process.ts'
import { createClient, type HermaClient } from '../shared/client.ts'
import { failureOf } from './exit.ts'
import { homeOf, shellPorts } from './place.ts'
import type { Invocation } from './program.ts'
import { VERSION } from './version.ts'

export interface LocalCore {
  readonly host: Host
  readonly client: HermaClient
}

/** Starts a core on the invocation's home. @throws CommandFailure when the home is in use or refuses */
export async function startCore(
  it: Invocation,
  options: Pick<HostOptions, 'kind'> & Partial<Pick<HostOptions, 'attended' | 'flags' | 'demoHome' | 'defaultCwd'>>,
): Promise<LocalCore> {
  const home = homeOf(it)
  const started = await createHost({ ...options, home, ports: shellPorts(it, home), version: VERSION })
  if (!started.ok) throw failureOf(started.refusal)
  const host = started.value
  return { host, client: createClient(inProcessTransport(host.door), host.profile) }
}
