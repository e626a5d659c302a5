/** Everything that is checked without running the product: each check runs, whatever the others say. */
import { join } from 'node:path'
import { INTERRUPTED, run, say } from './child.mjs'
import { ensure, ROOT } from './ensure.mjs'

/** @type {readonly { name: string, program: string, args: string[] }[]} */
const CHECKS = [
  { name: 'types', program: 'typescript/bin/tsc', args: ['-b'] },
  { name: 'lint', program: '@biomejs/biome/bin/biome', args: ['check', '.'] },
  { name: 'dead code', program: 'knip/bin/knip.js', args: ['--no-progress'] },
  {
    name: 'import arrows',
    program: 'vitest/vitest.mjs',
    args: ['run', '--reporter=dot', 'test/architecture/imports.test.ts'],
  },
]

/** @returns {Promise<never>} ends the process: 0 when every check is clean */
export async function runChecks() {
  const { node, env } = await ensure({ build: false })
  const failed = []
  for (const { name, program, args } of CHECKS) {
    const { code, output } = await run(node, [join(ROOT, 'node_modules', program), ...args], { cwd: ROOT, env })
    if (code === 0) say(`${name}: clean`)
    else {
      failed.push(name)
      say(`${name}: failed\n${output.trimEnd()}\n`)
      if (code === INTERRUPTED) process.exit(INTERRUPTED)
    }
  }
  process.stdout.write(failed.length === 0 ? `${CHECKS.length} checks, all clean\n` : `failed: ${failed.join(', ')}\n`)
  process.exit(failed.length === 0 ? 0 : 1)
}
