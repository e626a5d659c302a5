import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aToolSession } from '../tool-session.ts'

const withFile = (name: string, bytes: string | Uint8Array) => {
  const session = aToolSession()
  writeFileSync(join(session.cwd, name), bytes)
  return session
}

describe('[kernel 6] read_file', () => {
  test('gives numbered lines, and pages with next_offset', async () => {
    const s = withFile('a.txt', Array.from({ length: 25 }, (_, i) => `line ${i + 1}`).join('\n'))

    const first = await s.run('read_file', { path: 'a.txt', limit: 10 })
    const last = await s.run('read_file', { path: 'a.txt', offset: 21, limit: 10 })

    expect(first.content).toBe(
      `${Array.from({ length: 10 }, (_, i) => `${i + 1}|line ${i + 1}`).join('\n')}\n[Lines 1-10; there is more: next_offset=11.]`,
    )
    expect(last.content).toContain('25|line 25\n[Lines 21-25 of 25; end of file.]')
    expect(first).toMatchObject({ effect: 'none', record: { outcome: 'done', files: [join(s.cwd, 'a.txt')] } })
  })

  test('a page that ends with the file has no next offset', async () => {
    const s = withFile('a.txt', 'a\nb\n')
    expect((await s.run('read_file', { path: 'a.txt', limit: 2 })).content).toBe('1|a\n2|b')
  })

  test('holds 2,000 lines, 2,000 characters a line and 100,000 in all', async () => {
    const s = withFile('many.txt', 'x\n'.repeat(5_000))
    writeFileSync(join(s.cwd, 'wide.txt'), `${'y'.repeat(5_000)}\n`.repeat(200))

    const many = await s.run('read_file', { path: 'many.txt' })
    const wide = await s.run('read_file', { path: 'wide.txt' })

    expect(many.content).toContain('next_offset=2001')
    expect(wide.content).toContain('[line cut, 5000 characters]')
    expect(wide.content).toMatch(/next_offset=\d\d\./)
    expect(wide.content.length).toBeLessThan(100_400)
  })

  test('reads a 10 MB file of one line, and a page deep inside many lines, in little memory', async () => {
    const s = withFile('one.txt', 'z'.repeat(10 * 1_048_576))
    writeFileSync(join(s.cwd, 'deep.txt'), '0123456789abcdef\n'.repeat(600_000))

    const one = await s.run('read_file', { path: 'one.txt' })
    const deep = await s.run('read_file', { path: 'deep.txt', offset: 599_999, limit: 5 })

    expect(one.content).toContain('[line cut, 10485760 characters]')
    expect(deep.content).toBe(
      '599999|0123456789abcdef\n600000|0123456789abcdef\n[Lines 599999-600000 of 600000; end of file.]',
    )
  })

  test.each([
    ['NUL bytes', Buffer.from('abc\0def'), 'NUL bytes'],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'a PNG image'],
    ['bytes that are no UTF-8', Buffer.from(Array.from({ length: 400 }, (_, i) => 128 + (i % 120))), 'not UTF-8'],
  ])('refuses %s with the reason', async (_what, bytes, reason) => {
    const s = withFile('b.bin', bytes)
    const outcome = await s.run('read_file', { path: 'b.bin' })
    expect(outcome.record.outcome).toBe('failed')
    expect(outcome.content).toContain(reason)
  })

  test('reads UTF-16 and characters cut by a chunk border, names CRLF, escapes controls', async () => {
    const s = withFile('u16.txt', Buffer.from('\ufeffgrüße\r\nzwei\r\n', 'utf16le'))
    writeFileSync(join(s.cwd, 'border.txt'), `${'a'.repeat(65_535)}é\nafter\u001b[31m\n`)

    expect((await s.run('read_file', { path: 'u16.txt' })).content).toBe('1|grüße\n2|zwei\n[Lines end in CRLF.]')
    const border = await s.run('read_file', { path: 'border.txt' })
    expect(border.content).not.toContain('\ufffd')
    expect(border.content).toContain('2|after\\u001b[31m')
  })

  test('an empty file, an offset past the end, a folder, a missing file: each says what it is', async () => {
    const s = withFile('Readme.md', 'a\nb')
    writeFileSync(join(s.cwd, 'empty'), '')
    mkdirSync(join(s.cwd, 'dir'))
    const said = async (args: object) => (await s.run('read_file', args)).content

    expect(await said({ path: 'empty' })).toBe('[The file is empty.]')
    expect(await said({ path: 'Readme.md', offset: 9 })).toContain('has 2 lines; offset 9 is past its end')
    expect(await said({ path: 'dir' })).toContain('is a folder')
    expect(await said({ path: 'readme.md' })).toContain('does not exist. Near it: Readme.md.')
    expect(await said({ path: 'no/such/file' })).toContain('neither does the folder')
    expect(await said({ path: 'Readme.md/x' })).toContain('does not exist')
  })

  test('never waits on a pipe or a device', async () => {
    const s = aToolSession()
    execFileSync('mkfifo', [join(s.cwd, 'pipe')])

    expect((await s.run('read_file', { path: 'pipe' })).content).toContain('only regular files are read')
    expect((await s.run('read_file', { path: '/dev/zero' })).content).toContain('only regular files are read')
  })

  test('links that go in a circle give an error, not a hang', async () => {
    const s = aToolSession()
    symlinkSync('loop', join(s.cwd, 'loop'))
    expect((await s.run('read_file', { path: 'loop' })).content).toMatch(/round in a circle|failed/)
  })

  test("Herma's own keys are never read, a person's keys only when they agree, through links too", async () => {
    const s = aToolSession()
    for (const folder of [s.home, join(s.userHome, '.ssh')]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(s.home, '.env'), 'OPENAI_API_KEY=sk-1\n')
    writeFileSync(join(s.userHome, '.ssh', 'id_ed25519'), 'private')
    writeFileSync(join(s.userHome, '.ssh', 'id_ed25519.pub'), 'public')
    symlinkSync(join(s.home, '.env'), join(s.cwd, 'notes.txt'))
    symlinkSync(join(s.userHome, '.ssh', 'id_ed25519'), join(s.cwd, 'key.txt'))

    const own = await s.run('read_file', { path: 'notes.txt' })
    const key = await s.run('read_file', { path: 'key.txt' })
    const open = await s.run('read_file', { path: join(s.userHome, '.ssh', 'id_ed25519.pub') })

    expect(own).toMatchObject({ effect: 'not_executed', record: { outcome: 'refused', approval: { by: 'rule' } } })
    expect(key.record.outcome).toBe('refused')
    expect(s.questions).toMatchObject([{ rule: 'key_files', alwaysRule: null }])
    expect(open.content).toBe('1|public')
  })

  test('a path with a NUL, an empty one and one over 4,096 are bad arguments', () => {
    const s = aToolSession()
    for (const path of ['a\0b', '', 'x'.repeat(5_000)]) {
      expect(s.prepare('read_file', { path })).toMatchObject({ kind: 'answered', why: 'bad_arguments' })
    }
  })
})
