import { expect, test } from 'vitest'
import { conversationOfLink, readLaunch } from '../../src/main/app/launch.ts'

test('[U-20] home, profile and chat are read from the command line, whatever Electron puts between', () => {
  expect(
    readLaunch([
      'electron',
      '.',
      '--no-sandbox',
      '--home=/tmp/h',
      '--profile',
      'work',
      '--session',
      '20261201_0001_ab',
    ]),
  ).toEqual({ home: '/tmp/h', profile: 'work', conversation: '20261201_0001_ab' })
})

test('[U-20] nothing asked is nothing, and a flag without its value is not the next flag', () => {
  const nothing = { home: undefined, profile: undefined, conversation: null }
  expect(readLaunch(['electron', '.'])).toEqual(nothing)
  expect(readLaunch(['electron', '--home', '--profile'])).toEqual(nothing)
  expect(readLaunch(['electron', '--home='])).toEqual(nothing)
})

test.each([
  ['herma://chat/20261201_0001_ab', '20261201_0001_ab'],
  ['herma://chat/20261201_0001_ab/', '20261201_0001_ab'],
  ['HERMA://chat/x', 'x'],
  ['herma://app/', null],
  ['herma://chat/', null],
  ['herma://chat/a/b', null],
  ['https://chat/x', null],
  ['--session=herma://chat/x', null],
])('[U-18] %s names the chat %s', (link, conversation) => {
  expect(conversationOfLink(link)).toBe(conversation)
})

test('[U-18] a link on the command line opens its chat', () => {
  expect(readLaunch(['herma', 'herma://chat/x']).conversation).toBe('x')
})
