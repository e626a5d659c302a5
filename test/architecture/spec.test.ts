/**
 * `docs/spec.md` lists the rules that tests show, as rows of tables: `| id | rule in a line | state |`. State `shown` means
 * that a test whose title starts with `[id]` exists; any other word (planned, later, …) that it need not.
 */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cited, idsIn, rulesIn } from './cited-rules.ts'

const SPEC = 'docs/spec.md'

function rules(): Map<string, string> {
  if (!existsSync(SPEC)) throw new Error(`${SPEC} is missing: it lists the rules that the tests show.`)
  return rulesIn(readFileSync(SPEC, 'utf8'))
}

test('[style 2] every rule that a test cites is listed in docs/spec.md', () => {
  const listed = rules()
  const unknown = [...cited()].filter(([id]) => !listed.has(id)).map(([id, file]) => `${id} (${file})`)
  expect(unknown.sort()).toEqual([])
})

test('[style 2] every rule that docs/spec.md calls shown has a test', () => {
  const shown = cited()
  const empty = [...rules()].filter(([id, state]) => state === 'shown' && !shown.has(id)).map(([id]) => id)
  expect(empty).toEqual([])
})

test('[style 2] the list and the titles are read as they are written', () => {
  const table =
    '| id | rule | state |\n|---|---|---|\n| A-01 | one | shown |\n| `kernel 5` | two | later |\n| **U-1** | 3 | shown |'
  expect([...rulesIn(table)]).toEqual([
    ['A-01', 'shown'],
    ['kernel 5', 'later'],
    ['U-1', 'shown'],
  ])
  expect(() => rulesIn(`${table}\n| A-01 | again | shown |`)).toThrow('lists A-01 twice')
  expect(idsIn('[A-01, A-02][kernel 5] does [not] count')).toEqual(['A-01', 'A-02', 'kernel 5'])
  expect(idsIn('no id [A-01]')).toEqual([])
  expect([...cited().keys()]).toEqual(expect.arrayContaining(['CLI-07', 'architecture 2', 'style 2']))
})
