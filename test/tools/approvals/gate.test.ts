import { describe, expect, test } from 'vitest'
import type { ToolDefinition } from '../../../src/main/tools/define-tool.ts'
import { aTool, aToolSession, type SessionOptions } from '../tool-session.ts'

/** Commands that are not run: the terminal's gate with a runner that counts. */
const counted = (options: SessionOptions = {}) => {
  const commands: string[] = []
  const session = aToolSession({
    commands: {
      run: async ({ command }) => {
        commands.push(command)
        return { kind: 'exited', code: 0, signal: null, leftBehind: false }
      },
    },
    ...options,
  })
  return {
    ...session,
    commands,
    terminal: (command: string, conversation = 'c1') => session.run('terminal', { command }, { conversation }),
  }
}

describe('[kernel 5] order of the gate', () => {
  test('[E-13] rm -rf build denied is not run and the model is told not to rephrase', async () => {
    const s = counted({ answers: [{ choice: 'deny', note: 'keep it' }] })

    const outcome = await s.terminal('rm -rf build')

    expect(s.commands).toEqual([])
    expect(outcome).toMatchObject({
      effect: 'not_executed',
      record: { outcome: 'refused', started_at: null, approval: { choice: 'deny', by: 'person', note: 'keep it' } },
    })
    expect(outcome.content).toMatch(
      /the person denied it\. Their note: keep it .*[Dd]o not try the same thing in other words/,
    )
    expect(s.questions).toEqual([
      {
        tool: 'terminal',
        subject: 'rm -rf build',
        cwd: s.cwd,
        reason: 'it deletes folders with everything in them',
        rule: 'delete_recursively',
        alwaysRule: 'terminal:delete_recursively',
      },
    ])
  })

  test.each(['expiry', 'interrupt', 'unattended', 'person'] as const)(
    '[U-97] a no by %s is told apart in record and text',
    async (by) => {
      const s = counted({ answers: [{ choice: 'deny', by }] })
      const outcome = await s.terminal('rm -rf build')
      expect(s.commands).toEqual([])
      expect(outcome.record.approval).toMatchObject({ choice: 'deny', by })
      const said = {
        expiry: 'nobody answered',
        interrupt: 'the turn was stopped',
        unattended: 'nobody is attached',
        person: 'the person denied it',
      }
      expect(outcome.content).toContain(said[by])
    },
  )

  test('[E-13] a session approval covers a second one of its kind, but no other conversation and no other kind', async () => {
    const s = counted({ answers: [{ choice: 'session' }, { choice: 'deny' }] })

    await s.terminal('rm -rf build')
    const second = await s.terminal('rm -rf dist')
    const elsewhere = await s.terminal('rm -rf dist', 'c2')
    const otherKind = await s.terminal('git reset --hard')

    expect(s.commands).toEqual(['rm -rf build', 'rm -rf dist'])
    expect(second.record.approval).toMatchObject({ choice: 'session', by: 'session' })
    expect(elsewhere.record.outcome).toBe('refused')
    expect(otherKind.record.outcome).toBe('refused')
    expect(s.questions).toHaveLength(3)
  })

  test('[E-13, U-95] always stores exactly the rule it showed, and it holds in every conversation', async () => {
    const s = counted({ answers: [{ choice: 'always' }] })

    await s.terminal('rm -rf build')
    const later = await s.terminal('rm -rf dist', 'c2')

    expect(s.stored).toEqual([s.questions[0]?.alwaysRule])
    expect(s.stored).toEqual(['terminal:delete_recursively'])
    expect(later.record.approval).toMatchObject({ choice: 'always', by: 'rule' })
    expect(s.questions).toHaveLength(1)
  })

  test('[kernel 5] a rule that cannot be stored still lets this call run, and says so', async () => {
    const s = counted({
      answers: [{ choice: 'always' }],
      policy: { allowAlways: () => Promise.reject(new Error('config is read-only')) },
    })

    const outcome = await s.terminal('rm -rf build')

    expect(s.commands).toEqual(['rm -rf build'])
    expect(outcome.record.approval).toMatchObject({
      choice: 'once',
      note: expect.stringContaining('config is read-only'),
    })
  })

  test('[kernel 5] several kinds at once: no rule is offered, one answer covers them all, an allowed one is not asked', async () => {
    const s = counted({ answers: [{ choice: 'always' }, { choice: 'session' }] })

    await s.terminal('rm -rf build && git push --force')
    expect(s.questions[0]).toMatchObject({ rule: 'delete_recursively + git_force_push', alwaysRule: null })
    expect(s.stored).toEqual([])
    await s.terminal('rm -rf build && git push --force')
    await s.terminal('git push --force && rm -rf x && git reset --hard')

    expect(s.questions[2]).toMatchObject({ rule: 'git_discard', alwaysRule: 'terminal:git_discard' })
  })

  test('[E-14] rm -rf / with approvals off is blocked without a question', async () => {
    const s = counted({
      policy: { mode: () => 'off', allow: () => ['terminal:delete_recursively_outside', 'terminal:wipe'] },
    })

    const outcome = await s.terminal('rm -rf /')

    expect(s.commands).toEqual([])
    expect(s.questions).toEqual([])
    expect(outcome).toMatchObject({
      effect: 'not_executed',
      record: { outcome: 'refused', approval: { choice: 'deny', by: 'rule' } },
    })
    expect(outcome.content).toContain('it would wipe the root, home or a system folder (wipe)')
  })

  test('[E-14] approvals off lets the merely dangerous run, and the record says it was bypassed', async () => {
    const s = counted({ policy: { mode: () => 'off' } })

    const outcome = await s.terminal('rm -rf build')
    const plain = await s.terminal('ls')

    expect(s.commands).toEqual(['rm -rf build', 'ls'])
    expect(outcome.record.approval).toMatchObject({ choice: 'once', by: 'bypass' })
    expect(plain.record.approval).toBeUndefined()
  })

  test.each([
    ['git push*', 'git push origin main'],
    ['git push*', 'cd x && g"it"   push\torigin'],
    ['*reset*', 'ls;git reset HEAD~1'],
    ['terminal:npm run deploy', 'npm run deploy'],
    ['curl *', 'echo "$(curl https://example.org)"'],
    ['curl *', 'bash -c "curl https://example.org"'],
  ])('[kernel 5] the deny line %s stops %s in every mode', async (line, command) => {
    const s = counted({ policy: { mode: () => 'off', deny: () => ['', line], allow: () => ['terminal:git_discard'] } })

    const outcome = await s.terminal(command)

    expect(s.commands).toEqual([])
    expect(s.questions).toEqual([])
    expect(outcome.content).toContain(`the rule "${line}" of approvals.deny forbids it`)
  })

  test('[kernel 5] a deny line for another tool, or one that only occurs inside, stops nothing', async () => {
    const s = counted({ policy: { deny: () => ['write_file:*', 'push'] } })
    await s.terminal('git push origin main')
    expect(s.commands).toEqual(['git push origin main'])
  })

  test('[kernel 5] a command that cannot be read is asked about, and a session answer holds for that text alone', async () => {
    const s = counted({ answers: [{ choice: 'session' }, { choice: 'deny' }] })

    await s.terminal('echo "open')
    await s.terminal('echo "open')
    await s.terminal('echo "other')

    expect(s.questions.map(({ rule, alwaysRule }) => [rule, alwaysRule])).toEqual([
      ['unreadable', null],
      ['unreadable', null],
    ])
    expect(s.commands).toEqual(['echo "open', 'echo "open'])
  })

  test('[U-251] what a person reads shows hidden characters as codes', async () => {
    const s = counted()
    await s.terminal('rm -rf "a\u202Eb\u200Bc\u0007d\u00a0e"')
    expect(s.questions[0]?.subject).toBe('rm -rf "a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d⟨U+00A0⟩e"')
  })

  test('[kernel 8.3] secrets of the environment do not leave in a question', async () => {
    const s = counted({ env: { DEPLOY_TOKEN: 'tok-1234567890' } })
    await s.terminal('rm -rf build-tok-1234567890')
    expect(s.questions[0]?.subject).toBe('rm -rf build-[masked DEPLOY_TOKEN]')
  })
})

