import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findHome } from '../../src/main/host/home.ts'
import { UiState } from '../../src/main/host/ui-state.ts'
import type { Json } from '../../src/shared/schema.ts'
import { tempFolder } from '../support/temp-home.ts'

function aState(root = tempFolder()): { state: UiState; folder: string; reopened: () => UiState } {
  const home = findHome({}, { home: root })
  if (!home.ok) throw new Error(home.refusal.message)
  return {
    state: new UiState(home.value),
    folder: join(root, 'cache', 'ui'),
    reopened: () => new UiState(home.value),
  }
}

test('[U-46] a draft is on disk when the answer comes, and the next process finds it', async () => {
  const { state, folder, reopened } = aState()
  expect(await state.set('draft:c1', { text: 'half a thou' })).toEqual({ ok: true, value: { stored: true } })
  expect(await reopened().get(['draft:c1', 'draft:c2'])).toEqual({ 'draft:c1': { text: 'half a thou' } })
  expect(readdirSync(folder)).toHaveLength(1)
  if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('[U-46] only an explicit clear removes a draft', async () => {
  const { state, folder } = aState()
  await state.set('draft:c1', 'x')
  expect(await state.set('draft:c1', null)).toEqual({ ok: true, value: { stored: false } })
  expect(await state.set('never:there', null)).toEqual({ ok: true, value: { stored: false } })
  expect(await state.get(['draft:c1'])).toEqual({})
  expect(readdirSync(folder)).toEqual([])
})

test('[U-46] of many changes at once the last one asked for stays', async () => {
  const { state, folder } = aState()
  await Promise.all(Array.from({ length: 30 }, (_, i) => state.set('draft:c1', i)))
  expect(await state.get(['draft:c1'])).toEqual({ 'draft:c1': 29 })
  expect(readdirSync(folder)).toHaveLength(1)
})

test.each([
  ['is cut off', '{"key":"draft:c1","va'],
  ['is another key', '{"key":"draft:c2","value":1}'],
  ['holds null', 'null'],
  ['holds no value', '{"key":"draft:c1"}'],
  ['is empty', ''],
])('[U-10] a file that %s counts as absent, and can be written again', async (_what, content) => {
  const { state, folder } = aState()
  await state.set('draft:c1', 'x')
  const [name = ''] = readdirSync(folder)
  writeFileSync(join(folder, name), content)
  expect(await state.get(['draft:c1'])).toEqual({})
  await state.set('draft:c1', 'y')
  expect(await state.get(['draft:c1'])).toEqual({ 'draft:c1': 'y' })
})

test('[U-46] what is too large is refused with both figures, and the old value stays', async () => {
  const { state } = aState()
  await state.set('draft:c1', 'small')
  expect(await state.set('draft:c1', 'x'.repeat(1_048_577))).toMatchObject({
    ok: false,
    refusal: { code: 'invalid_params', message: expect.stringMatching(/1,048,6\d\d characters, at most 1,048,576/) },
  })
  expect(await state.get(['draft:c1'])).toEqual({ 'draft:c1': 'small' })
})

test('[U-46] a disk that says no is a refusal that says where the text still is', async () => {
  const root = tempFolder()
  mkdirSync(join(root, 'cache'))
  writeFileSync(join(root, 'cache', 'ui'), 'in the way')
  const { state } = aState(root)
  expect(await state.set('draft:c1', 'x')).toMatchObject({
    ok: false,
    refusal: { code: 'db_readonly', next: expect.stringContaining('still in the window') },
  })
  expect(await state.get(['draft:c1'])).toEqual({})
  expect(readFileSync(join(root, 'cache', 'ui'), 'utf8')).toBe('in the way')
})

test('[U-46] any key and any value come back as they were', async () => {
  const { state } = aState()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), fc.jsonValue(), async (key, value) => {
      await state.set(key, value as Json)
      expect((await state.get([key]))[key] ?? null).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: 60 },
  )
})
