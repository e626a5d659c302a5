import { existsSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { expect, test } from 'vitest'
import { importsOf, targetOf } from './sources.ts'

const PROGRAM = 'out/main/herma.js'

/** The built program and its chunks; `at start` leaves out what is loaded by a verb when it runs. */
function reachable(when: 'at start' | 'ever'): { files: string[]; packages: string[] } {
  if (!existsSync(PROGRAM))
    throw new Error(`${PROGRAM} is missing. Run \`npm run build\`, or \`npm test\`, which builds.`)
  const files = new Set([PROGRAM])
  const packages = new Set<string>()
  for (const file of files)
    for (const imported of importsOf(file)) {
      if (when === 'at start' && imported.dynamic) continue
      const target = targetOf(file, imported)
      if (target !== null) files.add(target)
      else packages.add(imported.specifier.replace(/^node:/, ''))
    }
  return { files: [...files], packages: [...packages].filter((name) => !builtinModules.includes(name)) }
}

test('[architecture 2] the command-line bundle and all its chunks hold no Electron', () => {
  const { files, packages } = reachable('ever')
  expect(files.length).toBeGreaterThan(3)
  expect(packages).toEqual(['better-sqlite3'])
})

test('[cli 1] what starts the command loads no database and no provider', () => {
  const { packages, files } = reachable('at start')
  expect(packages).toEqual([])
  expect(files.filter((file) => /openai|chat-completions|createHost/i.test(file))).toEqual([])
})
