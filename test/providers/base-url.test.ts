import { describe, expect, it } from 'vitest'
import { cleanKey, isLoopback, normalizeBaseUrl } from '../../src/main/providers/base-url.ts'

describe('addresses of model servers', () => {
  it.each([
    ['https://host/v1', 'https://host/v1'],
    ['https://host/v1///', 'https://host/v1'],
    [' http://127.0.0.1:8080/v1/ ', 'http://127.0.0.1:8080/v1'],
    ['https://host/v1/chat/completions', 'https://host/v1'],
    ['https://host/v1/chat/completions/', 'https://host/v1'],
    ['https://host', 'https://host'],
    ['https://HOST:443/v1?x=1#y', 'https://host/v1'],
  ])('[cli 4] %s becomes %s', (given, normal) => {
    expect(normalizeBaseUrl(given)).toEqual({ ok: true, value: normal })
    expect(normalizeBaseUrl(normal)).toEqual({ ok: true, value: normal })
  })

  it.each(['', 'host/v1', 'localhost:8080/v1', 'file:///etc/passwd', 'https://user:pw@host/v1', 'javascript:alert(1)'])(
    '[cli 4] refuses “%s”',
    (given) => {
      expect(normalizeBaseUrl(given).ok).toBe(false)
    },
  )

  it.each([
    ['http://localhost:1234/v1', true],
    ['http://127.0.0.1/v1', true],
    ['http://127.9.9.9/v1', true],
    ['http://[::1]:8080/v1', true],
    ['http://api.localhost/v1', true],
    ['https://localhost.evil.test/v1', false],
    ['https://127.0.0.1.evil.test/v1', false],
    ['http://192.168.1.5/v1', false],
    ['nonsense', false],
  ])('[cli 4] %s is on this machine: %s', (given, local) => {
    expect(isLoopback(given)).toBe(local)
  })

  it.each([
    ['sk-abc', 'sk-abc'],
    [' "sk-abc"\n', 'sk-abc'],
    ['sk-\u200babc\u00a0', 'sk-abc'],
    ['密钥', null],
    ['', null],
    [null, null],
  ])('[cli 4] the key %j goes out as %j', (given, sent) => {
    expect(cleanKey(given)).toBe(sent)
  })
})
