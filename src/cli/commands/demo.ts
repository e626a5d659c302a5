/** `herma demo`: everything in a temporary home with the scripted provider; gone at exit unless kept. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '../../main/host/config/config.ts'
import type { ExitCode } from '../exit.ts'
import { failureOf } from '../exit.ts'
import { homeOf } from '../place.ts'
import type { Invocation } from '../program.ts'
import { serve } from './serve.ts'

export async function demo(it: Invocation, flags: { port: string; keep?: boolean }): Promise<ExitCode> {
  const root = await mkdtemp(join(tmpdir(), 'herma-demo-'))
  const inside: Invocation = {
    ...it,
    home: root,
    profile: undefined,
    env: { ...it.env, HERMA_PROFILE: undefined, HERMA_MODEL_PROVIDER: undefined },
  }
  try {
    const chosen = new Config(homeOf(inside)).set('model.provider', 'demo', null)
    if (!chosen.ok) throw failureOf(chosen.refusal)
    it.out.note(flags.keep === true ? `Demo home: ${root}` : 'Demo home: temporary, removed when you stop it (Ctrl+C).')
    return await serve(inside, flags, { demoHome: true })
  } finally {
    if (flags.keep !== true) await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
}
