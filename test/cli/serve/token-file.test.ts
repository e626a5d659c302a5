import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeTokenFile } from '../../../src/cli/serve/token-file.ts'

const facts = { url: 'http://127.0.0.1:4100/#token=t', port: 4100, token: 't', pid: process.pid }
function aRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'herma-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('[cli 2] only its owner can read the token file, and it goes with the server', () => {
  const folder = join(aRunFolder(), 'run')
  const file = writeTokenFile(folder, facts)
  expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual(facts)
  expect(statSync(file.path).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  file.remove()
  file.remove()
  expect(existsSync(file.path)).toBe(false)
})

test('[cli 2] what a crash left behind goes at the next start; what is in use stays', () => {
  const folder = aRunFolder()
  const dead = 4_194_305 // above the largest pid of Linux
  writeFileSync(join(folder, `serve-${dead}.json`), '{}')
  writeFileSync(join(folder, `serve-${process.pid}.json`), 'from a process that had our number before')
  writeFileSync(join(folder, 'serve-1.json'), '{}')
  writeFileSync(join(folder, 'authority.lock'), '')
  const file = writeTokenFile(folder, facts)
  expect(readdirSync(folder).sort()).toEqual(['authority.lock', 'serve-1.json', `serve-${process.pid}.json`].sort())
  expect(readFileSync(file.path, 'utf8')).toContain('4100')
})
