import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readKeptWindow, writeKeptWindow } from '../../src/main/app/kept-window.ts'

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'herma-window-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'desktop/window.json')
}
const place = { bounds: { x: 1, y: 2, width: 900, height: 600 }, maximized: true, fullScreen: false }

test('[U-21] place and zoom come back after a restart', () => {
  const file = aFile()
  writeKeptWindow(file, { place, zoom: 130 })
  expect(readKeptWindow(file)).toEqual({ place, zoom: 130 })
})

test.each([
  ['half a file', '{"place":{"bou'],
  ['another shape', '[]'],
  ['no numbers', '{"place":{"bounds":{"x":"left"}},"zoom":"large"}'],
  ['a number out of this world', '{"place":{"bounds":{"x":1e300,"y":0,"width":1,"height":1}}}'],
])('[U-21] %s is the standard place, never a failed start', (_what, text) => {
  const file = aFile()
  writeKeptWindow(file, { place, zoom: 100 })
  writeFileSync(file, text)
  expect(readKeptWindow(file)).toEqual({ place: null, zoom: 100 })
})
