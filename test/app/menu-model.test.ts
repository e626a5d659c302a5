import { describe, expect, test } from 'vitest'
import { type MenuEntry, menuModel } from '../../src/main/app/menu-model.ts'
import { clampZoom, stepZoom } from '../../src/main/app/zoom.ts'
import { COMMAND_IDS, commandOf } from '../../src/renderer/src/app/commands.ts'

const entries = (platform: string): readonly MenuEntry[] =>
  menuModel(platform, false).flatMap((column) => column.entries)
const PLATFORMS = ['linux', 'win32', 'darwin']

describe.each(PLATFORMS)('the menu on %s', (platform) => {
  test('[U-24] has the standard edit roles', () => {
    const roles = entries(platform).flatMap((entry) => (entry.kind === 'role' ? [entry.role] : []))
    expect(roles).toEqual(
      expect.arrayContaining([
        'undo',
        'redo',
        'cut',
        'copy',
        'paste',
        'selectAll',
        'quit',
        'close',
        'minimize',
        'about',
      ]),
    )
  })

  test('[U-28] each command is one the screens have, under the same keys', () => {
    const commands = entries(platform).flatMap((entry) => (entry.kind === 'command' ? [entry] : []))
    for (const { id, keys } of commands) {
      expect(COMMAND_IDS).toContain(id)
      const theirs = commandOf(id as never).keys
      if (keys !== undefined) expect(theirs).toBe(keys.replace('CmdOrCtrl', 'Mod'))
    }
  })

  test('[U-24] no two items share a key, and no column is empty or ends in a line', () => {
    const keys = entries(platform).flatMap((entry) => ('keys' in entry && entry.keys !== undefined ? [entry.keys] : []))
    expect(new Set(keys).size).toBe(keys.length)
    for (const { entries: items } of menuModel(platform, false)) {
      expect(items.at(0)?.kind).not.toBe('line')
      expect(items.at(-1)?.kind).not.toBe('line')
    }
  })

  test('[U-250] developer tools are there while developing only', () => {
    const has = (developing: boolean): boolean =>
      menuModel(platform, developing).some(({ entries: items }) =>
        items.some((entry) => entry.kind === 'role' && entry.role === 'toggleDevTools'),
      )
    expect([has(true), has(false)]).toEqual([true, false])
  })
})

describe('zoom', () => {
  test('[U-23] walks from 80 to 200 % in steps of 10 and stops at the ends', () => {
    const walked = []
    for (let zoom = 80; walked.length < 13; zoom = stepZoom(zoom, 1)) walked.push(zoom)
    expect(walked).toEqual([80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200])
    expect(stepZoom(200, 1)).toBe(200)
    expect(stepZoom(80, -1)).toBe(80)
    expect(stepZoom(170, 0)).toBe(100)
  })

  test('[U-23] a kept value that is off the steps, outside or no number becomes a usable one', () => {
    expect([clampZoom(104), clampZoom(5), clampZoom(9000), clampZoom(Number.NaN)]).toEqual([100, 80, 200, 100])
  })
})
