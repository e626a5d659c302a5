import { describe, expect, test } from 'vitest'
import { COMMAND_IDS, commandOf } from '../../../src/renderer/src/app/commands.ts'
import { matches, spell } from '../../../src/renderer/src/app/keys.ts'
import {
  NEW_CHAT,
  parseView,
  replace,
  step,
  type Trail,
  viewOf,
  walk,
} from '../../../src/renderer/src/app/navigation.ts'
import { cost, relativeTime, shortCount } from '../../../src/renderer/src/ui/figures.ts'
import { conversation } from './builders.ts'

const start: Trail = { views: [NEW_CHAT], at: 0 }
const settings = { kind: 'settings', page: 'general' } as const
const chat = { kind: 'chat', conversation: conversation('c1') } as const

describe('[U-17] view history', () => {
  test('goes back and forward, and stops at the ends', () => {
    const trail = step(step(start, chat), settings)
    expect(viewOf(walk(trail, -1))).toEqual(chat)
    expect(viewOf(walk(walk(trail, -1), 1))).toEqual(settings)
    expect(walk(trail, 1)).toBe(trail)
    expect(walk(start, -1)).toBe(start)
  })

  test('forgets what was ahead after a step aside', () => {
    const trail = step(walk(step(step(start, chat), settings), -1), NEW_CHAT)
    expect(trail.views).toEqual([NEW_CHAT, chat, NEW_CHAT])
  })

  test('adds nothing for the view in front, nor when a new chat gets its conversation', () => {
    expect(step(start, NEW_CHAT)).toBe(start)
    expect(replace(start, chat)).toEqual({ views: [chat], at: 0 })
  })

  test('[U-27] reads the kept view; a damaged one is the new chat', () => {
    expect(parseView({ kind: 'chat', conversation: 'c1' })).toEqual(chat)
    expect(parseView({ kind: 'board' })).toEqual(NEW_CHAT)
    expect(parseView(undefined)).toEqual(NEW_CHAT)
  })
})

describe('[U-30] keys', () => {
  const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...held,
  })

  test('Mod is ⌘ on macOS and Ctrl elsewhere', () => {
    expect(matches('Mod+N', press('n', { ctrlKey: true }), false)).toBe(true)
    expect(matches('Mod+N', press('n', { metaKey: true }), true)).toBe(true)
    expect(matches('Mod+N', press('n', { ctrlKey: true }), true)).toBe(false)
    expect(matches('Mod+N', press('n', { ctrlKey: true, shiftKey: true }), false)).toBe(false)
  })

  test('a sign matches by what is produced, whatever Shift the layout needs', () => {
    expect(matches('?', press('?', { shiftKey: true }), false)).toBe(true)
    expect(matches('?', press('?'), false)).toBe(true)
  })

  test('AltGr, which is Ctrl and Alt, never matches', () => {
    expect(matches('Mod+[', press('[', { ctrlKey: true, altKey: true }), false)).toBe(false)
  })

  test('are written as the platform writes them', () => {
    expect(spell('Mod+Shift+N', true)).toBe('⇧⌘N')
    expect(spell('Mod+Shift+N', false)).toBe('Ctrl+Shift+N')
    expect(spell('Up', false)).toBe('↑')
  })

  test('[U-28] no two commands of one scope share their keys', () => {
    const taken = COMMAND_IDS.flatMap((id) => {
      const { scope, keys } = commandOf(id)
      return keys === undefined ? [] : [`${scope} ${keys}`]
    })
    expect(new Set(taken).size).toBe(taken.length)
  })
})

test('[U-08] what is not known is a dash, never 0', () => {
  expect([shortCount(null), cost(null)]).toEqual(['–', '–'])
  expect([shortCount(0), shortCount(999), shortCount(18_204), shortCount(999_600)]).toEqual(['0', '999', '18.2k', '1M'])
  expect([cost(0), cost(1_000), cost(420_000)]).toEqual(['$0.00', '< $0.01', '$0.42'])
})

test('[U-14] the last activity in words', () => {
  const now = new Date(2026, 5, 15, 12).getTime()
  const ago = (ms: number): string => relativeTime(now - ms, now)
  expect([ago(5_000), ago(4 * 60_000), ago(2 * 3_600_000), ago(2 * 86_400_000)]).toEqual(['now', '4 min', '2 h', 'Sat'])
  expect(ago(30 * 86_400_000)).toBe('16 May')
  expect(ago(400 * 86_400_000)).toBe('11 May 2025')
})
