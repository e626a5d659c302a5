import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { events, METHOD_NAMES, methods, PROTOCOL, REFUSAL_CODES } from '../../src/shared/contract/index.ts'
import { numericCode } from '../../src/shared/contract/refusals.ts'
import { z } from '../../src/shared/schema.ts'
import { filesBelow, nodesOf } from './sources.ts'

/** What the wire looks like, whatever the words of the source: a comment or a renamed type changes nothing. */
function fingerprint(): string {
  const shape = (schema: z.ZodType): unknown => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const wire = {
    methods: Object.fromEntries(
      Object.entries(methods).map(([name, { params, result }]) => [name, [shape(params), shape(result)]]),
    ),
    events: Object.fromEntries(Object.entries(events).map(([name, payload]) => [name, shape(payload)])),
    refusals: REFUSAL_CODES.map((code) => [code, numericCode(code)]),
  }
  return createHash('sha256').update(JSON.stringify(wire)).digest('hex').slice(0, 16)
}

const history = JSON.parse(readFileSync('test/architecture/contract-history.json', 'utf8')) as Record<
  string,
  { fingerprint: string; change: string }
>

test('[kernel 8.3] a changed contract has a new protocol number and a line of history', () => {
  const known = history[String(PROTOCOL)]?.fingerprint
  const now = fingerprint()
  expect(
    now,
    `The contract of protocol ${PROTOCOL} has changed. If that protocol was ever released: raise PROTOCOL in ` +
      `src/shared/contract/version.ts, with a line of what changed, and add the new number here. In either case write ` +
      `"fingerprint": "${now}" and what changed into test/architecture/contract-history.json.`,
  ).toBe(known)
})

test('[kernel 8.3] the history has every protocol up to the present one, each with words', () => {
  const numbers = Array.from({ length: PROTOCOL }, (_, i) => String(i + 1))
  expect(Object.keys(history)).toEqual(numbers)
  const version = readFileSync('src/shared/contract/version.ts', 'utf8')
  for (const number of numbers) {
    expect(history[number]?.change).not.toBe('')
    expect(version).toMatch(new RegExp(`^ \\* ${number}: .+`, 'm'))
  }
})

/** Every string of some files, so that a name in a comment does not count. */
function stringsOf(folder: string): Set<string> {
  const found = new Set<string>()
  for (const file of filesBelow(folder, ['.ts', '.tsx']))
    for (const node of nodesOf(file)) if (node.type === 'Literal') found.add(String(node['value']))
  return found
}

test('[kernel G-09] every method has a handler and a test that names it; schema and client follow from the contract', () => {
  const handled = stringsOf('src/main/rpc/handlers')
  const tested = stringsOf('test')
  const lacking = METHOD_NAMES.flatMap((name) => [
    ...(handled.has(name) ? [] : [`${name}: no handler in src/main/rpc/handlers`]),
    ...(tested.has(name) ? [] : [`${name}: no test names it`]),
  ])
  expect(lacking).toEqual([])
})

test('[kernel G-09] every event is said by the core and named in a test', () => {
  const said = new Set(['host', 'rpc'].flatMap((folder) => [...stringsOf(`src/main/${folder}`)]))
  const tested = stringsOf('test')
  const lacking = Object.keys(events).flatMap((name) => [
    ...(said.has(name) ? [] : [`${name}: the core never says it`]),
    ...(tested.has(name) ? [] : [`${name}: no test names it`]),
  ])
  expect(lacking).toEqual([])
})

test('[kernel 8.3] refusal codes are told apart by number as well as by name', () => {
  const numbers = REFUSAL_CODES.map(numericCode)
  expect(new Set(numbers).size).toBe(numbers.length)
})
