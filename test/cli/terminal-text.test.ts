import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plain, plainLine } from '../../src/cli/terminal-text.ts'

test('[U-251] colours, titles, cursor moves and bells of model text do not reach the terminal', () => {
  expect(plain('\x1b[31mred\x1b[0m \x1b]0;title\x07x\x1b[2J\rover\x08\x9b1m')).toBe('red xover')
  expect(plain('two\nlines\tand a tab')).toBe('two\nlines\tand a tab')
})

test('[U-251] no text has control effects left, even when a sequence comes in pieces', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
  const nasty = fc.array(
    fc.oneof(fc.constantFrom('\x1b', '[', ']0;', '\x9b', '\x07', 'm', '31', '\x1b[31m', '\r', '\n'), fc.string()),
  )
  fc.assert(
    fc.property(nasty, (pieces) => {
      expect(pieces.map(plain).join('')).not.toMatch(control)
      expect(plain(pieces.join(''))).not.toMatch(control)
    }),
  )
})

test('[cli 2] one line for a table: folded, cut, never inside a character', () => {
  expect(plainLine('  a\n\tb  ', 10)).toBe('a b')
  expect(plainLine('😀😀😀', 4)).toBe('😀\ufffd…')
  expect(plainLine('abcdef', 4)).toBe('abc…')
})
