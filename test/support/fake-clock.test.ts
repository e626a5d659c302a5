import { expect, test } from 'vitest'
import { fakeClock } from './fake-clock.ts'

test('[style 2] sleeps end in order of their time, also those that begin meanwhile', async () => {
  const clock = fakeClock(1_000)
  const seen: string[] = []
  void clock.sleep(30).then(() => seen.push(`30@${clock.monotonic()}`))
  void clock.sleep(10).then(async () => {
    seen.push(`10@${clock.monotonic()}`)
    await clock.sleep(10)
    seen.push(`20@${clock.monotonic()}`)
  })

  await clock.advance(25)
  expect(seen).toEqual(['10@10', '20@20'])
  expect(clock.sleeping()).toEqual([5])
  await clock.advance(5)
  expect(seen).toEqual(['10@10', '20@20', '30@30'])
  expect(clock.now()).toBe(1_030)
})

test('[style 2] an aborted sleep ends at once and the wall clock may jump alone', async () => {
  const clock = fakeClock(0)
  const stop = new AbortController()
  const slept = clock.sleep(1_000, stop.signal)
  stop.abort()
  await slept
  clock.jumpWall(-500)
  expect([clock.now(), clock.monotonic(), clock.sleeping()]).toEqual([-500, 0, []])
})
