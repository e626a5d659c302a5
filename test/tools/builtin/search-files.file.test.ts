import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aToolSession, type ToolSession } from '../tool-session.ts'

const put = (s: ToolSession, files: Record<string, string | Uint8Array>): ToolSession => {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(s.cwd, name)), { recursive: true })
    writeFileSync(join(s.cwd, name), bytes)
  }
  return s
}
const aTree = () =>
  put(aToolSession(), {
    'b.ts': 'const foo = 1\nbar\nfoo again\n',
    'a/z.ts': 'foo\n',
    'a/a.md': 'Foo\n',
    'B.md': 'nothing\n',
    'a.ts': 'x\nfoo\n',
  })

describe('[kernel 6] search_files', () => {
  test('content: path, line and text in path order, however often it is asked', async () => {
    const s = aTree()

    const once = await s.run('search_files', { pattern: 'foo' })
    const twice = await s.run('search_files', { pattern: 'foo' })

    expect(once.content).toBe(
      ['a/z.ts:1:foo', 'a.ts:2:foo', 'b.ts:1:const foo = 1', 'b.ts:3:foo again', '[4 matches in 3 files.]'].join('\n'),
    )
    expect(twice.content).toBe(once.content)
    expect(once).toMatchObject({ effect: 'none', record: { outcome: 'done' } })
  })

  test('limit and offset page through the same list', async () => {
    const s = aTree()
    const pages = await Promise.all(
      [0, 2, 4].map(async (offset) => (await s.run('search_files', { pattern: 'foo', limit: 2, offset })).content),
    )
    expect(pages).toEqual([
      'a/z.ts:1:foo\na.ts:2:foo\n[2 matches in 2 files. There is more: offset=2.]',
      'b.ts:1:const foo = 1\nb.ts:3:foo again\n[2 matches in 1 file.]',
      '[Nothing beyond offset 4.]',
    ])
  })

  test('output modes, file_glob, context and (?i)', async () => {
    const s = aTree()
    const said = async (args: object) => (await s.run('search_files', args)).content

    expect(await said({ pattern: '(?i)foo', output_mode: 'files_with_matches' })).toBe(
      'a/a.md\na/z.ts\na.ts\nb.ts\n[4 files with matches.]',
    )
    expect(await said({ pattern: 'foo', output_mode: 'count', file_glob: '*.ts', path: 'b.ts' })).toBe(
      'b.ts:2\n[1 file with matches.]',
    )
    expect(await said({ pattern: 'foo', file_glob: 'a/**' })).toBe('a/z.ts:1:foo\n[1 match in 1 file.]')
    expect(await said({ pattern: 'again', context: 1 })).toBe('b.ts-2-bar\nb.ts:3:foo again\n[1 match in 1 file.]')
  })

  test('files: globs over names and over paths', async () => {
    const s = aTree()
    const said = async (pattern: string) => (await s.run('search_files', { pattern, target: 'files' })).content
    expect(await said('*.ts')).toBe('a/z.ts\na.ts\nb.ts\n[3 files.]')
    expect(await said('a/*')).toBe('a/a.md\na/z.ts\n[2 files.]')
    expect(await said('*.rs')).toBe('[No matches.]')
  })

  test('ignore rules: nested, overridden, above the start, .git and node_modules always', async () => {
    const s = put(aToolSession(), {
      '.gitignore': '*.log\n/dist/\nsecret*\n',
      'app.log': 'hit',
      'dist/x.txt': 'hit',
      'src/dist/x.txt': 'hit',
      'src/.gitignore': '!keep.log\n*.tmp\n',
      'src/keep.log': 'hit',
      'src/a.tmp': 'hit',
      'src/secret/deep.txt': 'hit',
      '.git/config': 'hit',
      'node_modules/p/i.js': 'hit',
      '.github/w.yml': 'hit',
    })
    const said = async (args: object) =>
      (await s.run('search_files', { pattern: 'hit', output_mode: 'files_with_matches', ...args })).content

    expect(await said({})).toBe('.github/w.yml\nsrc/dist/x.txt\nsrc/keep.log\n[3 files with matches.]')
    expect(await said({ path: 'src' })).toBe('src/dist/x.txt\nsrc/keep.log\n[2 files with matches.]')
    expect(await said({ path: 'node_modules' })).toBe('node_modules/p/i.js\n[1 file with matches.]')
  })

  test('an invalid expression says what is wrong', async () => {
    const outcome = await aTree().run('search_files', { pattern: 'foo(' })
    expect(outcome.record.outcome).toBe('failed')
    expect(outcome.content).toMatch(/^"foo\(" is no valid regular expression: .*Unterminated group.*Escape/)
  })

  test('a pattern that backtracks without end is stopped, and the process lives', async () => {
    const s = put(aToolSession(), { 'a.txt': `${'a'.repeat(40)}!\n` })
    const outcome = await s.run('search_files', { pattern: '^(a+)+$' })
    expect(outcome.record.outcome).toBe('failed')
    expect(outcome.content).toContain('takes too long')
  })

  test('binary and large files are skipped and counted; long lines and controls are tamed', async () => {
    const s = put(aToolSession(), {
      'bin.dat': Buffer.from('hit\0hit'),
      'big.txt': 'hit\n'.repeat(2_000_000),
      'line.txt': `hit\u001b[31m${'x'.repeat(2_000)}\n`,
    })
    const { content } = await s.run('search_files', { pattern: 'hit' })
    expect(content).toContain('line.txt:1:hit\\u001b[31mxxx')
    expect(content).toContain('[line cut, 2008 characters]')
    expect(content).toContain('[1 match in 1 file. Skipped: 1 binary, 1 over 5 MB.]')
  })

  test('links, pipes and key files are not searched; a path outside is shown whole', async () => {
    const s = aTree()
    execFileSync('mkfifo', [join(s.cwd, 'pipe')])
    symlinkSync(s.cwd, join(s.cwd, 'loop'))
    mkdirSync(join(s.userHome, '.ssh'))
    writeFileSync(join(s.userHome, '.ssh', 'id_rsa'), 'foo')
    writeFileSync(join(s.userHome, 'plain.txt'), 'foo')

    const all = await s.run('search_files', { pattern: 'foo', output_mode: 'files_with_matches' })
    const home = await s.run('search_files', { pattern: 'foo', path: s.userHome })
    const key = await s.run('search_files', { pattern: 'foo', path: join(s.userHome, '.ssh', 'id_rsa') })

    expect(all.content).toBe('a/z.ts\na.ts\nb.ts\n[3 files with matches.]')
    expect(home.content).toBe(`${join(s.userHome, 'plain.txt')}:1:foo\n[1 match in 1 file.]`)
    expect(key.record.outcome).toBe('refused')
  })

  test('a missing path is named', async () => {
    const s = aTree()
    expect((await s.run('search_files', { pattern: 'x', path: 'nope' })).content).toBe(
      `${join(s.cwd, 'nope')} does not exist.`,
    )
  })
})
