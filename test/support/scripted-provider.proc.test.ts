import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { answerOf, asking, failureOf, portTo } from '../providers/builders.ts'
import { call, err, text } from './scripted-provider.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts the scripted provider as a process of its own; gives its address. */
async function serve(story: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'herma-story-'))
  undo.push(() => rm(folder, { recursive: true }))
  const file = join(folder, 'story.json')
  await writeFile(file, JSON.stringify(story))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'scripted-provider-main.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  undo.push(async () => {
    const gone = once(child, 'exit')
    child.kill()
    await gone
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return line.toString().trim()
}

describe('scripted provider as a process', () => {
  it('[CLI-02] serves a story from a file, in order, then what it was told to', async () => {
    const url = await serve({
      steps: [
        call('read_file', { path: 'a' }),
        text('done'),
        err(429, { error: { message: 'slow' } }, { 'retry-after': '7' }),
      ],
      options: { whenSpent: 'repeat' },
    })
    const port = portTo(url)
    expect((await answerOf(port)).calls).toEqual([{ id: 'call_0', name: 'read_file', arguments: '{"path":"a"}' }])
    expect((await answerOf(port)).text).toBe('done')
    for (let n = 0; n < 2; n++)
      expect((await failureOf(port, asking('again'))).failure).toMatchObject({
        kind: 'rate_limit',
        retryAfterMs: 7_000,
      })
  })
})
