import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { growBlocks, type Split, splitBlocks } from '../../../src/renderer/src/features/transcript/markdown/blocks.ts'
import { mended } from '../../../src/renderer/src/features/transcript/markdown/mend.ts'
import { isTooCostly } from '../../../src/renderer/src/features/transcript/markdown/parse-cost.ts'

/** Lines of which messages are made, so that every rule of the split meets every other. */
const line = fc.constantFrom(
  '',
  '',
  'words',
  '# head',
  '- item',
  '  more of it',
  '1. first',
  '> quote',
  '| a | b |',
  '|---|---|',
  '```',
  '```ts',
  '~~~',
  '````',
  'const a = 1',
  '   ',
  '    indented',
  '[a]: /b',
)
const message = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'))
const kinds = (text: string): string[] => splitBlocks(text).map(({ kind }) => kind)

describe('the split', () => {
  test('[U-56] every line of a message is in one block, in order', () => {
    fc.assert(
      fc.property(message, (text) => {
        const inBlocks = splitBlocks(text).flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''))
        const fences = /^(?:`{3,}|~{3,})/
        const wanted = text.split('\n').filter((line) => line.trim() !== '' && !fences.test(line))
        expect(inBlocks.filter((line) => !fences.test(line))).toEqual(wanted)
      }),
      { numRuns: 500 },
    )
  })

  test('[U-56] a finished block is the same object while later text comes, and the end is what the whole text gives', () => {
    fc.assert(
      fc.property(message, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 }), (text, sizes) => {
        let split: Split | null = null
        let finished: Split['blocks'] = []
        for (let end = 0, at = 0; end < text.length; at++) {
          end = Math.min(text.length, end + (sizes[at % sizes.length] ?? 1))
          split = growBlocks(split, text.slice(0, end))
          finished.forEach((block, index) => {
            expect(split?.blocks[index]).toBe(block)
          })
          finished = split.blocks.slice(0, split.finished)
        }
        expect(split?.blocks ?? []).toEqual(splitBlocks(text))
      }),
      { numRuns: 500 },
    )
  })

  test('[U-56] another text than the one before starts anew', () => {
    const before = growBlocks(null, 'one\n\ntwo\n\nthree\n')
    expect(growBlocks(before, 'one\n\nTWO').blocks).toEqual(splitBlocks('one\n\nTWO'))
  })

  test('[U-72] a fence that is not closed yet is code from its first line, and ends where it is closed', () => {
    expect(splitBlocks('text\n```ts\nconst a')).toEqual([
      { kind: 'markdown', text: 'text' },
      { kind: 'code', language: 'ts', text: 'const a', closed: false },
    ])
    expect(splitBlocks('```ts title\na\n\nb\n```\nafter')).toEqual([
      { kind: 'code', language: 'ts', text: 'a\n\nb', closed: true },
      { kind: 'markdown', text: 'after' },
    ])
    expect(splitBlocks('````\n```\ninner\n```\n````')).toEqual([
      { kind: 'code', language: '', text: '```\ninner\n```', closed: true },
    ])
    expect(splitBlocks('```\n```')).toEqual([{ kind: 'code', language: '', text: '', closed: true }])
    expect(kinds('`` ` `` and ``` a `b` c')).toEqual(['markdown'])
  })

  test('[U-72] items, quotes and rows stay with what they belong to', () => {
    expect(kinds('- a\n\n- b\n\n  more\n\n> q\n\nend')).toEqual(['markdown', 'markdown'])
    expect(kinds('- a\n\n  ```\n  code\n  ```')).toEqual(['markdown'])
  })

  test('[U-73] the source of a code block is exact: blank lines, tabs and trailing spaces as they are', () => {
    const source = '\n\tif (a)  \n\n    b()\n'
    expect(splitBlocks(`\`\`\`c\n${source}\n\`\`\``)).toMatchObject([{ text: source }])
  })
})

describe('the open end', () => {
  test('[U-72] a half table is drawn as a table from its first line', () => {
    const table = '| a | b |\n| --- | --- |'
    expect(mended('words\n\n| a | b').split('\n').slice(2)).toEqual(['| a | b |', '| --- | --- |'])
    expect(mended('| a | b |\n|--').split('\n')).toEqual(table.split('\n'))
    expect(mended('| a | b |\n|---|---|\n| 1 |')).toBe('| a | b |\n|---|---|\n| 1 |')
    expect(mended('a | b')).toBe('a | b')
    expect(mended('|')).toBe('|')
  })

  test('[U-72] half marks are closed for the eye', () => {
    expect(mended('some **bold')).toBe('some **bold**')
    expect(mended('some `code')).toBe('some `code`')
  })
})

describe('what is too dear to parse', () => {
  const filled = (unit: string, chars = 16_000): string => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)

  test.each([
    ['deep quotes', filled('>')],
    ['deep quotes with spaces', filled('> ')],
    ['marks that never close', filled('a**b')],
    ['brackets', filled('[')],
    ['links in links', filled('[a](')],
    ['short rows of a wide table', `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${filled('|\n', 12_000)}`],
    ['a mix', filled('**[a*`b_~')],
    ['length', filled('word ', 16_001)],
  ])('[U-226] %s are shown as written', (_, text) => {
    expect(isTooCostly(text)).toBe(true)
  })

  test('[U-226] an ordinary long part is not', () => {
    expect(
      isTooCostly(filled('Some **bold** words, `code` and a [link](https://a.example) in a long sentence. ')),
    ).toBe(false)
    expect(
      isTooCostly(`| a | b | c |\n|---|---|---|\n${filled('| value one | value two | value three |\n', 12_000)}`),
    ).toBe(false)
  })
})
