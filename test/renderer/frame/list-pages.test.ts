import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareRows,
  type ListPage,
  mergeRow,
  nameOf,
  rowsOf,
} from '../../../src/renderer/src/features/sessions/list-pages.ts'
import { aRow, conversation, manyRows } from './builders.ts'

const pagesOf = (...sizes: number[]): ListPage[] => {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const rows = manyRows(total)
  let at = 0
  return sizes.map((size, index) => {
    const page = rows.slice(at, at + size)
    at += size
    return { rows: page, next_cursor: index === sizes.length - 1 ? null : String(at), total }
  })
}
const ids = (pages: readonly ListPage[]): string[] => rowsOf(pages).map((row) => row.conversation_id)

describe('[U-15] a row that an event brought', () => {
  test('moves to the top when it is the newest, and is listed once', () => {
    const pages = pagesOf(3, 3)
    const row = { ...(rowsOf(pages)[4] as ReturnType<typeof aRow>), last_activity_at: 1_800_000_000_000 }
    expect(ids(mergeRow(pages, row, ''))).toEqual(['c4', 'c0', 'c1', 'c2', 'c3', 'c5'])
  })

  test('is added when it is new, and the total grows', () => {
    const merged = mergeRow(
      pagesOf(2),
      aRow({ conversation_id: conversation('n'), last_activity_at: 1_800_000_000_000 }),
      '',
    )
    expect(ids(merged)).toEqual(['n', 'c0', 'c1'])
    expect(merged[0]?.total).toBe(3)
  })

  test('is not added below the loaded rows while more are to be loaded', () => {
    const [first] = pagesOf(2, 2) as [ListPage, ListPage]
    const merged = mergeRow([first], aRow({ conversation_id: conversation('n'), last_activity_at: 1 }), '')
    expect(ids(merged)).toEqual(['c0', 'c1'])
  })

  test('is not added to a filtered list: the core alone knows what matches', () => {
    const pages = pagesOf(2)
    expect(mergeRow(pages, aRow({ conversation_id: conversation('n') }), 'shop')).toBe(pages)
  })

  test('leaves when it was archived', () => {
    const pages = pagesOf(3)
    const row = { ...(rowsOf(pages)[1] as ReturnType<typeof aRow>), archived: true }
    expect(ids(mergeRow(pages, row, ''))).toEqual(['c0', 'c2'])
  })

  test('[U-05] that is older than the shown one changes nothing', () => {
    const pages = [{ rows: [aRow({ title: 'new', revision: 3 })], next_cursor: null, total: 1 }]
    expect(mergeRow(pages, aRow({ title: 'old', revision: 2 }), '')).toBe(pages)
  })
})

test('[U-15] pinned rows stand first, then the newest, then by id', () => {
  const rows = [
    aRow({ conversation_id: conversation('a'), last_activity_at: 1 }),
    aRow({ conversation_id: conversation('b'), last_activity_at: 2 }),
    aRow({ conversation_id: conversation('c'), last_activity_at: 1 }),
    aRow({ conversation_id: conversation('d'), last_activity_at: 0, pinned: true }),
  ]
  expect(rows.sort(compareRows).map((row) => row.conversation_id)).toEqual(['d', 'b', 'c', 'a'])
})

test('[U-254] any order of row events gives the list that reading it again would give', () => {
  const change = fc.record({ index: fc.nat(9), at: fc.integer({ min: 0, max: 50 }) })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      let pages: readonly ListPage[] = pagesOf(5, 5)
      const truth = new Map(rowsOf(pages).map((row) => [row.conversation_id, row]))
      let revision = 1
      for (const { index, at } of changes) {
        const id = conversation(`c${index}`)
        const row = { ...(truth.get(id) ?? aRow()), last_activity_at: at, revision: ++revision }
        truth.set(id, row)
        pages = mergeRow(pages, row, '')
      }
      expect(ids(pages)).toEqual([...truth.values()].sort(compareRows).map((row) => row.conversation_id))
    }),
  )
})

test('[U-14] a row is called by its title, else by what was said first, else a new chat', () => {
  expect(nameOf({ title: 'Shop', preview: 'fix it' })).toBe('Shop')
  expect(nameOf({ title: null, preview: 'fix it' })).toBe('fix it')
  expect(nameOf({ title: null, preview: '' })).toBe('New chat')
})
