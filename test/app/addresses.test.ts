import { describe, expect, test } from 'vitest'
import { isOurs, maySpeak, targetOf } from '../../src/main/app/addresses.ts'

describe('who may speak to the core', () => {
  test('[U-250] our own page at the top of its window', () => {
    expect(maySpeak({ url: 'herma://app/', parent: null })).toBe(true)
    expect(maySpeak({ url: 'herma://app/index.html#x', parent: null })).toBe(true)
  })

  test.each([
    ['a frame inside our page', { url: 'herma://app/', parent: {} }],
    ['a frame that is gone', null],
    ['another host of our scheme', { url: 'herma://evil/', parent: null }],
    ['a host that only begins like ours', { url: 'herma://app.evil.example/', parent: null }],
    ['our name before an at sign', { url: 'herma://app@evil.example/', parent: null }],
    ['a web page', { url: 'https://app/', parent: null }],
    ['an empty page', { url: 'about:blank', parent: null }],
    ['data', { url: 'data:text/html,herma://app/', parent: null }],
    ['a file', { url: 'file:///herma://app/', parent: null }],
    ['nothing', { url: '', parent: null }],
  ])('[U-250] not %s', (_who, frame) => {
    expect(maySpeak(frame)).toBe(false)
  })

  test('[U-250] the development server counts only where one is named', () => {
    const page = { url: 'http://localhost:5173/index.html', parent: null }
    expect(maySpeak(page)).toBe(false)
    expect(maySpeak(page, 'http://localhost:5173')).toBe(true)
    expect(isOurs('http://localhost:5174/', 'http://localhost:5173')).toBe(false)
    expect(isOurs('http://localhost:5173.evil.example/', 'http://localhost:5173')).toBe(false)
  })
})

describe('where a link leads', () => {
  test.each(['https://example.com/a?b#c', 'http://127.0.0.1:8080/', 'mailto:a@example.com'])(
    '[U-250] %s leaves by the system',
    (url) => {
      expect(targetOf(url)).toEqual({ kind: 'browser', url })
    },
  )

  test('[U-18] a chat link stays inside', () => {
    expect(targetOf('herma://chat/x')).toEqual({ kind: 'chat', conversation: 'x' })
  })

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'vbscript:x',
    'smb://server/share',
    'ms-msdt:/id',
    'herma://app/',
    'not an address',
    '',
  ])('[U-250] %s leads nowhere', (url) => {
    expect(targetOf(url)).toEqual({ kind: 'nowhere' })
  })
})
