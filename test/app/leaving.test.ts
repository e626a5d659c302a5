import { expect, test } from 'vitest'
import { type Answer, Leaving } from '../../src/main/app/leaving.ts'

/** A shell whose every step is written down; the person's answers and the running turns are given. */
function aShell({ running = 0, answers = [] as Answer[] } = {}) {
  const steps: string[] = []
  const state = { running, open: true, wake: () => {} }
  const leaving: Leaving = new Leaving({
    runningTurns: () => state.running,
    async ask(turns) {
      steps.push(`ask about ${turns}`)
      return answers.shift() ?? 'cancel'
    },
    windowIsOpen: () => state.open,
    async closeWindow() {
      state.open = false
      steps.push('close window')
    },
    showWindow() {
      state.open = true
      steps.push('show window')
    },
    settled: async () => void steps.push('settle'),
    closeCore: async () => void steps.push('close core'),
    quit() {
      steps.push(leaving.mayQuit() ? 'end' : 'quit')
    },
    fail: (error) => void steps.push(`fail ${String(error)}`),
    sleep: () =>
      new Promise((resolve) => {
        steps.push('wait')
        state.wake = resolve
      }),
  })
  return { leaving, steps, state }
}
/** Lets everything that is ready to go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const WAY_OUT = ['close window', 'settle', 'close core', 'end']

test('[U-26] with nothing running it leaves without a question, drafts before the core', async () => {
  const { leaving, steps } = aShell()
  expect(leaving.mayQuit()).toBe(false)
  await settle()
  expect(steps).toEqual(WAY_OUT)
})

test('[U-26] while turns run it asks once, however often it is asked to quit', async () => {
  const { leaving, steps } = aShell({ running: 2, answers: ['stop'] })
  expect([leaving.mayQuit(), leaving.mayQuit(), leaving.mayCloseWindow()]).toEqual([false, false, false])
  await settle()
  expect(steps).toEqual(['ask about 2', ...WAY_OUT])
})

test('[U-26] cancelled, everything is as before, and the next time it asks again', async () => {
  const { leaving, steps } = aShell({ running: 1 })
  leaving.mayQuit()
  await settle()
  leaving.mayQuit()
  await settle()
  expect(steps).toEqual(['ask about 1', 'show window', 'ask about 1', 'show window'])
})

test('[U-26] in the background it ends by itself after the last turn', async () => {
  const { leaving, steps, state } = aShell({ running: 1, answers: ['background'] })
  leaving.mayQuit()
  await settle()
  expect(steps).toEqual(['ask about 1', 'close window', 'wait'])
  expect(leaving.quitsWithoutWindow()).toBe(false)
  state.running = 0
  state.wake()
  await settle()
  expect(steps.slice(3)).toEqual(WAY_OUT)
})

test('[U-26] a window that comes back ends the background: closing it asks again', async () => {
  const { leaving, steps, state } = aShell({ running: 1, answers: ['background'] })
  leaving.mayQuit()
  await settle()
  state.open = true
  state.wake()
  await settle()
  expect(leaving.mayCloseWindow()).toBe(false)
  await settle()
  expect(steps.filter((step) => step.startsWith('ask'))).toHaveLength(2)
})

test('[U-26] closing the last window while a turn runs asks over that window', async () => {
  const { leaving, steps } = aShell({ running: 1 })
  expect(leaving.mayCloseWindow()).toBe(false)
  await settle()
  expect(steps).toEqual(['ask about 1', 'quit', 'show window'])
})

test('[U-26] a core that cannot close is said, and the app does not hang', async () => {
  const { steps } = aShell()
  const failing = new Leaving({
    runningTurns: () => 0,
    ask: async () => 'cancel',
    windowIsOpen: () => false,
    closeWindow: async () => {},
    showWindow: () => {},
    settled: async () => {},
    closeCore: () => Promise.reject(new Error('disk is gone')),
    quit: () => {},
    fail: (error) => void steps.push(String(error)),
    sleep: async () => {},
  })
  failing.mayQuit()
  await settle()
  expect(steps).toEqual(['Error: disk is gone'])
})
