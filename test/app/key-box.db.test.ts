import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Cipher, keyBox } from '../../src/main/app/key-box.ts'

const KEY = 'sk-something-secret-1234'
/** Stands for the operating system: turns every bit, so that nothing readable reaches the disk. */
const turned = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff))
const aCipher = (over: Partial<Cipher> = {}): Cipher => ({
  store: 'keychain',
  available: true,
  encrypt: async (text) => turned(Buffer.from(text)),
  decrypt: async (bytes) => turned(bytes).toString(),
  ...over,
})

function aBox(cipher: Cipher = aCipher()) {
  const folder = mkdtempSync(join(tmpdir(), 'herma-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'desktop/keys.json')
  return { file, open: () => keyBox({ file, cipher, now: () => 1_000 }) }
}

describe('provider keys of the desktop', () => {
  test('[U-39] a stored key comes back after a restart, and is nowhere readable', async () => {
    const { file, open } = aBox()
    expect(await open().set('openai', KEY, 'stored')).toBe('os')
    expect(await open().get('openai')).toBe(KEY)
    expect(await open().describe('openai')).toEqual({ lastFour: '1234', setAt: 1_000, storage: 'os' })
    expect(readFileSync(file, 'utf8')).not.toMatch(/secret|1234/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('[U-40] kept until quit: it never reaches the disk and is gone after a restart', async () => {
    const { file, open } = aBox(aCipher({ store: 'basic_text' }))
    const box = open()
    expect(await box.set('openai', KEY, 'until_quit')).toBe('memory')
    expect(await box.get('openai')).toBe(KEY)
    expect(await box.describe('openai')).toMatchObject({ storage: 'memory' })
    expect(() => statSync(file)).toThrow('ENOENT')
    expect(await open().get('openai')).toBe(null)
  })

  test.each([
    ['a real store', aCipher({ store: 'gnome_libsecret' }), { kind: 'os', secure: true }, 'keyring'],
    ['a fixed password', aCipher({ store: 'basic_text' }), { kind: 'os', secure: false }, 'anybody can look up'],
    ['none', aCipher({ available: false }), { kind: 'memory', secure: false }, 'kept until you quit'],
  ])('[U-40] %s is said as what it is', (_store, cipher, kind, words) => {
    const { storage } = aBox(cipher).open()
    expect(storage).toMatchObject(kind)
    expect(storage.detail).toContain(words)
  })

  test('[U-40] without a store nothing is stored silently', async () => {
    const { open } = aBox(aCipher({ available: false }))
    await expect(open().set('openai', KEY, 'stored')).rejects.toThrow('Keep the key until you quit')
    expect(await open().get('openai')).toBe(null)
  })

  test('[U-39] removing takes the key out of memory and off the disk, and leaves the others', async () => {
    const { open } = aBox()
    const box = open()
    await Promise.all([box.set('a', 'key-a', 'stored'), box.set('b', 'key-b', 'stored')])
    await box.set('a', 'key-a2', 'until_quit')
    expect(await box.remove('a')).toBe(true)
    expect(await box.remove('a')).toBe(false)
    expect([await open().get('a'), await open().get('b')]).toEqual([null, 'key-b'])
  })

  test('[U-39] a damaged file is named and left alone', async () => {
    const { file, open } = aBox()
    await open().set('a', 'key-a', 'stored')
    writeFileSync(file, '{"a":')
    await expect(open().set('b', 'key-b', 'stored')).rejects.toThrow(/is damaged\. Move it away/)
    expect(readFileSync(file, 'utf8')).toBe('{"a":')
  })
})
