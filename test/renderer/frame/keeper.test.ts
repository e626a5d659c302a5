import { describe, expect, test } from 'vitest'
import { createKeeper, KEEP_AFTER_MS } from '../../../src/renderer/src/app/keeper.ts'
import type { Json } from '../../../src/shared/schema.ts'

/** A keeper over a disk that answers when told, and a clock that moves when told. */
function aKeeper({ refuse = false } = {}) {
  const disk = new Map<string, Json | null>()
  const writes: { key: string; value: Json | null; land: () => void }[] = []
  const timers: { at: number; run: () => void }[] = []
  let now = 0
  let refusing = refuse
  const keeper = createKeeper({
    write: (key, value) =>
      new Promise((resolve) => {
        writes.push({
          key,
          value,
          land: () => {
            if (!refusing) disk.set(key, value)
            resolve(!refusing)
          },
        })
      }),
    later(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  })
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  return {
    keeper,
    disk,
    writes,
    mend: () => {
      refusing = false
    },
    async pass(ms: number): Promise<void> {
      now += ms
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.run()
      }
      await settle()
    },
    async landAll(): Promise<void> {
      for (let write = writes.shift(); write !== undefined; write = writes.shift()) {
        write.land()
        await settle()
      }
    },
  }
}

describe('[U-46] kept screen state', () => {
  test('is on its way to the disk within 400 ms, however long the typing goes on', async () => {
    const { keeper, writes, pass } = aKeeper()
    for (let i = 0; i < 20; i++) {
      keeper.keep('draft:c1', `text ${i}`)
      await pass(20)
    }
    expect(KEEP_AFTER_MS).toBeLessThan(400)
    expect(writes[0]?.value).toBe('text 12')
  })

  test('goes out at once on a flush', async () => {
    const { keeper, disk, landAll } = aKeeper()
    keeper.keep('draft:c1', 'half a sent')
    const done = keeper.flush()
    await landAll()
    await done
    expect(disk.get('draft:c1')).toBe('half a sent')
    expect(keeper.unsaved()).toEqual({})
  })

  test('never lets an older value land on a newer one', async () => {
    const { keeper, writes, disk, pass, landAll } = aKeeper()
    keeper.keep('draft:c1', 'old')
    await pass(KEEP_AFTER_MS)
    keeper.keep('draft:c1', 'new')
    void keeper.flush()
    expect(writes.map(({ value }) => value)).toEqual(['old'])
    await landAll()
    expect(disk.get('draft:c1')).toBe('new')
  })

  test('is tried again when the write was refused', async () => {
    const { keeper, disk, pass, landAll, mend } = aKeeper({ refuse: true })
    keeper.keep('draft:c1', 'kept in memory')
    await pass(KEEP_AFTER_MS)
    await landAll()
    expect(keeper.unsaved()).toEqual({ 'draft:c1': 'kept in memory' })
    expect(keeper.held('draft:c1')).toBe('kept in memory')

    mend()
    await pass(2_000)
    await landAll()
    expect(disk.get('draft:c1')).toBe('kept in memory')
  })
})
