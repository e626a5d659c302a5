import { expect, test } from 'vitest'
import { runHerma, startHerma } from './support/herma.ts'
import { aLivingHome } from './support/living-home.ts'

test('[decisions 11] another process reads while one has the home, and takes nothing from it', async () => {
  const { home, talk, bench } = await aLivingHome()
  const id = await talk('Shared', 'one')
  const { stdout, code, stderr } = await runHerma(
    ['sessions', 'export', '--session-id', id, '--format', 'jsonl', '-'],
    {
      home,
    },
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ id, title: 'Shared' })
  await talk('After', 'two')
  expect(bench.store.read.get('pragma quick_check')).toEqual({ quick_check: 'ok' })
})

test('[CLI-12] an export whose reader goes away ends quietly', async () => {
  const { home, talk } = await aLivingHome()
  await talk('Long', 'x'.repeat(900_000))
  const running = startHerma(['sessions', 'export', '--all', '-'], { home })
  await running.printed('{"id"')
  running.closeStdout()
  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})
