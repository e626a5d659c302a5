/** The home a verb works on, what a shell without a window gives to the core, and where the build stands. */
import { basename, dirname, join } from 'node:path'
import { findHome, type Home } from '../main/host/home.ts'
import type { ShellPorts } from '../main/host/ports.ts'
import { headlessSecrets } from '../main/host/secrets-headless.ts'
import type { Refusal } from '../shared/contract/index.ts'
import type { Result } from '../shared/result.ts'
import { systemClock } from '../shared/time.ts'
import { failureOf } from './exit.ts'
import type { Invocation } from './program.ts'

export const findHomeOf = (it: Invocation): Result<Home, Refusal> =>
  findHome(it.env, { home: it.home, profile: it.profile })

/** @throws CommandFailure when the place cannot be a home */
export function homeOf(it: Invocation): Home {
  const home = findHomeOf(it)
  if (!home.ok) throw failureOf(home.refusal)
  return home.value
}

const LEVELS = { debug: 0, info: 1, warn: 2, error: 3 } as const

/** Ports of the command line and of `serve`: system clock, headless secrets, diagnostics to stderr. */
export function shellPorts(it: Invocation, home: Home): ShellPorts {
  const wanted = it.env['HERMA_LOG'] ?? 'error'
  const least = Object.hasOwn(LEVELS, wanted) ? LEVELS[wanted as keyof typeof LEVELS] : LEVELS.error
  const log: ShellPorts['log'] = (level, message, facts) => {
    if (LEVELS[level] >= least)
      it.out.note(`${level}: ${message}${facts === undefined ? '' : ` ${JSON.stringify(facts)}`}`)
  }
  return { clock: systemClock, secrets: headlessSecrets(home, systemClock, log), env: it.env, log }
}

/** `out/` of this build. The code of a verb stands beside the entry or in its `chunks` folder. */
export function buildFolder(): string {
  const here = import.meta.dirname
  return dirname(basename(here) === 'chunks' ? dirname(here) : here)
}

/** Folder of the built screens. */
export const screensFolder = (): string => join(buildFolder(), 'renderer')
