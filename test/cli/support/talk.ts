import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { everyConversation, jsonLines } from '../../../src/main/host/reading.ts'
import { readSessions } from '../../../src/main/sessions/index.ts'
import { type Script, type ScriptedOptions, startScriptedProvider } from '../../support/scripted-provider.ts'
import { aHomeFolder } from './herma.ts'

/** A home whose provider is a scripted server. */
export async function aTalk(script: readonly Script[], options: ScriptedOptions & { config?: string } = {}) {
  const provider = await startScriptedProvider(script, options)
  onTestFinished(() => provider.stop())
  const home = aHomeFolder()
  mkdirSync(home)
  writeFileSync(
    join(home, 'config.yaml'),
    `model: {provider: custom, default: model-a, base_url: "${provider.url}"}\n${options.config ?? ''}`,
  )
  /** Stored messages of all conversations, as an export shows them. */
  const rows = (): Record<string, unknown>[] => {
    const db = readSessions(join(home, 'state.db'))
    try {
      const lines = [...jsonLines(db, everyConversation(db), false)].join('').trim().split('\n')
      return lines.flatMap((line) => JSON.parse(line).messages)
    } finally {
      db.close()
    }
  }
  return { provider, home, rows }
}
export const roles = (rows: readonly Record<string, unknown>[]): unknown[] => rows.map((row) => row['role'])
