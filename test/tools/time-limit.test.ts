import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTimeLimit } from '../../src/main/tools/time-limit.ts'
import { fakeClock } from '../support/fake-clock.ts'

test('[kernel 5] only running time counts, however often and deeply it is paused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 2 })), { maxLength: 20 }),
      async (spans) => {
        const clock = fakeClock()
        const limit = startTimeLimit(clock, 1_000)
        let spent = false
        void limit.spent.then(() => {
          spent = true
        })
        let running = 0
        for (const [ms, depth] of spans) {
          const wait = (left: number): Promise<void> =>
            left === 0 ? clock.advance(ms) : limit.paused(() => wait(left - 1))
          await wait(depth)
          if (depth === 0) running += ms
          expect(spent).toBe(running >= 1_000)
        }
        limit.end()
      },
    ),
    { numRuns: 60 },
  )
})

test('[kernel 5] after its end a limit is never spent', async () => {
  const clock = fakeClock()
  const limit = startTimeLimit(clock, 10)
  let spent = false
  void limit.spent.then(() => {
    spent = true
  })
  limit.end()
  await clock.advance(1_000)
  expect(spent).toBe(false)
  expect(clock.sleeping()).toEqual([])
})
