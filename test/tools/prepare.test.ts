import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coerce, readArguments } from '../../src/main/tools/read-arguments.ts'
import { z } from '../../src/shared/schema.ts'
import { aTool, aToolSession } from './tool-session.ts'

const list = z.strictObject({
  count: z.int().min(1),
  ratio: z.number().optional(),
  on: z.boolean().optional(),
  name: z.string().optional(),
  tags: z.array(z.string()).optional(),
  inner: z.strictObject({ a: z.int() }).optional(),
})
const probe = aTool({ schema: list, run: async () => ({ content: '' }) })
const prepareText = (text: string, name = 'probe') =>
  aToolSession({ extra: [probe] }).port.prepare({ id: 'c', name, arguments: text })

describe('[kernel 5] reading arguments', () => {
  test.each([
    ['{"count":"42"}', { count: 42 }],
    ['{"count":1,"ratio":"-2.5"}', { count: 1, ratio: -2.5 }],
    ['{"count":1,"on":"true"}', { count: 1, on: true }],
    ['{"count":1,"name":7}', { count: 1, name: '7' }],
    ['{"count":1,"tags":"a"}', { count: 1, tags: ['a'] }],
    ['{"count":1,"tags":"[\\"a\\",\\"b\\"]"}', { count: 1, tags: ['a', 'b'] }],
    ['{"count":1,"inner":"{\\"a\\":\\"3\\"}"}', { count: 1, inner: { a: 3 } }],
    ['{"count":1,"name":null}', { count: 1 }],
    ['{"count":1,}', { count: 1 }],
    ['{"count":1,"name":"a\nb"}', { count: 1, name: 'a\nb' }],
    ['"{\\"count\\":1}"', { count: 1 }],
  ])('takes %s as meant', (text, args) => {
    expect(prepareText(text)).toEqual({ kind: 'run', args })
  })

  test('[E-05] text that was cut off runs nothing', () => {
    for (const text of ['{"path":"a', '{"count":', '{"count":1', '{', '{"a":"}{"b":"']) {
      const prepared = prepareText(text)
      expect(prepared).toMatchObject({ kind: 'answered', why: 'truncated_arguments' })
      expect(prepared.kind === 'answered' && prepared.outcome).toMatchObject({
        effect: 'not_executed',
        record: { outcome: 'not_dispatched', started_at: null },
      })
    }
  })

  test('[E-05] what is no object is refused in words a model can act on', () => {
    const said = (text: string): string => {
      const prepared = prepareText(text)
      return prepared.kind === 'answered' ? `${prepared.why}: ${prepared.outcome.content}` : 'run'
    }
    expect(said('[1]')).toMatch(/^bad_arguments: .*must be a JSON object.*not an array/)
    expect(said('42')).toMatch(/^bad_arguments: .*not a number/)
    expect(said('{"count":}')).toMatch(/^bad_arguments: .*not valid JSON/)
    expect(said('')).toMatch(/^bad_arguments: .*count: .*It takes: count, ratio, on, name, tags, inner/)
    expect(said('{"count":0,"colour":1}')).toMatch(/count: .*; .*colour/)
  })

  test('[kernel 3] objects have no prototype, so __proto__ and constructor are only keys', () => {
    const read = readArguments('{"__proto__":{"polluted":1},"constructor":2,"n":{"__proto__":3}}')

    expect(read.kind).toBe('object')
    const value = (read as { value: Record<string, unknown> }).value
    expect(Object.getPrototypeOf(value)).toBeNull()
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'n'])
    expect(Object.getPrototypeOf(coerce(value, { type: 'object', properties: {} }))).toBeNull()
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(prepareText('{"count":1,"__proto__":{"x":1}}')).toMatchObject({ kind: 'answered', why: 'bad_arguments' })
  })

  test('[kernel 5] an unknown tool is answered with the tools there are; a blank name without them', () => {
    const unknown = prepareText('{}', 'nope\u202e')
    expect(unknown).toMatchObject({
      kind: 'answered',
      why: 'unknown_tool',
      outcome: { effect: 'not_executed' },
    })
    expect(unknown.kind === 'answered' && unknown.outcome.content).toBe(
      'There is no tool "nope⟨U+202E⟩". Tools here: probe, read_file, search_files, terminal, write_file.',
    )
    const blank = prepareText('{}', '  ')
    expect(blank.kind === 'answered' && blank.outcome.content).toBe('The call names no tool.')
    expect(prepareText('{}', 'toString')).toMatchObject({ why: 'unknown_tool' })
    expect(prepareText('{}', '__proto__')).toMatchObject({ why: 'unknown_tool' })
  })

  test('[kernel 5] never throws, whatever a model writes', () => {
    const session = aToolSession({ extra: [probe] })
    const name = fc.oneof(
      fc.constantFrom('probe', 'terminal', 'read_file', 'write_file', 'search_files', 'todo'),
      fc.string(),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.json().map((json) => json.slice(0, json.length / 2)),
      fc
        .object({ key: fc.constantFrom('count', 'tags', 'path', 'command', 'inner', '__proto__') })
        .map((value) => JSON.stringify(value)),
      fc.constantFrom('['.repeat(50_000), '{"a":'.repeat(50_000), `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    )
    fc.assert(
      fc.property(name, text, (tool, args) => {
        const prepared = session.port.prepare({ id: 'c', name: tool, arguments: args })
        if (prepared.kind === 'run') return
        expect(prepared.outcome.effect).toBe('not_executed')
        expect(prepared.outcome.content.length).toBeLessThanOrEqual(2_000)
        expect(prepared.outcome.content.isWellFormed()).toBe(true)
      }),
      { numRuns: 400 },
    )
  })
})

describe('[kernel 5] definitions', () => {
  test('are sorted by name, frozen, and the same bytes each time', () => {
    const [one, two] = [aToolSession(), aToolSession()]

    const names = one.port.definitions.map((tool) => tool.function.name)
    expect(names).toEqual(['read_file', 'search_files', 'terminal', 'write_file'])
    expect(JSON.stringify(one.port.definitions)).toBe(JSON.stringify(two.port.definitions))
    expect(() => {
      ;(one.port.definitions[0]?.function.parameters as Record<string, unknown>)['x'] = 1
    }).toThrow(TypeError)
  })

  test('carry a plain JSON schema: defaults not required, bounds kept, nothing a provider would refuse', () => {
    const read = aToolSession().port.definitions.find((tool) => tool.function.name === 'read_file')

    expect(read?.function.parameters).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: expect.any(String), minLength: 1, maxLength: 4_096 },
        offset: { type: 'integer', description: 'First line, counted from 1.', default: 1, minimum: 1 },
        limit: { type: 'integer', description: 'Number of lines.', default: 2_000, minimum: 1, maximum: 2_000 },
      },
      required: ['path'],
      additionalProperties: false,
    })
  })

  test('say what may run beside others and what only reads; an unknown name promises nothing', () => {
    const { port } = aToolSession()
    const facts = ['read_file', 'search_files', 'write_file', 'terminal', 'nope', 'constructor'].map((name) => [
      name,
      port.isParallel(name),
      port.isReadOnly(name),
    ])
    expect(facts).toEqual([
      ['read_file', true, true],
      ['search_files', true, true],
      ['write_file', false, false],
      ['terminal', false, false],
      ['nope', false, false],
      ['constructor', false, false],
    ])
  })

  test('only wanted toolsets are offered; an unknown one is named, not fatal', () => {
    const notices: string[] = []
    const session = aToolSession({ toolsets: ['files', 'nope'], log: (_level, message) => notices.push(message) })

    expect(session.port.definitions.map((tool) => tool.function.name)).toEqual([
      'read_file',
      'search_files',
      'write_file',
    ])
    expect(notices).toEqual(['There is no toolset "nope"; known: files, terminal.'])
    expect(session.prepare('terminal', { command: 'ls' })).toMatchObject({ why: 'unknown_tool' })
  })
})
