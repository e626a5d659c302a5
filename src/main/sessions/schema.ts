/** The session database as a migration target: its application id and its numbered steps. */
import type { Migration, MigrationTarget } from '../storage/index.ts'
import initial from './migrations/0001_initial.sql?raw'

/** "HERM" in ASCII (session-db 2.1). */
export const APPLICATION_ID = 1_212_502_605

const migrations: readonly Migration[] = [{ version: 1, name: '0001_initial', sql: initial }]

export const sessionSchema = (appVersion: string): MigrationTarget => ({
  applicationId: APPLICATION_ID,
  migrations,
  appVersion,
})
