import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RequestId } from '../../../src/shared/ids.ts'
import { tempFolder } from '../../support/temp-home.ts'
import { startTestHost } from '../../support/temp-host.ts'

/** The demo as it is met after a fresh start: real kernel, real tools, real commands, a person who answers. */
async function demoHost() {
  const host = await startTestHost([], {
    config: { 'model.provider': 'demo', 'model.default': '', 'model.base_url': '' },
  })
  const cwd = tempFolder()
  const { conversation_id } = await host.call('session.create', { request_id: 'demo' as RequestId, cwd })
  /** One turn of the tool story; gives the closing words. */
  const run = async (choice: 'once' | 'deny'): Promise<string> => {
    const turn = host.turn(conversation_id, 'run a command')
    const { payload } = await host.event('approval.open')
    expect(payload).toMatchObject({ tool: 'terminal', subject: expect.stringMatching(/^rm -f herma-demo\.txt && /) })
    await host.call('approval.respond', { request_id: payload.request_id, choice })
    return (await turn).payload.text
  }
  return { host, run, file: join(cwd, 'herma-demo.txt') }
}

describe('the demo in the real loop', () => {
  it('[U-35] shows live output, asks once, writes after a yes and reads the file back', async () => {
    const { host, file, run } = await demoHost()
    const text = await run('once')
    expect(text).toMatch(/allowed/)
    expect(readFileSync(file, 'utf8')).toBe('Written by Herma\n')
    expect(host.events.filter(({ type }) => type === 'approval.open')).toHaveLength(1)
    expect(host.events.filter(({ type }) => type === 'tool.progress').length).toBeGreaterThan(1)
    expect(host.events.filter(({ type }) => type === 'tool.complete')).toHaveLength(3)
  })

  it('[E-13] writes nothing after a no, and says so', async () => {
    const { file, run } = await demoHost()
    expect(await run('deny')).not.toMatch(/you allowed/i)
    expect(existsSync(file)).toBe(false)
  })
})
