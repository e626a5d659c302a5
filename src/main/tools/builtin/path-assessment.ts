import type { Assessment, Hit } from '../define-tool.ts'
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
