import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandAssessor } from '../../../src/main/tools/approvals/assess-command.ts'
import type { World } from '../../../src/main/tools/approvals/world.ts'
import type { Assessment } from '../../../src/main/tools/define-tool.ts'
import { CORPUS, type Expected } from './corpus.ts'
import { EVASIONS, FLOOR_EVASIONS } from './evasions.ts'

const HOME = '/home/mira'
const WORK = `${HOME}/work/site`
const FOLDERS = new Set([WORK, `${WORK}/src`, `${WORK}/out`])
const FILES = new Set([`${WORK}/notes.md`, `${WORK}/src/a.txt`])

/** A machine with one home and one working folder, no links. */
const world: World = {
  userHome: HOME,
  hermaRoot: `${HOME}/.herma`,
  foldCase: false,
  workspace: WORK,
  temporary: ['/tmp'],
  real: (path) => path,
  look: (path) => (FOLDERS.has(path) ? 'folder' : FILES.has(path) ? 'file' : null),
}
const assess = commandAssessor(() => world, new Map([['HOME', HOME]]))
const judge = (command: string): Assessment => assess({ command, cwd: WORK, workspace: WORK })
const verdict = ({ forbidden, hits }: Assessment): Expected =>
  forbidden !== null ? 'floor' : hits.length > 0 ? 'ask' : 'free'
const rulesOf = ({ forbidden, hits }: Assessment): string[] => [
  ...(forbidden === null ? [] : [forbidden.rule]),
  ...hits.map((hit) => hit.rule),
]

describe('[kernel 5] approval corpus', () => {
  test.each(
    CORPUS.filter((entry) => entry.expected !== 'free').map((entry) => [entry.command.slice(0, 80), entry] as const),
  )('stops %s', (_title, { command, expected, rule }) => {
    const assessment = judge(command)

    expect(verdict(assessment)).toBe(expected)
    expect(rulesOf(assessment)).toContain(rule)
  })

  test('asks for fewer than one in twenty harmless commands', () => {
    const harmless = CORPUS.filter((entry) => entry.expected === 'free')

    const asked = harmless.filter(({ command }) => verdict(judge(command)) !== 'free')

    expect(harmless.length).toBeGreaterThanOrEqual(90)
    expect(asked.map(({ command }) => [command, rulesOf(judge(command))])).toEqual([])
  })
})

describe('[kernel 5] evasions', () => {
  test.each(EVASIONS)('does not let %s through unasked', (command) => {
    expect(verdict(judge(command))).not.toBe('free')
  })

  test.each(FLOOR_EVASIONS)('never runs %s', (command) => {
    expect(verdict(judge(command))).toBe('floor')
  })

  /** Programs that run a simple command. */
  const runners: readonly ((command: string) => string)[] = [
    (command) => command,
    (command) => `sudo ${command}`,
    (command) => `env A=1 ${command}`,
    (command) => `nohup nice -n 5 ${command}`,
    (command) => `timeout -k 1 5 ${command}`,
    (command) => `xargs -0 -n1 ${command}`,
  ]
  /** Grammar around any command. */
  const dressings: readonly ((command: string) => string)[] = [
    (command) => `ls && ${command}`,
    (command) => `false || ${command}`,
    (command) => `( ${command} )`,
    (command) => `{ ${command}; }`,
    (command) => `echo "$( ${command} )"`,
    (command) => `if true; then ${command}; fi`,
    (command) => `f() { ${command}; }; f`,
    (command) => `for i in 1; do ${command}; done`,
    (command) => `${command} | cat`,
    (command) => `${command} &`,
    (command) => `! ${command}`,
    (command) => `bash <<'OVER'\n${command}\nOVER`,
    (command) => `eval ${quoted(command)}`,
    (command) => `bash -c ${quoted(command)}`,
    (command) => `# note\n${command}`,
  ]
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const dressed = (commands: readonly string[]) =>
    fc
      .tuple(
        fc.constantFrom(...commands),
        fc.constantFrom(...runners),
        fc.array(fc.constantFrom(...dressings), { maxLength: 3 }),
      )
      .map(([command, run, layers]) => layers.reduce((inner, dress) => dress(inner), run(command)))

  test('a deadly command stays deadly however it is dressed', () => {
    fc.assert(
      fc.property(dressed(['rm -rf /', 'mkfs.ext4 /dev/sdb', 'kill -9 -1', 'reboot']), (command) => {
        const found = verdict(judge(command))
        // A here-document inside a substitution can become unreadable: then a person is asked.
        expect(found === 'floor' || (found === 'ask' && rulesOf(judge(command)).includes('unreadable'))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('a destructive command is never unasked however it is dressed', () => {
    fc.assert(
      fc.property(
        dressed(['rm notes.md', 'git reset --hard', 'npm publish', 'python3 -c "import shutil"']),
        (command) => {
          expect(verdict(judge(command))).not.toBe('free')
        },
      ),
      { numRuns: 300 },
    )
  })

  test('never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      'rm',
      ' ',
      '"',
      "'",
      '$(',
      ')',
      '`',
      '{',
      '}',
      '<<E',
      '\n',
      '|',
      '&',
      ';',
      '\\',
      '~',
      '*',
      '((',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
        ),
        (command) => {
          expect(['free', 'ask', 'floor']).toContain(verdict(judge(command)))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('offers a rule for good only for what can be read', () => {
    expect(judge('rm -rf build').hits.map((hit) => hit.offer)).toEqual(['terminal:delete_recursively'])
    expect(judge('echo "open').hits.map((hit) => hit.offer)).toEqual([null])
  })
})
