import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onlyColours } from '../../../src/renderer/src/features/transcript/terminal-text.ts'

const ESC = '\u001b'

describe('output of a command', () => {
  test('[U-251] colours stay, every other power of a terminal goes', () => {
    expect(onlyColours(`${ESC}[1;31mred${ESC}[0m`)).toBe(`${ESC}[1;31mred${ESC}[0m`)
    expect(onlyColours(`a${ESC}[2J${ESC}[Hb${ESC}[?25lc${ESC}[10;20Hd${ESC}[3Xe`)).toBe('abcde')
    expect(onlyColours(`a${ESC}]0;title\u0007b${ESC}]8;;https://x.example${ESC}\\link${ESC}]8;;${ESC}\\c`)).toBe(
      'ablinkc',
    )
    expect(onlyColours(`a${ESC}Pq#0${ESC}\\b${ESC}(Bc${ESC}7d${ESC}=e`)).toBe('abcde')
    expect(onlyColours('a\u0000b\u0007c\u0008d\u007fe\u009b31mf')).toBe('abcde31mf')
    expect(onlyColours(`a${ESC}[>4;2mb`)).toBe('ab')
  })

  test('[U-251] a sequence that never ends takes no more than its line', () => {
    expect(onlyColours(`a${ESC}[`)).toBe('a')
    expect(onlyColours(`a${ESC}[31`)).toBe('a')
    expect(onlyColours(`a${ESC}]0;title\nnext`)).toBe('a\nnext')
    expect(onlyColours(`a${ESC}`)).toBe('a')
  })

  test('[U-80] a carriage return redraws its line', () => {
    expect(onlyColours('10%\r50%\r100%\ndone\r\nlast\r')).toBe('100%\ndone\nlast')
  })

  test('[U-251] nothing but text, tabs, line ends and colour codes is left of any bytes', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.constantFrom(ESC, '[', ']', 'm', '\r', '\n', '\t', '31', '\u0007', '\u009b', 'P', '\\'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour code begins with one
        const left = onlyColours(pieces.join('')).replaceAll(/\u001b\[[\d;:]*m/g, '')
        // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must be gone
        expect(left).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      }),
      { numRuns: 500 },
    )
  })
})
