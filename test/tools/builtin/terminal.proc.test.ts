import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ToolOutcome } from '../../../src/main/kernel/ports.ts'
import { turn } from '../../support/fake-clock.ts'
import { aToolSession, type ToolSession } from '../tool-session.ts'

const off = { policy: { mode: () => 'off' as const } }
const answer = (outcome: ToolOutcome) =>
  JSON.parse(outcome.content) as { output: string; exit_code: number | null; error: string | null }
/** Real processes need real time; the clock that limits them stays still. */
const until = async (ready: () => boolean): Promise<void> => {
  while (!ready()) await turn()
}
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
const pidIn = (s: ToolSession, name: string): number => Number(readFileSync(join(s.cwd, name), 'utf8'))
const written = (s: ToolSession, name: string) => () =>
  existsSync(join(s.cwd, name)) && readFileSync(join(s.cwd, name), 'utf8').endsWith('\n')

describe('[kernel 6] terminal', () => {
  test('gives output of both streams, exit code and no error', async () => {
    const s = aToolSession()

    const good = await s.run('terminal', { command: 'echo out; echo err >&2; pwd' })
    const bad = await s.run('terminal', { command: 'exit 3' })

    expect(answer(good)).toMatchObject({ exit_code: 0, error: null })
    expect(answer(good).output.split('\n').sort()).toEqual(['', s.cwd, 'err', 'out'].sort())
    expect(good).toMatchObject({ effect: 'done', record: { outcome: 'done', exit_code: 0, cwd: s.cwd } })
    expect(bad).toMatchObject({ effect: 'done', record: { outcome: 'failed', exit_code: 3 } })
  })

  test('runs in workdir, with closed input', async () => {
    const s = aToolSession()
    mkdirSync(join(s.cwd, 'sub'))
    const outcome = await s.run('terminal', { command: 'pwd; cat; read x; echo "read $?"', workdir: 'sub' })
    expect(answer(outcome).output).toBe(`${join(s.cwd, 'sub')}\nread 1\n`)
    const nowhere = await s.run('terminal', { command: 'pwd', workdir: 'nope' })
    expect(nowhere).toMatchObject({ effect: 'not_executed', record: { outcome: 'failed' } })
    expect(answer(nowhere).error).toContain('is not a folder')
  })

  test('a timeout over 600 s, NUL and no command are bad arguments', () => {
    const s = aToolSession()
    for (const args of [
      { command: 'ls', timeout: 601 },
      { command: 'a\0b' },
      { command: '' },
      { command: 'ls', timeout: 0 },
    ]) {
      expect(s.prepare('terminal', args)).toMatchObject({ kind: 'answered', why: 'bad_arguments' })
    }
    expect(s.prepare('terminal', { command: 'ls', timeout: '600' })).toMatchObject({ kind: 'run' })
  })

  test('[E-08] at its time limit the whole group ends, with what it had printed', async () => {
    const s = aToolSession()
    const running = s.run('terminal', { command: 'echo begun; sleep 1000 & echo $! > pid; wait', timeout: 5 })
    await until(written(s, 'pid'))
    await until(() => s.clock.sleeping().length > 0)

    await s.clock.advance(5_000)
    const advanced = (async () => {
      for (let over = false; !over; ) {
        void running.then(() => {
          over = true
        })
        await s.clock.advance(50)
      }
    })()
    const outcome = await running
    await advanced

    expect(answer(outcome)).toMatchObject({ output: 'begun\n', exit_code: null })
    expect(answer(outcome).error).toMatch(/^timed out after 5 s; all its processes were ended\./)
    expect(outcome).toMatchObject({ effect: 'unknown', record: { outcome: 'unknown' } })
    expect(isAlive(pidIn(s, 'pid'))).toBe(false)
  })

  test('grandchildren that ignore SIGTERM, and one that left the group, are gone after a stop', async () => {
    const s = aToolSession(off)
    const deaf = `trap '' TERM; echo $$ > PID; while :; do sleep 0.2; done`
    writeFileSync(join(s.cwd, 'deaf.sh'), deaf.replace('PID', 'deaf'))
    writeFileSync(join(s.cwd, 'away.sh'), deaf.replace('PID', 'away'))
    const running = s.run('terminal', { command: `trap '' TERM; bash deaf.sh & setsid bash away.sh & wait; wait` })
    await until(() => written(s, 'deaf')() && written(s, 'away')())

    s.stop.abort()
    let over = false
    void running.then(() => {
      over = true
    })
    while (!over) await s.clock.advance(50)
    const outcome = await running

    expect(outcome).toMatchObject({ effect: 'unknown', record: { outcome: 'unknown' } })
    expect(outcome.content).toMatch(/^interrupted\./)
    await until(() => !isAlive(pidIn(s, 'deaf')) && !isAlive(pidIn(s, 'away')))
  })

  test('does not wait for a background process that holds the pipes, and says that it is there', async () => {
    const s = aToolSession()

    const outcome = await s.run('terminal', { command: 'sleep 600 & echo $! > pid; echo done' })

    const pid = pidIn(s, 'pid')
    expect(answer(outcome)).toEqual({
      output: 'done\n',
      exit_code: 0,
      error: 'Processes it put in the background are still running.',
    })
    expect(isAlive(pid)).toBe(true)
    process.kill(pid, 'SIGKILL')
  })

  test('a background process that floods the pipe does not hold the answer back', async () => {
    const s = aToolSession()
    const outcome = await s.run('terminal', { command: 'yes & echo $! > pid; exit 0' })
    process.kill(pidIn(s, 'pid'), 'SIGKILL')
    expect(answer(outcome).exit_code).toBe(0)
  })

  test('an end by signal is told with its code', async () => {
    const s = aToolSession(off)
    const outcome = await s.run('terminal', { command: 'kill -9 $$' })
    expect(answer(outcome)).toEqual({ output: '', exit_code: 137, error: 'ended by signal SIGKILL' })
    expect(outcome.record).toMatchObject({ outcome: 'failed', exit_code: 137 })
  })

  test('a flood is cut to 50,000 characters, 40 % head and the rest tail', async () => {
    const s = aToolSession()
    const { output } = answer(await s.run('terminal', { command: 'seq 1 3000000' }))

    const [head = '', rest = ''] = output.split(/\n\[\.\.\. \d+ characters left out \.\.\.\]\n/)
    expect(head).toHaveLength(20_000)
    expect(rest).toHaveLength(30_000)
    expect(head.startsWith('1\n2\n3\n')).toBe(true)
    expect(rest.endsWith('2999999\n3000000\n')).toBe(true)
    const size = Number(/\.\.\. (\d+) characters/.exec(output)?.[1])
    expect(size + 50_000).toBe(22_888_896)
  })

  test('[kernel 3] sequences are stripped for the model and kept for the person; progress bars settle', async () => {
    const s = aToolSession()
    const outcome = await s.run('terminal', { command: `printf '\\033[31mred\\033[0m\\n10%%\\r50%%\\r100%%\\n\\a'` })
    expect(answer(outcome).output).toBe('red\n100%\n\u0007')
    expect(outcome.content).toContain('\\u0007')
    expect(s.progress.map(({ text }) => text).join('')).toContain('\u001b[31mred')
  })

  test('secrets of the environment are neither passed on nor shown, live or later', async () => {
    const secret = 'sk-live-abcdefghijklmnop'
    const s = aToolSession({
      env: { OPENAI_API_KEY: secret, GH_TOKEN: 'ghp_1234567890', PLAIN: 'plain', PATH: process.env['PATH'] },
    })
    writeFileSync(join(s.cwd, 'leak'), `key=${secret}\n`)

    const outcome = await s.run('terminal', {
      command: 'env; cat leak; printf %s "sk-live-"; cat <<< "abcdefghijklmnop"',
    })

    const { output } = answer(outcome)
    expect(output).toContain('PLAIN=plain')
    expect(output).not.toMatch(/OPENAI_API_KEY=|GH_TOKEN=/)
    expect(output).toContain('key=[masked OPENAI_API_KEY]')
    expect(output + s.progress.map(({ text }) => text).join('')).not.toContain(secret)
  })

  test('[U-80] output streams while it runs, in at most about 30 messages a second', async () => {
    const s = aToolSession()
    const running = s.run('terminal', { command: 'echo one; while [ ! -e go ]; do sleep 0.05; done; echo two' })
    await until(() => s.clock.sleeping().some((ms) => ms <= 67))
    await s.clock.advance(67)
    expect(s.progress).toEqual([{ stream: 'stdout', text: 'one\n' }])

    writeFileSync(join(s.cwd, 'go'), '')
    await running
    expect(s.progress.map(({ text }) => text)).toEqual(['one\n', 'two\n'])
  })

  test('a character cut by a pipe border arrives whole', async () => {
    const s = aToolSession()
    const outcome = await s.run('terminal', { command: `printf '\\xc3'; sleep 0.1; printf '\\xa9\\n'` })
    expect(answer(outcome).output).toBe('é\n')
  })

  test('[E-11] a result over a small context spills readably', async () => {
    const s = aToolSession({ contextTokens: 8_000 })
    const outcome = await s.run('terminal', { command: 'seq 1 5000' }, { toolId: 'm1:9' })
    expect(outcome.content.length).toBeLessThan(2_500)
    expect(readFileSync(join(s.home, 'cache/tool-results/m1-9.txt'), 'utf8')).toMatch(/^1\n2\n[\s\S]*\n5000\n$/)
    const page = await s.run('read_file', {
      path: join(s.home, 'cache/tool-results/m1-9.txt'),
      offset: 4_999,
      limit: 1,
    })
    expect(page.content).toContain('4999|4999')
  })

  test('a working folder that is gone and a command too long for the system are told, not thrown', async () => {
    const s = aToolSession()
    const gone = await s.run('terminal', { command: 'ls' }, { cwd: '/nonexistent/herma' })
    expect(gone).toMatchObject({ effect: 'not_executed', record: { outcome: 'failed' } })
  })
})
