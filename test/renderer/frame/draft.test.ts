import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEmpty, objection } from '../../../src/renderer/src/features/composer/deliver.ts'
import {
  changeDraft,
  type Draft,
  type DraftChange,
  EMPTY_DRAFT,
  parseDraft,
  storeDraft,
} from '../../../src/renderer/src/features/composer/draft.ts'
import { insideFence } from '../../../src/renderer/src/features/composer/inside-fence.ts'
import type { RequestId } from '../../../src/shared/ids.ts'
import type { Json } from '../../../src/shared/schema.ts'

const id = (name: string): RequestId => name as RequestId
const draftAfter = (...changes: DraftChange[]): Draft => changes.reduce(changeDraft, EMPTY_DRAFT)
const sent = (text: string, name = 'r1'): DraftChange[] => [
  { kind: 'edit', text },
  { kind: 'send', request: id(name), create: null, at: 1 },
]

describe('[U-53] a sent message', () => {
  test('leaves the composer and shows as sending', () => {
    const draft = draftAfter(...sent('hello'))
    expect(draft.text).toBe('')
    expect(draft.sends).toMatchObject([{ text: 'hello', state: 'sending', request: 'r1' }])
  })

  test('is forgotten only when the core accepted it', () => {
    expect(draftAfter(...sent('hello'), { kind: 'accepted', request: id('r1') })).toEqual(EMPTY_DRAFT)
  })

  test('keeps its request id over a broken connection and a retry (U-02)', () => {
    const draft = draftAfter(
      ...sent('hello'),
      { kind: 'disconnected', request: id('r1') },
      { kind: 'retry', request: id('r1') },
    )
    expect(draft.sends).toMatchObject([{ request: 'r1', state: 'sending' }])
  })

  test('that was on its way when the window died is found again as not confirmed, under its request id', () => {
    const stored = storeDraft(draftAfter(...sent('hello')))
    expect(parseDraft(stored as Json).sends).toMatchObject([{ request: 'r1', text: 'hello', state: 'unconfirmed' }])
  })
})

describe('[U-54] a refused message', () => {
  const refused: DraftChange = { kind: 'refused', request: id('r1'), reason: 'The disk is full.' }

  test('is back in the composer when nothing new was typed', () => {
    expect(draftAfter(...sent('hello'), refused)).toEqual({ text: 'hello', sends: [] })
  })

  test('stays beside a newer text, with its reason, and can be restored', () => {
    const draft = draftAfter(...sent('hello'), { kind: 'edit', text: 'something new' }, refused)
    expect(draft.text).toBe('something new')
    expect(draft.sends).toMatchObject([{ text: 'hello', state: 'failed', reason: 'The disk is full.' }])

    const restored = changeDraft(draft, { kind: 'restore', request: id('r1') })
    expect(restored).toEqual({ text: 'hello\n\nsomething new', sends: [] })
  })
})

describe('[U-46] what was on disk', () => {
  test('stands in front of what was typed while it was being read', () => {
    const draft = draftAfter({ kind: 'edit', text: ' world' }, { kind: 'loaded', stored: { text: 'hello', sends: [] } })
    expect(draft.text).toBe('hello world')
  })

  test.each([undefined, null, 7, 'text', { text: 3 }, { text: 'a', sends: [{}] }])('is empty when it is %j', (raw) => {
    expect(parseDraft(raw as Json)).toEqual(EMPTY_DRAFT)
  })
})

/** Every text of the run is unique, so that it can be looked for. */
type Step =
  | { readonly do: 'switch'; readonly to: number }
  | { readonly do: 'type' }
  | { readonly do: 'send' }
  | { readonly do: 'settle'; readonly how: 'accepted' | 'refused' | 'disconnected' }
  | { readonly do: 'restore' }
  | { readonly do: 'crash' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('switch' as const), to: fc.nat(2) }),
  fc.record({ do: fc.constant('type' as const) }),
  fc.record({ do: fc.constant('send' as const) }),
  fc.record({
    do: fc.constant('settle' as const),
    how: fc.constantFrom('accepted' as const, 'refused' as const, 'disconnected' as const),
  }),
  fc.record({ do: fc.constant('restore' as const) }),
  fc.record({ do: fc.constant('crash' as const) }),
)

test('[U-46] [U-254] no draft is lost or crosses over under random switching, sending, refusals and crashes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let drafts: Draft[] = [EMPTY_DRAFT, EMPTY_DRAFT, EMPTY_DRAFT]
      const written: string[][] = [[], [], []]
      const accepted = new Set<string>()
      let front = 0
      let next = 0
      const change = (change: DraftChange): void => {
        drafts = drafts.map((draft, index) => (index === front ? changeDraft(draft, change) : draft))
      }
      for (const { do: what, ...rest } of steps) {
        const draft = drafts[front] as Draft
        const send = draft.sends[0]
        if (what === 'switch') front = (rest as { to: number }).to
        else if (what === 'type') {
          const word = `[${next++}]`
          written[front]?.push(word)
          change({ kind: 'edit', text: `${draft.text}${word}` })
        } else if (what === 'send' && draft.text !== '')
          change({ kind: 'send', request: id(`r${next++}`), create: null, at: next })
        else if (what === 'settle' && send !== undefined) {
          const { how } = rest as { how: 'accepted' | 'refused' | 'disconnected' }
          if (how === 'accepted') for (const word of send.text.match(/\[\d+\]/g) ?? []) accepted.add(word)
          change({ kind: how, request: send.request, reason: 'no' } as DraftChange)
        } else if (what === 'restore' && send?.state === 'failed') change({ kind: 'restore', request: send.request })
        else if (what === 'crash') drafts = drafts.map((each) => parseDraft((storeDraft(each) ?? undefined) as Json))
      }
      for (const [index, draft] of drafts.entries()) {
        const here = [draft.text, ...draft.sends.map(({ text }) => text)].join('\n')
        const expected = (written[index] ?? []).filter((word) => !accepted.has(word))
        expect([...here.matchAll(/\[\d+\]/g)].map(([word]) => word).sort()).toEqual(expected.sort())
      }
    }),
    { numRuns: 400 },
  )
})

describe('[U-53] before sending', () => {
  test('a prompt of white space is empty', () => {
    expect(['', ' ', '\n\t '].map(isEmpty)).toEqual([true, true, true])
    expect(isEmpty(' a ')).toBe(false)
  })

  test('an over-long text is refused with the count and the way out', () => {
    expect(objection('x'.repeat(1_000_001), 1_000_000)).toMatch(/1,000,001 characters are 1 more .* file/)
    expect(objection('x'.repeat(1_000_000), 1_000_000)).toBeNull()
  })
})

test('[U-52] a place inside an open code fence is told from one outside', () => {
  const text = 'see\n```ts\nconst a = 1\n```\ndone'
  expect(insideFence(text, 2)).toBe(false)
  expect(insideFence(text, 15)).toBe(true)
  expect(insideFence(text, text.length)).toBe(false)
})
