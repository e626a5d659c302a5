import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanKey, isLoopback, normalizeBaseUrl } from '../../src/main/providers/base-url.ts'

const normal = (address: string): string | null => {
  const result = normalizeBaseUrl(address)
  return result.ok ? result.value : null
}

describe('addresses of model servers', () => {
  it.each([
    ['https://host/v1', 'https://host/v1'],
    ['https://host/v1/', 'https://host/v1'],
    ['  https://host/v1//\n', 'https://host/v1'],
    ['https://host', 'https://host/v1'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/v1/chat/completions', 'http://127.0.0.1:8080/v1'],
    ['https://host/v1/chat/completions/', 'https://host/v1'],
    ['https://host/openai/v1?version=2#top', 'https://host/openai/v1'],
    ['https://host/api', 'https://host/api'],
    ['HTTPS://HOST:443/v1', 'https://host/v1'],
  ])('[cli 4] %j is taken as %s', (address, wanted) => {
    expect(normal(address)).toBe(wanted)
  })

  it.each([
    '',
    '   ',
    'host',
    'host/v1',
    'localhost:11434',
    '/v1',
    'ftp://host/v1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:secret@host/v1',
    'http://',
  ])('[cli 4] %j is refused in a sentence that shows no password', (address) => {
    const result = normalizeBaseUrl(address)
    expect(result.ok).toBe(false)
    expect(result.ok ? '' : result.refusal).toMatch(/address/)
    expect(result.ok ? '' : result.refusal).not.toMatch(/secret|undefined/)
  })

  it('[cli 4] the normal form is its own normal form, and anything else is refused without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })), (address) => {
        const once = normal(address)
        if (once !== null) expect(normal(once)).toBe(once)
      }),
    )
  })

  it.each([
    'http://localhost:11434/v1',
    'http://127.0.0.1:1234',
    'http://127.8.9.1/v1',
    'http://[::1]:8080/v1',
    'http://models.localhost/v1',
    'http://2130706433/v1',
  ])('[cli 4] %s is this machine', (address) => {
    expect(isLoopback(address)).toBe(true)
  })

  it.each([
    'https://api.openai.com/v1',
    'http://127.0.0.1.example.com/v1',
    'http://localhost.example.com/v1',
    'http://192.168.1.2:11434/v1',
    'http://127.0.0.1@example.com/v1',
    'localhost',
    '',
  ])('[cli 4] %j is not this machine, so a key is needed there', (address) => {
    expect(isLoopback(address)).toBe(false)
  })
})

describe('pasted keys', () => {
  it.each([
    ['sk-abc123', 'sk-abc123'],
    ['  sk-abc123\r\n', 'sk-abc123'],
    ['"sk-abc123"', 'sk-abc123'],
    ['Bearer sk-abc123', 'sk-abc123'],
    ['\ufeff"bearer\tsk-abc 123"', 'sk-abc123'],
    ['sk-abc\u200b123\u00a0', 'sk-abc123'],
    ['ключ', null],
    ['', null],
    [null, null],
  ])('[U-37] %j is sent as %j', (pasted, sent) => {
    expect(cleanKey(pasted)).toBe(sent)
  })

  it('[U-37] what is left can always stand in a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (pasted) => {
        const key = cleanKey(pasted)
        if (key !== null)
          expect(new Headers({ authorization: `Bearer ${key}` }).get('authorization')).toBe(`Bearer ${key}`)
      }),
    )
  })
})