describe('[kernel 5] the gate fails closed', () => {
  const harmless = { run: async () => ({ content: 'HANDLER' }) }
  const cases: readonly [string, ToolDefinition, SessionOptions][] = [
    ['the assessment throws', aTool({ ...harmless, gate: () => Promise.reject(new Error('disk gone')) }), {}],
    [
      'the policy throws',
      aTool(harmless, ['x']),
      {
        policy: {
          deny: () => {
            throw new Error('bad config')
          },
        },
      },
    ],
    ['the question throws', aTool(harmless, ['x']), { ask: () => Promise.reject(new Error('no channel')) }],
    ['the answer is unknown', aTool(harmless, ['x']), { answers: [{ choice: 'yes' as never }] }],
    [
      'the assessment throws in bypass mode',
      aTool({ ...harmless, gate: () => Promise.reject(new Error('x')) }),
      { policy: { mode: () => 'off' } },
    ],
  ]
  test.each(cases)('when %s', async (_when, tool, options) => {
    const s = aToolSession({ ...options, extra: [tool] })

    const outcome = await s.run('probe', {})

    expect(outcome).toMatchObject({ effect: 'not_executed', record: { outcome: 'refused' } })
    expect(outcome.content).not.toContain('HANDLER')
  })

  test('[kernel 5] questions of one conversation come one after the other, and the first answer counts for the second', async () => {
    let open = 0
    let most = 0
    const s = aToolSession({
      extra: [aTool(harmless, ['x'])],
      ask: async ({ reason }, clock) => {
        most = Math.max(most, ++open)
        await clock.sleep(400_000)
        open--
        return { choice: 'session', by: 'person', at: clock.now(), reason }
      },
    })

    const both = Promise.all([s.run('probe', {}), s.run('probe', {}), s.run('probe', {}, { conversation: 'c2' })])
    await s.clock.advance(800_000)
    const outcomes = await both

    expect(outcomes.map((outcome) => outcome.content)).toEqual(['HANDLER', 'HANDLER', 'HANDLER'])
    expect(s.questions).toHaveLength(2)
    expect(most).toBe(2)
  })
})
