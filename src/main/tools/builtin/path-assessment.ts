import type { Assessment, Hit } from '../define-tool.ts'
import type { Files } from '../files/files.ts'
import type { PathStanding } from '../files/guarded-paths.ts'

/**
 * What the gate needs to know about a call on one file.
 * @param real the real path, as it will be used
 * @param outside set when the path alone (not its kind) needs a person: the reason, and the folder rule it may store
 */
export function assessPath(
  tool: string,
  real: string,
  standing: PathStanding,
  outside: { readonly reason: string; readonly folder: string | null } | null,
): Assessment {
  const thing = `${tool}:${real}`
  const hits: Hit[] = []
  if (standing.kind === 'sensitive') {
    // Its own kind of thing: a stored folder rule must not reach the key files below that folder.
    const own = `${tool}!${standing.rule}:${real}`
    hits.push({ rule: standing.rule, reason: standing.reason, thing: own, offer: null })
  }
  if (outside !== null) {
    const offer = outside.folder === null ? thing : `${tool}:${outside.folder}`
    hits.push({ rule: 'outside_folder', reason: outside.reason, thing, offer })
  }
  return {
    subject: real,
    texts: [real],
    forbidden: standing.kind === 'forbidden' ? { rule: standing.rule, reason: `${real}: ${standing.reason}` } : null,
    hits,
  }
}

/** Nothing to judge: the path cannot be resolved, so the call will fail with the system's reason. */
const unresolved = (path: string): Assessment => ({ subject: path, texts: [path], forbidden: null, hits: [] })

/**
 * Keeps the real path a call was judged by until it runs; the call's arguments are the key and die with it. A link that
 * is moved while a person decides then leads to a refusal and not to another file.
 */
export function judgedPaths(files: Pick<Files, 'real'>) {
  const judged = new WeakMap<object, string>()
  return {
    /** Assesses the real path, or nothing when the system cannot follow it. */
    judge: async (
      args: object,
      path: string,
      assess: (real: string) => Assessment | Promise<Assessment>,
    ): Promise<Assessment> => {
      const real = await files.real(path).catch(() => null)
      if (real === null) return unresolved(path)
      judged.set(args, real)
      return await assess(real)
    },
    /** The real path now, when it is the judged one. Rejects with the system's error, or with `moved`. */
    confirm: async (args: object, path: string): Promise<string> => {
      const real = await files.real(path)
      if (judged.get(args) === real) return real
      throw Object.assign(new Error('the path led elsewhere when it was checked'), { code: 'moved' })
    },
  }
}
