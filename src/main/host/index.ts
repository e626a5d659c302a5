/**
 * `createHost`: builds the whole core from a home and a shell's ports (architecture, head). Desktop, server and command
 * line all come through here; none of them is a second application.
 */
import { join } from 'node:path'
import { type Refusal, refusal } from '../../shared/contract/index.ts'
import { type AdmissionId, type BackendId, type ConversationId, type Profile, ulid } from '../../shared/ids.ts'
import { InvariantError, ok, type Result, refused } from '../../shared/result.ts'
import type { Json } from '../../shared/schema.ts'
import { createProviders } from '../providers/index.ts'
import type { Door } from '../rpc/door.ts'
import { createHandlers } from '../rpc/handlers/index.ts'
import { createRouter } from '../rpc/router.ts'
import { beat, forgetBackend, getConversation, getMeta, openSessions, refusalOf, setMeta } from '../sessions/index.ts'
import { faultsFrom, ProcessLock, StorageError, type Store } from '../storage/index.ts'
import { createTools } from '../tools/index.ts'
import { Config } from './config/config.ts'
import type { ConfigKey } from './config/keys.ts'
import type { Core } from './core.ts'
import { EventStream } from './events.ts'
import { ensureFolder } from './folders.ts'
import { type Home, prepareHome, runFolder, stateFile, workspaceOf } from './home.ts'
import { keyFor } from './keys.ts'
import type { ShellPorts } from './ports.ts'
import { Questions } from './questions.ts'
import { lockName, recover } from './recovery.ts'
import { conversationServices, liveRow } from './services/conversations.ts'
import { settingsServices } from './services/settings.ts'
import { queuedInputs, turnServices } from './services/turns.ts'
import { turnContextFor } from './turn-context.ts'
import { TurnRunner } from './turn-runner.ts'
import { UiState } from './ui-state.ts'

export type { Home } from './home.ts'
export type { ShellPorts } from './ports.ts'

export interface HostOptions {
  readonly home: Home
  readonly ports: ShellPorts
  /** `cli` is a one-shot command: it runs only what it submitted itself (decisions 23). */
  readonly kind: 'desktop' | 'serve' | 'cli'
  readonly version: string
  /** Whether a person can be asked right now; without one every question is a no (K7). */
  readonly attended?: () => boolean
  /** Values of command-line flags by configuration key. */
  readonly flags?: Readonly<Partial<Record<ConfigKey, Json>>>
  readonly demoHome?: boolean
  readonly defaultCwd?: string
  readonly random?: () => number
}

export interface Host {
  readonly door: Door
  readonly profile: Profile
  readonly config: Config
  runningTurns(): number
  /** Resolves when nothing of a conversation runs any more. */
  idle(conversation: ConversationId): Promise<void>
  /** Refuses new input and ends what runs, with its facts put down. */
  drain(): Promise<void>
  /** Drains, gives the home back, closes every file. Repeatable. */
  close(): Promise<void>
}

/** Beats every 60 s; three missed ones and no lock file to ask = dead (session-db 6.1). */
const BEAT_MS = 60_000

/** Opens a home and starts its core. Refused when another process has it, or when the disk or the file say no. */
export async function createHost(options: HostOptions): Promise<Result<Host, Refusal>> {
  const prepared = prepareHome(options.home)
  if (!prepared.ok) return prepared
  const held: { release(): void }[] = []
  try {
    const authority = ProcessLock.take(join(runFolder(options.home), 'authority.lock'))
    if (authority === null) return refused(homeInUse(options.home))
    held.push(authority)
    return ok(await start(options, held))
  } catch (error) {
    for (const each of held.toReversed()) each.release()
    const known = refusalOf(error)
    if (known === null) throw error
    return refused(known)
  }
}

const homeInUse = (home: Home): Refusal =>
  refusal('session_in_use', `Another Herma is using ${home.path}.`, {
    next: 'Use that one (its window or the address it printed), close it, or choose another home with --home.',
  })

