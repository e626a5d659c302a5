import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openSessions } from '../../src/main/sessions/index.ts'
import { checkMigrations } from '../../src/main/storage/index.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { tempFolder } from '../support/temp-home.ts'

const open = (file: string) => openSessions({ file, clock: fakeClock(), appVersion: 'test' })

test('[session-db 2.1] a new file has the whole schema, its version and its application id', async () => {
  const file = join(tempFolder(), 'state.db')
  const store = await open(file)
  expect(store.userVersion()).toEqual({ user: 1, application: 1212502605 })
  const tables = store.read.all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like '%fts%' order by name",
  )
  expect(tables.map((row) => row.name)).toEqual([
    'async_delegations',
    'compression_locks',
    'conversation_generations',
    'conversations',
    'gateway_heartbeats',
    'messages',
    'runtime_epoch',
    'schema_version',
    'session_admissions',
    'session_model_usage',
    'session_turn_leases',
    'sessions',
    'sqlite_sequence',
    'state_meta',
    'system_prompts',
    'worker_executions',
    'worker_receipts',
  ])
  store.close()
})

test('[speed.md 1] opening a file that is up to date writes nothing', async () => {
  const file = join(tempFolder(), 'state.db')
  ;(await open(file)).close()
  const before = readFileSync(file)
  ;(await open(file)).close()
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('[S-69] a file of a newer Herma is refused and left as it is', async () => {
  const file = join(tempFolder(), 'state.db')
  ;(await open(file)).close()
  const db = new Database(file)
  db.pragma('user_version=2')
  db.close()
  await expect(open(file)).rejects.toMatchObject({ code: 'newer_schema' })
})

test('[session-db 2.6] a database of another program is refused and left as it is', async () => {
  const file = join(tempFolder(), 'state.db')
  const db = new Database(file)
  db.exec('create table theirs(x)')
  db.close()
  await expect(open(file)).rejects.toMatchObject({
    code: 'db_unavailable',
    message: expect.stringContaining('another program'),
  })
})

test('[session-db 2.6] numbering without holes is checked before anything runs', () => {
  const step = (version: number) => ({ version, name: `s${version}`, sql: '' })
  expect(() => checkMigrations([step(1), step(3)])).toThrow('number 3, 2 was expected')
  expect(() => checkMigrations([step(1), step(2)])).not.toThrow()
})

test('[F-22] a step that breaks off leaves the old version and none of its tables', async () => {
  const file = join(tempFolder(), 'state.db')
  const { migrate, Store } = await import('../../src/main/storage/index.ts')
  const store = new Store({ file, clock: fakeClock() })
  const first = {
    version: 1,
    name: '0001',
    sql: 'create table schema_version(version, applied_at, app_version, backup_file); create table t(n)',
  }
  const target = (sql: string) => ({
    applicationId: 7,
    appVersion: 'test',
    migrations: [first, { version: 2, name: '0002', sql }],
  })
  await migrate(store, { ...target(''), migrations: [first] }, 0, () => null)
  await expect(migrate(store, target('create table half(n); create table t(n)'), 0, () => 'copy.db')).rejects.toThrow(
    'already exists',
  )
  expect(store.userVersion().user).toBe(1)
  expect(store.read.all("select name from sqlite_schema where name = 'half'")).toEqual([])
  store.close()
})
