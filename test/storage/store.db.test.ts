import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { assertSafeSqlite, faultsFrom, ProcessLock, Store } from '../../src/main/storage/index.ts'
import { systemClock } from '../../src/shared/time.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { tempFolder } from '../support/temp-home.ts'

function aStore(clock = systemClock, file = join(tempFolder(), 'x.db')): Store {
  const store = new Store({ file, clock })
  onTestFinished(() => store.close())
  return store
}
const withTable = async (store: Store): Promise<Store> => {
  await store.write('schema', 'routine', (db) => db.exec('create table t(n integer primary key) strict'))
  return store
}
const count = (store: Store): number => store.read.get<{ n: number }>('select count(*) n from t')?.n ?? -1

test('[session-db 2.4] a writer keeps a log, syncs every commit, and checks foreign keys', async () => {
  const store = aStore()
  const pragma = (name: string) => Object.values(store.read.get<Record<string, unknown>>(`pragma ${name}`) ?? {})[0]
  expect(
    ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'wal_autocheckpoint', 'auto_vacuum'].map(pragma),
  ).toEqual(['wal', 2, 1, 0, 1000, 2])
})

test('[F-23] an async function is refused before anything begins, and a throw stores nothing', async () => {
  const store = await withTable(aStore())
  const asyncWork = store.write('bad', 'routine', (async (db: never) => db) as never)
  await expect(asyncWork).rejects.toThrow('must not be async')
  const sly = store.write('sly', 'routine', (db) => {
    db.run('insert into t values (1)')
    return Promise.resolve()
  })
  await expect(sly).rejects.toThrow('must not return a promise')
  const broken = store.write('broken', 'routine', (db) => {
    db.run('insert into t values (1)')
    db.run('insert into t values (2)')
    throw new Error('no')
  })
  await expect(broken).rejects.toThrow('no')
  expect(count(store)).toBe(0)
})

test('[F-20] a write waits for another process’s lock and then succeeds', async () => {
  const clock = fakeClock()
  const store = await withTable(aStore(clock))
  const other = new Database(store.file)
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  const written = store.write('append', 'transcript', (db) => db.run('insert into t values (1)'))
  await clock.whenSleeping()
  await clock.advance(1_000)
  expect(clock.sleeping()).toHaveLength(1)
  other.exec('commit')
  await clock.advance(1_000)
  expect(await written).toBe(1)
})

test('[session-db 2.5] a lock that outlasts the budget is named, and nothing was written', async () => {
  const clock = fakeClock()
  const store = await withTable(aStore(clock))
  const other = new Database(store.file)
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  const written = store.write('append', 'activity', (db) => db.run('insert into t values (1)'))
  const failed = expect(written).rejects.toMatchObject({
    code: 'db_locked',
    message: expect.stringContaining('locked'),
  })
  for (let i = 0; i < 20; i++) await clock.advance(100)
  await failed
  other.exec('rollback')
  expect(count(store)).toBe(0)
})

test.runIf(process.platform === 'linux')(
  '[F-24] two thousand reads and writes open no file more, and a closed store refuses',
  async () => {
    const store = await withTable(aStore())
    const open = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(store.file)
        } catch {
          return false
        }
      }).length
    await store.write('one', 'routine', (db) => db.run('insert into t values (0)'))
    const before = open()
    for (let n = 1; n <= 1_000; n++) {
      await store.write('more', 'routine', (db) => db.run('insert into t values (:n)', { n }))
      count(store)
    }
    expect(open()).toBe(before)
    store.close()
    await expect(store.write('late', 'routine', (db) => db.run('insert into t values (-1)'))).rejects.toThrow(
      'not open',
    )
  },
)

test('[session-db 4.3] a lock is proof: held it cannot be taken, released it can', () => {
  const file = join(tempFolder(), 'a.lock')
  const mine = ProcessLock.take(file)
  expect(ProcessLock.take(file)).toBeNull()
  mine?.release()
  const again = ProcessLock.take(file)
  expect(again).not.toBeNull()
  again?.release()
})

test.each([
  ['3.51.2', false],
  ['3.51.3', true],
  ['3.50.7', true],
  ['3.50.6', false],
  ['3.44.6', true],
  ['3.54.1', true],
])('[F-11] SQLite %s is safe to use: %s', (version, safe) => {
  const check = () => assertSafeSqlite(version)
  if (safe) expect(check).not.toThrow()
  else expect(check).toThrow('3.51.3')
})

test('[cli.md 5] a fault fires at its point, the nth time, and only with the switch on', () => {
  const on = faultsFrom({ HERMA_FAULTS: '1', HERMA_FAULT: 'ledger.user.before:throw:2' })
  on.reach('ledger.user.after')
  on.reach('ledger.user.before')
  expect(() => on.reach('ledger.user.before')).toThrow('injected fault at ledger.user.before')
  const off = faultsFrom({ HERMA_FAULT: 'ledger.user.before:throw' })
  expect(() => off.reach('ledger.user.before')).not.toThrow()
  expect(() => faultsFrom({ HERMA_FAULTS: '1', HERMA_FAULT: 'x:explode' })).toThrow('HERMA_FAULT')
})
