/**
 * What goes into a system prompt (kernel 2), read from the home and the workspace when a prompt has to be made and never
 * in between. Clock time stays out; the start date stands in the volatile tier.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import identity from '../../../resources/prompts/identity.md?raw'
import workingRules from '../../../resources/prompts/working-rules.md?raw'
import { truncate } from '../../shared/text.ts'
import type { Binding, PromptParts } from '../kernel/ports.ts'
import type { Home } from './home.ts'

const PERSONA_LIMIT_CHARS = 20_000
/** Asking git takes milliseconds; a hanging network mount must not hold up a turn. */
const GIT_LIMIT_MS = 2_000

export interface PromptFacts {
  readonly home: Home
  readonly cwd: string
  readonly binding: Binding
  readonly toolNames: readonly string[]
  readonly surface: string
  readonly nowMs: number
}

/** Never rejects: what cannot be read is left out. */
export async function promptParts(facts: PromptFacts): Promise<PromptParts> {
  const [persona, workspace] = await Promise.all([personaOf(facts.home), workspaceSnapshot(facts.cwd)])
  return {
    stable: [
      persona ?? identity,
      workingRules,
      facts.toolNames.length === 0 ? '' : `Your tools: ${facts.toolNames.join(', ')}.`,
      `Environment: ${process.platform} ${process.arch}. Commands run in a POSIX shell unless the platform is win32.`,
    ],
    context: [workspace],
    volatile: [
      `Date at the start of this conversation: ${startDate(facts.nowMs)}.`,
      `Profile: ${facts.home.profile}. Surface: ${facts.surface}.`,
      `Model: ${facts.binding.model}\nProvider: ${facts.binding.provider}`,
    ],
  }
}

/** The persona of the bound home; null = the built-in one. */
async function personaOf(home: Home): Promise<string | null> {
  try {
    const text = (await readFile(join(home.path, 'SOUL.md'), 'utf8')).replace(/^\ufeff/, '').trim()
    return text === '' ? null : truncate(text, PERSONA_LIMIT_CHARS)
  } catch {
    // No persona, or one that cannot be read: the built-in identity stands in.
    return null
  }
}

const git = async (cwd: string, ...args: string[]): Promise<string | null> => {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd, timeout: GIT_LIMIT_MS, maxBuffer: 1_048_576 })
    return stdout.trim()
  } catch {
    // Not a repository, no git, or too slow: the snapshot simply has no such line.
    return null
  }
}

/** Frozen with the prompt: a commit between turns does not touch it (B-09). */
async function workspaceSnapshot(cwd: string): Promise<string> {
  const root = await git(cwd, 'rev-parse', '--show-toplevel')
  if (root === null) return `Working folder: ${cwd} (not a git repository).`
  const [branch, status] = await Promise.all([git(cwd, 'branch', '--show-current'), git(cwd, 'status', '--porcelain')])
  const changed = status === null || status === '' ? 0 : status.split('\n').length
  return `Working folder: ${cwd}\nGit root: ${root}\nBranch: ${branch || '(detached)'}\nChanged files at the start: ${changed}`
}

/** The date with its zone, as the person has it. */
function startDate(nowMs: number): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return `${new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone }).format(nowMs)} (${zone})`
}
