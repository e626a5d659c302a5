/** Opening, reading and writing SQLite files. Knows no table of ours. */
export * from './database.ts'
export * from './faults.ts'
export * from './migrate.ts'
export * from './storage-error.ts'
