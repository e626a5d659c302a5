import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFiles } from '../../../src/main/tools/files/node-files.ts'
import { aFolder, aToolSession } from '../tool-session.ts'

const yes = { answers: [{ choice: 'once' as const }] }

describe('[kernel 6] write_file', () => {
  test('makes a file with its folders, and leaves nothing else', async () => {
    const s = aToolSession()

    const outcome = await s.run('write_file', { path: 'a/b/c.txt', content: 'grüße\nzwei\n' })

    expect(readFileSync(join(s.cwd, 'a/b/c.txt'), 'utf8')).toBe('grüße\nzwei\n')
    expect(readdirSync(join(s.cwd, 'a/b'))).toEqual(['c.txt'])
    expect(outcome).toMatchObject({ effect: 'done', record: { outcome: 'done', files: [join(s.cwd, 'a/b/c.txt')] } })
    expect(outcome.content).toContain('13 bytes, 2 lines (new file')
    expect(s.questions).toEqual([])
  })

  test('replaces a file in one step and keeps its mode', async () => {
    const s = aToolSession()
    const path = join(s.cwd, 'run.sh')
    writeFileSync(path, 'old')
    chmodSync(path, 0o750)
    const inode = statSync(path).ino

    await s.run('write_file', { path: 'run.sh', content: 'new' })

    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(statSync(path).mode & 0o777).toBe(0o750)
    expect(statSync(path).ino).not.toBe(inode)
  })

  test('does not overwrite what changed since it was read; reading again lets it', async () => {
    const s = aToolSession()
    const path = join(s.cwd, 'a.txt')
    writeFileSync(path, 'one')
    await s.run('read_file', { path: 'a.txt' })
    writeFileSync(path, 'edited by a person')

    const stale = await s.run('write_file', { path: 'a.txt', content: 'mine' })
    expect(stale).toMatchObject({ effect: 'not_executed', record: { outcome: 'failed' } })
    expect(stale.content).toContain('changed since you read it')
    expect(readFileSync(path, 'utf8')).toBe('edited by a person')

    await s.run('read_file', { path: 'a.txt' })
    await s.run('write_file', { path: 'a.txt', content: 'mine' })
    await s.run('write_file', { path: 'a.txt', content: 'mine again' })
    expect(readFileSync(path, 'utf8')).toBe('mine again')
  })

  test('another conversation has read nothing, so it is not held to it', async () => {
    const s = aToolSession()
    writeFileSync(join(s.cwd, 'a.txt'), 'one')
    await s.run('read_file', { path: 'a.txt' })
    writeFileSync(join(s.cwd, 'a.txt'), 'two')
    const outcome = await s.run('write_file', { path: 'a.txt', content: 'x' }, { conversation: 'c2' })
    expect(outcome.effect).toBe('done')
  })

  test('a change between the check and the rename is caught, and the old file stays', async () => {
    const folder = aFolder()
    const path = join(folder, 'a.txt')
    writeFileSync(path, 'theirs')

    const writing = nodeFiles.replace(path, Buffer.from('mine'), {
      mode: 0o644,
      signal: new AbortController().signal,
      unchanged: async () => false,
    })

    await expect(writing).rejects.toMatchObject({ code: 'changed' })
    expect(readFileSync(path, 'utf8')).toBe('theirs')
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  test('a stopped call writes nothing and leaves no draft', async () => {
    const folder = aFolder()
    const stop = new AbortController()
    stop.abort()

    const writing = nodeFiles.replace(join(folder, 'a.txt'), Buffer.from('x'), {
      mode: null,
      signal: stop.signal,
      unchanged: async () => true,
    })

    await expect(writing).rejects.toThrow()
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    ['an absolute path', (s: string) => join(s, 'x.txt')],
    ['a path upwards', (s: string) => `../${s.split('/').at(-1)}/x.txt`],
  ])('outside the working folder it asks: %s', async (_how, path) => {
    const outside = aFolder()
    const s = aToolSession()

    const outcome = await s.run('write_file', { path: path(outside), content: 'x' })

    expect(s.questions).toMatchObject([
      {
        tool: 'write_file',
        subject: join(outside, 'x.txt'),
        rule: 'outside_folder',
        alwaysRule: `write_file:${outside}/`,
      },
    ])
    expect(outcome).toMatchObject({ effect: 'not_executed', record: { outcome: 'refused' } })
    expect(existsSync(join(outside, 'x.txt'))).toBe(false)
  })

  test('a link out of the working folder is followed before anyone decides', async () => {
    const outside = aFolder()
    const s = aToolSession(yes)
    symlinkSync(outside, join(s.cwd, 'in'))
    symlinkSync(join(outside, 'dangling.txt'), join(s.cwd, 'dangling'))

    await s.run('write_file', { path: 'in/x.txt', content: '1' })
    await s.run('write_file', { path: 'dangling', content: '2' })

    expect(s.questions.map((question) => question.subject)).toEqual([
      join(outside, 'x.txt'),
      join(outside, 'dangling.txt'),
    ])
    expect(readFileSync(join(outside, 'x.txt'), 'utf8')).toBe('1')
    expect(readFileSync(join(outside, 'dangling.txt'), 'utf8')).toBe('2')
  })

  test('a link that moves while the person decides leads to a refusal, not to another file', async () => {
    const [first, second] = [aFolder(), aFolder()]
    const s = aToolSession({
      ask: async ({ reason }, clock) => {
        execFileSync('ln', ['-sfn', second, join(s.cwd, 'in')])
        return { choice: 'once', by: 'person', at: clock.now(), reason }
      },
    })
    symlinkSync(first, join(s.cwd, 'in'))

    const outcome = await s.run('write_file', { path: 'in/x.txt', content: '1' })

    expect(outcome.effect).toBe('not_executed')
    expect([...readdirSync(first), ...readdirSync(second)]).toEqual([])
  })

  test('always allows a folder, but not the key files or hooks below it', async () => {
    const outside = aFolder()
    const s = aToolSession({ answers: [{ choice: 'always' }, { choice: 'deny' }] })
    mkdirSync(join(outside, '.git/hooks'), { recursive: true })

    await s.run('write_file', { path: join(outside, 'a.txt'), content: '1' })
    const below = await s.run('write_file', { path: join(outside, 'deep/b.txt'), content: '2' })
    const hook = await s.run('write_file', { path: join(outside, '.git/hooks/pre-commit'), content: '3' })

    expect(s.stored).toEqual([`write_file:${outside}/`])
    expect(below.record).toMatchObject({ outcome: 'done', approval: { by: 'rule' } })
    expect(hook.record.outcome).toBe('refused')
    expect(s.questions[1]).toMatchObject({ rule: 'git_hooks', alwaysRule: null })
  })

  test.each([
    'state.db',
    'state.db-wal',
    'run/host.lock',
    'config.yaml',
    '.env',
    'kanban.db',
    'profiles/work/state.db',
    'profiles/work/.env',
    'kanban/boards/b.db',
    '.home.lock',
  ])("Herma's own %s is refused in every mode, without a question", async (name) => {
    const s = aToolSession({ policy: { mode: () => 'off' } })
    mkdirSync(join(s.home, 'x', '..'), { recursive: true })
    symlinkSync(s.home, join(s.cwd, 'h'))

    for (const path of [join(s.home, name), join('h', name)]) {
      const outcome = await s.run('write_file', { path, content: 'x' })
      expect(outcome).toMatchObject({ effect: 'not_executed', record: { outcome: 'refused' } })
      expect(outcome.content).toContain('herma_files')
    }
    expect(s.questions).toEqual([])
    expect(existsSync(join(s.home, name))).toBe(false)
  })

  test('the workspace below the home is an ordinary folder', async () => {
    const s = aToolSession()
    const cwd = join(s.home, 'workspace')
    mkdirSync(cwd, { recursive: true })
    const outcome = await s.run('write_file', { path: 'app.db', content: 'x' }, { cwd })
    expect(outcome.effect).toBe('done')
    expect(s.questions).toEqual([])
  })

  test.each(['.bashrc', '.ssh/authorized_keys', '.config/autostart/x.desktop', '.aws/credentials', '.gitconfig'])(
    'the person is asked before ~/%s, also when the home is the working folder',
    async (name) => {
      const s = aToolSession()
      const outcome = await s.run('write_file', { path: name, content: 'x' }, { cwd: s.userHome })
      expect(s.questions).toMatchObject([{ alwaysRule: null }])
      expect(outcome.record.outcome).toBe('refused')
      expect(existsSync(join(s.userHome, name))).toBe(false)
    },
  )

  test.each(['/etc/herma-test', '/dev/null', '/proc/self/comm', '/usr/bin/herma-test', '/sys/x'])(
    'the system file %s is refused outright',
    async (path) => {
      const s = aToolSession({ policy: { mode: () => 'off' } })
      const outcome = await s.run('write_file', { path, content: 'x' })
      expect(outcome).toMatchObject({ effect: 'not_executed', record: { outcome: 'refused' } })
      expect(s.questions).toEqual([])
    },
  )

  test('folders, pipes, a file as a folder and too long names are told apart', async () => {
    const s = aToolSession()
    mkdirSync(join(s.cwd, 'dir'))
    writeFileSync(join(s.cwd, 'file'), '')
    execFileSync('mkfifo', [join(s.cwd, 'pipe')])
    const said = async (path: string) => (await s.run('write_file', { path, content: 'x' })).content

    expect(await said('dir')).toContain('is a folder')
    expect(await said('pipe')).toContain('only regular files are written')
    expect(await said('file/x')).toMatch(/file, not a folder|failed|already exists|EEXIST/)
    expect(await said('n'.repeat(300))).toContain('name is too long')
    expect(readdirSync(s.cwd).sort()).toEqual(['dir', 'file', 'pipe'])
  })

  test('half characters become U+FFFD, NUL bytes are written as they are', async () => {
    const s = aToolSession()
    await s.run('write_file', { path: 'a', content: 'x\ud800y\0z' })
    expect(readFileSync(join(s.cwd, 'a'), 'utf8')).toBe('x\ufffdy\0z')
  })
})
