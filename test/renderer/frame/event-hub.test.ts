import { afterEach, expect, test, vi } from 'vitest'
import { shareEvents } from '../../../src/renderer/src/client/event-hub.ts'
import { createClient } from '../../../src/shared/client.ts'
import { DEFAULT_PROFILE } from '../../../src/shared/ids.ts'
import { ScriptedCore } from './scripted-core.ts'

afterEach(() => vi.unstubAllGlobals())

const aWindow = () => {
  const core = new ScriptedCore()
  const transport = core.transport()
  const subscribe = vi.spyOn(transport, 'subscribe')
  return { core, subscribe, client: shareEvents(createClient(transport, DEFAULT_PROFILE)) }
}

test('[U-03] all views of a window share one subscription, and it ends with the last of them', () => {
  const { core, subscribe, client } = aWindow()
  const heard: string[] = []
  const first = client.subscribe(({ type }) => heard.push(`first ${type}`))
  const second = client.subscribe(({ type }) => heard.push(`second ${type}`))

  core.emit('sessions.changed', { conversation_id: null })
  first()
  core.emit('sessions.changed', { conversation_id: null })
  second()
  core.emit('sessions.changed', { conversation_id: null })

  expect(heard).toEqual(['first sessions.changed', 'second sessions.changed', 'second sessions.changed'])
  expect(subscribe).toHaveBeenCalledTimes(1)
})

test('[U-04] an event of another profile, an unknown one and a broken one reach nobody', () => {
  const { core, client } = aWindow()
  const heard: string[] = []
  client.subscribe(({ type }) => heard.push(type))
  const frame = { session_id: null, conversation_id: null, epoch: 'e', seq: 0, payload: { conversation_id: null } }
  const event = (params: object) => core.send({ jsonrpc: '2.0', method: 'event', params })

  event({ ...frame, type: 'sessions.changed', profile: 'other' })
  event({ ...frame, type: 'no.such.event', profile: 'default' })
  event({ ...frame, type: 'config.changed', profile: 'default' })
  core.send({ jsonrpc: '2.0', method: 'shell.command', params: { id: 'go.back' } })

  expect(heard).toEqual([])
})

test('[U-10] a view that fails on an event keeps no other view from hearing it', () => {
  const failures: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => failures.push(error))
  const { core, client } = aWindow()
  const heard: string[] = []
  client.subscribe(() => {
    throw new Error('this view is broken')
  })
  client.subscribe(({ type }) => heard.push(type))

  core.emit('sessions.changed', { conversation_id: null })

  expect(heard).toEqual(['sessions.changed'])
  expect(failures).toHaveLength(1)
})
