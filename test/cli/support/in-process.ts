/** The command in this process: quick, for what does not depend on being a process (exit codes, words, JSON). */
import { onTestFinished, vi } from 'vitest'
import { run } from '../../../src/cli/program.ts'
import type { Ended } from './herma.ts'

export async function runHere(
  args: readonly string[],
  options: { home: string; env?: Readonly<Record<string, string>> },
): Promise<Omit<Ended, 'signal'>> {
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text: string | Uint8Array) => {
      said[name] += String(text)
      return true
    }),
  )
  const restore = (): void => {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
  }
  onTestFinished(restore)
  for (const [name, value] of Object.entries({ HERMA_HOME: options.home, ...options.env })) vi.stubEnv(name, value)
  try {
    const code = await run(args)
    return {
      code,
      ...said,
      json: () => JSON.parse(said.stdout),
      lines: () =>
        said.stdout
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
    }
  } finally {
    restore()
  }
}
