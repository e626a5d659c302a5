import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectOutput, OUTPUT_LIMIT } from '../../../src/main/tools/process/collect-output.ts'
import { liveOutput } from '../../../src/main/tools/process/live-output.ts'
import { commandEnv, isSecretName, secretMask } from '../../../src/main/tools/process/secrets.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const plain = (text: string): string => text

describe('[kernel 6] output for the model', () => {
  test('short output is whole, in whatever pieces it came', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme-ascii' }), { maxLength: 50 }), (pieces) => {
        const output = collectOutput()
        for (const piece of pieces) output.add(piece)
        expect(output.text(plain)).toBe(pieces.join(''))
      }),
    )
  })

  test('long output keeps head and tail and counts what is left out', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: OUTPUT_LIMIT + 1, max: 1_500_000 }),
        fc.integer({ min: 1, max: 70_000 }),
        (length, piece) => {
          const text = Array.from({ length: Math.ceil(length / 10) }, (_, i) => String(i).padStart(9, '0'))
            .join('\n')
            .slice(0, length)
          const output = collectOutput()
          for (let at = 0; at < text.length; at += piece) output.add(text.slice(at, at + piece))

          const [, head, omitted, tail] =
            /^([\s\S]*)\n\[\.\.\. (\d+) characters left out \.\.\.\]\n([\s\S]*)$/.exec(output.text(plain)) ?? []

          expect(head).toBe(text.slice(0, 20_000))
          expect(tail).toBe(text.slice(-30_000))
          expect(Number(omitted)).toBe(text.length - OUTPUT_LIMIT)
        },
      ),
      { numRuns: 5 },
    )
  })
})

describe('[kernel 8.3] secrets', () => {
  test.each([
    'OPENAI_API_KEY',
    'GH_TOKEN',
    'npm_token',
    'CLIENT_SECRET',
    'DB_PASSWORD',
    'SECRET_THING',
    'AWS_ACCESS_KEY_ID',
    'GITHUB_PAT',
    'KEY',
  ])('%s names one', (name) => {
    expect(isSecretName(name)).toBe(true)
    expect(commandEnv({ [name]: 'value-of-it', PATH: '/bin' })).not.toHaveProperty(name)
  })

  test.each(['PATH', 'HOME', 'KEYBOARD', 'MONKEY', 'TOKENIZERS_PARALLELISM', 'SSH_AUTH_SOCK', 'LANG', 'PATTERN'])(
    '%s does not',
    (name) => {
      expect(isSecretName(name)).toBe(false)
      expect(commandEnv({ [name]: 'x' })).toHaveProperty(name)
    },
  )

  test('a live stream never shows a secret, wherever the pipe cuts it', async () => {
    const secret = 'abcdABCDabcd1234'
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 }),
        fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
        async (cuts, waits) => {
          const text = `before ${secret} between ${secret}${secret.slice(0, 5)} end`
          const clock = fakeClock()
          let shown = ''
          const live = liveOutput(clock, secretMask({ A_KEY: secret }), (_stream, part) => {
            shown += part
          })
          const points = [0, ...cuts.sort((a, b) => a - b), text.length]
          for (const [i, from] of points.slice(0, -1).entries()) {
            live.add('stdout', Buffer.from(text.slice(from, points[i + 1])))
            if (waits[i]) await clock.advance(67)
          }
          live.end()
          expect(shown).toBe(`before [masked A_KEY] between [masked A_KEY]${secret.slice(0, 5)} end`)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a flood is shown by its newest part, with the rest counted', async () => {
    const clock = fakeClock()
    const sent: string[] = []
    const live = liveOutput(clock, secretMask({}), (_stream, text) => sent.push(text))
    for (let i = 0; i < 100; i++) live.add('stdout', Buffer.from(`${i}`.padEnd(10_000, '.')))
    await clock.advance(67)
    live.end()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.length).toBeLessThan(8_300)
    expect(sent[0]).toMatch(/991808 characters not shown live/)
  })
})
