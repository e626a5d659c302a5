import { describe, expect, test } from 'vitest'
import {
  type Announcement,
  announcementOf,
  createSpeaker,
  firstSentence,
  SPEAK_EVERY_MS,
} from '../../../src/renderer/src/app/announcements.ts'
import type { HermaEvent } from '../../../src/shared/contract/index.ts'

const event = (type: string, payload: object): HermaEvent =>
  ({
    type,
    profile: 'default',
    session_id: 'c1',
    conversation_id: 'c1',
    epoch: 'e',
    seq: 1,
    payload,
  }) as unknown as HermaEvent

describe('[U-220] the announcer', () => {
  test('says when a reply starts and finishes, with its first sentence and the real ending', () => {
    expect(announcementOf(event('message.start', {}))?.text).toBe('Herma is answering.')
    const done = { text: '## Done\n\nThree files.', status: 'complete', end_reason: 'text_response' }
    expect(announcementOf(event('message.complete', done))?.text).toBe('Herma: Done')
    const stopped = { text: '', status: 'interrupted', end_reason: 'interrupted_by_user' }
    expect(announcementOf(event('message.complete', stopped))?.text).toBe('The turn ended: stopped by you.')
  })

  test('interrupts for a question only', () => {
    const asked = announcementOf(event('approval.open', { tool: 'terminal', reason: 'it deletes files' }))
    expect(asked).toEqual({ text: 'Herma asks: allow terminal? it deletes files.', assertive: true })
  })

  test.each(['message.delta', 'reasoning.delta', 'tool.start', 'tool.progress', 'tool.complete', 'status.update'])(
    'is silent about %s',
    (type) => {
      expect(announcementOf(event(type, { text: 'x' }))).toBeNull()
    },
  )

  test('speaks at most once in 2 s and then says the newest; questions do not wait', () => {
    const said: string[] = []
    const timers: (() => void)[] = []
    let now = 0
    const speak = createSpeaker({
      say: ({ text }) => said.push(text),
      now: () => now,
      later: (_ms, run) => timers.push(run),
    })
    const polite = (text: string): Announcement => ({ text, assertive: false })

    speak(polite('one'))
    speak(polite('two'))
    speak(polite('three'))
    speak({ text: 'question', assertive: true })
    expect(said).toEqual(['one', 'question'])

    now += SPEAK_EVERY_MS
    for (const timer of timers.splice(0)) timer()
    expect(said).toEqual(['one', 'question', 'three'])
    speak(polite('four'))
    expect(timers).toHaveLength(1)
  })
})

test.each([
  ['Hello there. And more.', 'Hello there.'],
  ['```ts\nconst a = 1\n```\nThat is **it**! Really', 'That is it!'],
  ['1. first item\n2. second', 'first item second'],
  ['', ''],
])('[U-220] the first sentence of %j', (text, expected) => {
  expect(firstSentence(text)).toBe(expected)
})
