import { describe, expect, test } from 'vitest'
import { type Socket, socketTransport } from '../../../src/renderer/src/client/transports.ts'

type Probe = 'ok' | 'shut-out' | 'unreachable' | { readonly otherProtocol: number }

/** A world of sockets that open and break when told, and a clock that moves when told. */
function aWorld() {
  const sockets: (Socket & { sent: string[] })[] = []
  const timers: { at: number; run: () => void }[] = []
  let now = 0
  let probe: Probe = 'ok'
  const transport = socketTransport({
    open() {
      const socket = {
        sent: [] as string[],
        send: (text: string) => void socket.sent.push(text),
        close: () => socket.onclose?.(),
        onopen: null as (() => void) | null,
        onmessage: null as ((event: { data: unknown }) => void) | null,
        onclose: null as (() => void) | null,
      }
      sockets.push(socket)
      return socket
    },
    probe: async () => probe,
    now: () => now,
    later(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1))
    },
    random: () => 1,
  })
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  const last = (): Socket & { sent: string[] } => {
    const socket = sockets.at(-1)
    if (socket === undefined) throw new Error('no socket was opened')
    return socket
  }
  return {
    transport,
    sockets,
    last,
    up: () => last().onopen?.(),
    breaks: () => last().onclose?.(),
    answers: (text: string) => last().onmessage?.({ data: text }),
    theProbeSays: (next: Probe) => {
      probe = next
    },
    async pass(ms: number): Promise<void> {
      const until = now + ms
      for (;;) {
        const due = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers.splice(timers.indexOf(due), 1)
        now = due.at
        due.run()
        await settle()
      }
      now = until
    },
  }
}

const request = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'health.get', params: {} })
const response = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} })

describe('[U-03] the socket of a browser tab', () => {
  test('answers a call with the frame of the same id, whatever the order', async () => {
    const world = aWorld()
    world.up()
    const first = world.transport.call(request(1))
    const second = world.transport.call(request(2))

    world.answers(response(2))
    world.answers(response(1))

    expect(await first).toBe(response(1))
    expect(await second).toBe(response(2))
  })

  test('hands events to every listener and to no call', () => {
    const world = aWorld()
    const heard: string[] = []
    world.transport.subscribe((text) => heard.push(`a ${text}`))
    const stop = world.transport.subscribe((text) => heard.push(`b ${text}`))
    world.up()
    const event = JSON.stringify({ jsonrpc: '2.0', method: 'event', params: {} })

    world.answers(event)
    stop()
    world.answers(event)

    expect(heard).toEqual([`a ${event}`, `b ${event}`, `a ${event}`])
  })

  test('rejects a call in flight when the connection breaks: whether it was heard is not known', async () => {
    const world = aWorld()
    world.up()
    const call = world.transport.call(request(1))
    world.breaks()
    await expect(call).rejects.toThrow('broke before the answer')
  })

  test('keeps a call made while it is down and sends it once it is up again', async () => {
    const world = aWorld()
    world.up()
    world.breaks()
    const call = world.transport.call(request(7))
    await world.pass(250)
    world.up()
    expect(world.last().sent).toEqual([request(7)])

    world.answers(response(7))
    expect(await call).toBe(response(7))
  })

  test('refuses such a call after 10 s', async () => {
    const world = aWorld()
    world.up()
    world.breaks()
    world.theProbeSays('unreachable')
    const call = world.transport.call(request(7))
    const refused = expect(call).rejects.toThrow('no connection')
    await world.pass(10_000)
    await refused
  })

  test('counts its connections, so that a view knows when to take a new snapshot', async () => {
    const world = aWorld()
    const states: string[] = []
    world.transport.watch(() => {
      const state = world.transport.connection()
      states.push(`${state.state} ${state.ups}`)
    })
    world.up()
    world.breaks()
    await world.pass(250)
    world.up()
    expect(states).toEqual(['up 1', 'down 1', 'up 2'])
  })

  test('waits longer after each failure, and never longer than 5 s', async () => {
    const world = aWorld()
    world.up()
    world.breaks()
    world.theProbeSays('unreachable')
    await world.pass(60_000)
    world.theProbeSays('ok')
    const before = world.sockets.length
    await world.pass(5_000)
    expect(world.sockets.length).toBe(before + 1)
  })

  test('stops when the core does not let it in any more, and says so', async () => {
    const world = aWorld()
    world.up()
    world.breaks()
    const call = world.transport.call(request(1))
    const refused = expect(call).rejects.toThrow('does not let this page in')
    world.theProbeSays('shut-out')
    await world.pass(250)
    await refused
    expect(world.transport.connection().state).toBe('shut-out')
    await world.pass(60_000)
    expect(world.sockets).toHaveLength(1)

    world.theProbeSays('ok')
    world.transport.retryNow()
    await world.pass(0)
    world.up()
    expect(world.transport.connection()).toEqual({ state: 'up', ups: 2 })
  })

  test('stops when the core that answers speaks another protocol', async () => {
    const world = aWorld()
    world.up()
    world.breaks()
    world.theProbeSays({ otherProtocol: 9 })
    await world.pass(250)
    expect(world.transport.connection()).toMatchObject({ state: 'other-protocol', theirs: 9 })
  })
})
