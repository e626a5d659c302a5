import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../support/temp-home.ts'
import { aHomeFolder } from './support/herma.ts'
import { runHere } from './support/in-process.ts'
import { aLivingHome } from './support/living-home.ts'

test('[CLI-10] list is one JSON document, newest first', async () => {
  const { home, talk } = await aLivingHome()
  const old = await talk('Old \x1b[31mtitle', 'first words')
  const young = await talk('Young', 'other words')
  const list = async (...flags: string[]) =>
    (await runHere(['sessions', 'list', '--json', ...flags], { home })).json() as { conversation_id: string }[]
  expect((await list()).map((row) => row.conversation_id)).toEqual([young, old])
  expect(await list('--limit', '1')).toHaveLength(1)
  expect((await list('--search', 'Old'))[0]).toMatchObject({
    conversation_id: old,
    source: 'desktop',
    model: 'model-a',
    messages: 4,
  })
  expect(await list('--source', 'cli')).toEqual([])
  const { stdout } = await runHere(['sessions', 'list'], { home })
  expect(stdout).toMatch(/^id +title +source +model +messages +tokens +cost +started +last activity +state\n/)
  expect(stdout).not.toContain('\x1b')
})

test('[CLI-10] show is one JSON document; as text it is words without control effects', async () => {
  const { home, talk } = await aLivingHome()
  const id = await talk('Colours', 'a \x1b[2Jb')
  const shown = (await runHere(['sessions', 'show', id.slice(0, -1), '--json'], { home })).json()
  expect(shown).toMatchObject({
    conversation: { conversation_id: id },
    rows: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }, { role: 'assistant' }],
    has_before: false,
    total: 4,
  })
  const { stdout } = await runHere(['sessions', 'show', 'colours'], { home })
  expect(stdout).toContain('a b\n')
  expect(stdout).toContain('→ todo_list {}')
  expect(stdout).not.toContain('\x1b')
  const cut = await runHere(['sessions', 'show', id, '--limit', '1'], { home })
  expect(cut.stderr).toContain('the last 1 of 4 messages')
})

test('[cli 2] a title that several conversations have is the newest, and that is said', async () => {
  const { home, talk } = await aLivingHome()
  await talk('Twin', 'one')
  const second = await talk('twin', 'two')
  const { stderr, stdout } = await runHere(['sessions', 'show', 'TWIN', '--json'], { home })
  expect(stderr).toContain('2 conversations have this title')
  expect(JSON.parse(stdout)).toMatchObject({ conversation: { conversation_id: second } })
})

test('[CLI-06] the one-liner finds the newest revision', async () => {
  const { home, talk } = await aLivingHome()
  const id = await talk('Plan', 'plan it')
  const { stdout, code } = await runHere(['sessions', 'export', '--session-id', id, '--format', 'jsonl', '-'], {
    home,
  })
  expect(code).toBe(0)
  expect(stdout.endsWith(']}\n')).toBe(true)
  const line = JSON.parse(stdout)
  expect(line).toMatchObject({
    id,
    title: 'Plan',
    source: 'desktop',
    parent_session_id: null,
    started_at: expect.any(Number),
  })
  const last = line.messages
    .filter((m: { role: string; tool_name?: string }) => m.role === 'tool' && m.tool_name === 'todo_list')
    .at(-1)
  expect(JSON.parse(last.content).revision).toBe(7)
})

test('[session-db 5.10] an export goes to a file that is complete or absent, and is the same each time', async () => {
  const { home, talk } = await aLivingHome()
  const ids = [await talk('A', 'one'), await talk('B', 'two')]
  const folder = tempFolder()
  const target = join(folder, 'all.jsonl')
  const first = await runHere(['sessions', 'export', '--all', target, '--json'], { home })
  expect(first.json()).toEqual({ exported: 2, path: target })
  const content = readFileSync(target, 'utf8')
  expect(
    content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).conversation_id)
      .sort(),
  ).toEqual([...ids].sort())
  await runHere(['sessions', 'export', target, '--session-id', ids[0] as string, '--session-id', ids[1] as string], {
    home,
  })
  expect(readFileSync(target, 'utf8').split('\n').sort()).toEqual(content.split('\n').sort())

  const none = await runHere(['sessions', 'export', '--session-id', 'nobody', target], { home })
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no conversation "nobody"') })
  mkdirSync(join(folder, 'taken'))
  const taken = await runHere(['sessions', 'export', '--all', join(folder, 'taken')], { home })
  expect(taken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('could not be written (EISDIR)') })
  expect(readdirSync(folder).sort()).toEqual(['all.jsonl', 'taken'])
})

test('[decisions 11] a home without conversations is read without being made', async () => {
  const home = aHomeFolder()
  const list = await runHere(['sessions', 'list', '--json'], { home })
  const show = await runHere(['sessions', 'show', 'x'], { home })
  const all = await runHere(['sessions', 'export', '--all', '-'], { home })
  expect([list.code, list.json()]).toEqual([0, []])
  expect(show).toMatchObject({ code: 1, stderr: expect.stringMatching(/no conversations.*\n.*herma chat/) })
  expect(all).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect(() => readdirSync(home)).toThrow('ENOENT')
})

test('[session-db 7.2] a file that is no database, a newer one and one of another profile are refused in words', async () => {
  const damaged = tempFolder()
  writeFileSync(join(damaged, 'state.db'), 'not a database, and longer than a header of one hundred bytes '.repeat(3))
  expect(await runHere(['sessions', 'list'], { home: damaged })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^herma: .*state\.db is damaged or is not a database.*\n.*doctor/),
  })

  const { bench, home } = await aLivingHome()
  await bench.store.write('newer', 'routine', (db) => db.exec('pragma user_version=99'))
  expect(await runHere(['sessions', 'list'], { home })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was written by a newer Herma (schema 99'),
  })

  const other = await aLivingHome()
  await other.bench.store.write('theirs', 'routine', (db) =>
    db.run("insert or replace into state_meta(key, value) values ('profile_id', 'work')"),
  )
  expect(await runHere(['sessions', 'list'], { home: other.home })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('belongs to the profile "work", not to "default"'),
  })
})
