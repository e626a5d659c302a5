/** The whole core on a temporary home, spoken to by the typed client, with a scripted provider behind the real SDK. */
import { onTestFinished } from 'vitest'
import { findHome, type Home } from '../../src/main/host/home.ts'
import { createHost, type Host, type HostOptions } from '../../src/main/host/index.ts'
import { headlessSecrets } from '../../src/main/host/secrets-headless.ts'
import { inProcessTransport } from '../../src/main/rpc/transports/in-process.ts'
import { readSessions } from '../../src/main/sessions/index.ts'
import type { ReadableDb } from '../../src/main/storage/index.ts'
import { createClient, type HermaClient } from '../../src/shared/client.ts'
import type { HermaEvent, MethodName, ResultOf } from '../../src/shared/contract/index.ts'
import type { ConversationId, RequestId } from '../../src/shared/ids.ts'
import type { Json } from '../../src/shared/schema.ts'
import { type Clock, systemClock } from '../../src/shared/time.ts'
import { type Script, type ScriptedOptions, type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { tempFolder } from './temp-home.ts'

export interface TestHost {
  readonly host: Host
  readonly home: Home
  readonly client: HermaClient
  readonly provider: ScriptedProvider
  /** Every event so far, in order. */
  readonly events: readonly HermaEvent[]
  /** Value of a call; a refusal fails the test. */
  call<M extends MethodName>(method: M, params: Parameters<HermaClient['call']>[1]): Promise<ResultOf<M>>
  conversation(): Promise<ConversationId>
  /** Submits and waits for the turn's last event. */
  turn(conversation: ConversationId, text: string): Promise<Extract<HermaEvent, { type: 'message.complete' }>>
  /** The next event that fits, past ones included. */
  event<T extends HermaEvent['type']>(
    type: T,
    fits?: (event: Extract<HermaEvent, { type: T }>) => boolean,
  ): Promise<Extract<HermaEvent, { type: T }>>
  /** The database as another reader sees it. */
  db(): ReadableDb
}

export interface TestHostOptions {
  readonly folder?: string
  readonly config?: Readonly<Record<string, Json>>
  readonly clock?: Clock
  readonly provider?: ScriptedOptions
  readonly host?: Partial<HostOptions>
  readonly env?: Readonly<Record<string, string>>
  readonly logged?: string[]
}

let requests = 0

export async function startTestHost(script: readonly Script[], options: TestHostOptions = {}): Promise<TestHost> {
  const provider = await startScriptedProvider(script, options.provider)
  onTestFinished(() => provider.stop())
  const found = findHome({}, { home: options.folder ?? tempFolder() })
  if (!found.ok) throw new Error(found.refusal.message)
  const home = found.value
  const clock = options.clock ?? systemClock
  const started = await createHost({
    home,
    kind: 'serve',
    version: 'test',
    ports: {
      clock,
      secrets: headlessSecrets(home, clock),
      env: options.env ?? {},
      log: (level, message, facts) => options.logged?.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`),
    },
    flags: {
      'model.provider': 'custom',
      'model.default': 'model-a',
      'model.base_url': provider.url,
      ...options.config,
    },
    random: () => 0,
    ...options.host,
  })
  if (!started.ok) throw new Error(`${started.refusal.code}: ${started.refusal.message}`)
  const host = started.value
  onTestFinished(() => host.close())
  const client = createClient(inProcessTransport(host.door), host.profile)
  const events: HermaEvent[] = []
  const waiting = new Set<() => void>()
  client.subscribe((event) => {
    events.push(event)
    for (const check of [...waiting]) check()
  })

  const event: TestHost['event'] = (type, fits = () => true) =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = events.find((each) => each.type === type && fits(each as never))
        if (found === undefined) return
        waiting.delete(check)
        resolve(found as never)
      }
      waiting.add(check)
      check()
    })
  const call: TestHost['call'] = async (method, params) => {
    const answer = await client.call(method, params as never)
    if (!answer.ok) throw new Error(`${method}: ${answer.refusal.code}: ${answer.refusal.message}`)
    return answer.value
  }
  return {
    host,
    home,
    client,
    provider,
    events,
    event,
    call,
    conversation: async () =>
      (await call('session.create', { request_id: `c${++requests}` as RequestId })).conversation_id,
    turn: async (conversation, text) => {
      const { admission_id } = await call('prompt.submit', {
        conversation_id: conversation,
        request_id: `t${++requests}` as RequestId,
        text,
      })
      const ours = new Set<string>()
      const done = await event('message.complete', (each) => {
        for (const start of events)
          if (start.type === 'message.start' && start.payload.admission_id === admission_id)
            ours.add(start.payload.turn)
        return each.turn !== undefined && ours.has(each.turn)
      })
      await host.idle(conversation)
      return done
    },
    db: () => {
      const db = readSessions(`${home.path}/state.db`)
      onTestFinished(() => db.close())
      return db
    },
  }
}