async function start(options: HostOptions, held: { release(): void }[]): Promise<Host> {
  const { home, ports } = options
  const { clock } = ports
  const backend = ulid(clock.now()) as BackendId
  const own = ProcessLock.take(join(runFolder(home), lockName(backend)))
  if (own === null) throw new InvariantError('run-lock', 'a new lock file is free')
  held.push(own)
  const store = await openSessions({
    file: stateFile(home),
    clock,
    appVersion: options.version,
    faults: faultsFrom(ports.env),
    backup: (from, version) => backUp(from, home, version, clock.now()),
  })
  held.push({ release: () => store.close() })
  await checkIdentity(store, home)

  const config = new Config(home, options.flags, ports.env)
  const uiState = new UiState(home)
  const providers = createProviders({
    keyFor: (name) => keyFor({ providers, ports, uiState, environmentByDefault: options.kind !== 'desktop' }, name),
    log: ports.log,
  })
  const tools = createTools({
    clock,
    home: home.path,
    env: ports.env,
    log: ports.log,
    policy: {
      mode: () => config.get('approvals.mode'),
      deny: () => config.get('approvals.deny'),
      allow: () => config.get('approvals.allow'),
      allowAlways: async (rule) => {
        const stored = config.set('approvals.allow', [...new Set([...config.get('approvals.allow'), rule])], null)
        if (!stored.ok) throw new StorageError('db_readonly', stored.refusal.message)
      },
    },
  })
  const recovered = await recover(
    store,
    {
      id: backend,
      kind: options.kind === 'cli' ? 'cli' : 'core',
      runFolder: runFolder(home),
      profile: home.profile,
      version: options.version,
    },
    clock.now(),
    (tool) => tools.isReadOnly(tool),
  )
  const onFault = (where: string, error: unknown): void =>
    ports.log('error', where, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  const events = new EventStream(home.profile, backend, (error) => onFault('event listener', error))
  const attended = options.attended ?? (() => true)
  const questions = new Questions({
    events,
    clock,
    attended,
    timeoutMs: () => config.get('approvals.timeout_seconds') * 1000,
  })
  const closing = new AbortController()
  const mine = options.kind === 'cli' ? new Set<AdmissionId>() : null

  const core: Core = {
    home,
    ports,
    clock,
    store,
    config,
    uiState,
    providers,
    events,
    questions,
    backend,
    version: options.version,
    principal: options.kind === 'cli' ? `cli:${userName(ports.env)}` : 'user:local',
    source: options.kind === 'cli' ? 'cli' : 'desktop',
    demoHome: options.demoHome ?? false,
    epoch: () => recovered.epoch,
    draining: () => closing.signal.aborted,
    refuseDraining: () =>
      refused(
        refusal('runtime_draining', 'Herma is closing; nothing was accepted.', {
          next: 'Start it again and send the text then.',
        }),
      ),
    defaultCwd: () => options.defaultCwd ?? (config.get('agent.cwd') || workspaceOf(home)),
    inflight: (conversation) => {
      const live = runner.running(conversation)?.live.inflight
      return live === undefined ? null : structuredClone(live)
    },
    queue: (conversation) => queuedInputs(core, conversation),
    emit: (conversation, type, payload) =>
      events.emit({ conversation, session: getConversation(store.read, conversation).tip }, type, payload),
    rowChanged: (conversation) => {
      const row = liveRow(core, conversation)
      core.emit(conversation, 'session.info', { info_revision: row.revision, row })
    },
    accepted: (admission) => {
      mine?.add(admission)
    },
    get runner(): TurnRunner {
      return runner
    },
  }
  const runner: TurnRunner = new TurnRunner(
    {
      store,
      clock,
      events,
      backend,
      epoch: core.epoch,
      rowChanged: core.rowChanged,
      onFault,
      contextFor: turnContextFor(core, tools, {
        surface: options.kind,
        random: options.random ?? Math.random,
        faults: faultsFrom(ports.env),
      }),
    },
    mine,
  )
  config.onChange(() => events.announce('config.changed', { revision: config.revision }))
  await ensureFolder(workspaceOf(home))
  void keepBeating(store, backend, core, closing.signal, onFault)
  if (mine === null) for (const conversation of recovered.waiting) runner.wake(conversation)

  const door = createRouter({
    handlers: createHandlers({
      conversations: conversationServices(core),
      turns: turnServices(core),
      settings: settingsServices(core),
    }),
    subscribe: (listener) => events.subscribe(listener),
    serves: (profile) => profile === home.profile,
    onFault,
  })
  let closed: Promise<void> | null = null
  const drain = async (): Promise<void> => {
    closing.abort()
    await runner.drain()
  }
  return {
    door,
    profile: home.profile,
    config,
    runningTurns: () => runner.runningTurns,
    idle: (conversation) => runner.idle(conversation),
    drain,
    close: () => {
      closed ??= (async () => {
        await drain()
        await providers.close()
        await store.write('recovery.end', 'routine', (db) => {
          forgetBackend(db, backend)
          setMeta(db, 'clean_shutdown', '1')
        })
        for (const each of held.toReversed()) each.release()
        held.length = 0
      })()
      return closed
    },
  }
}

/** A file opened for another profile is left alone (session-db 1.5, S-72). */
async function checkIdentity(store: Store, home: Home): Promise<void> {
  const known = getMeta(store.read, 'profile_id')
  if (known === undefined) await store.write('identity', 'routine', (db) => setMeta(db, 'profile_id', home.profile))
  else if (known !== home.profile)
    throw new StorageError(
      'profile_mismatch',
      `${store.file} belongs to the profile "${known}", not to "${home.profile}".`,
    )
}

function backUp(store: Store, home: Home, version: number, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[:.]/g, '-')
  const file = join(home.path, 'backups', `state-v${version}-${stamp}.db`)
  store.vacuumInto(file)
  return file
}

async function keepBeating(
  store: Store,
  backend: BackendId,
  core: Pick<Core, 'clock'>,
  over: AbortSignal,
  onFault: (where: string, error: unknown) => void,
): Promise<void> {
  for (;;) {
    await core.clock.sleep(BEAT_MS, over)
    if (over.aborted) return
    try {
      await store.write('heartbeat', 'activity', (db) => beat(db, backend, core.clock.now()))
    } catch (error) {
      // Dropped: the run lock proves that this process lives, and the next beat comes in a minute.
      onFault('heartbeat', error)
    }
  }
}

const userName = (env: ShellPorts['env']): string => env['USER'] ?? env['USERNAME'] ?? 'local'
