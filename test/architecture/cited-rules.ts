/** Which rules there are, and which of them the titles of tests cite. */
import { filesBelow, type Node, nodesOf } from './sources.ts'

/** Rule ids with their state. */
export function rulesIn(markdown: string): Map<string, string> {
  const rules = new Map<string, string>()
  for (const line of markdown.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim())
    if (!line.startsWith('|') || cells.length < 5) continue
    const id = (cells[1] ?? '').replace(/[`*[\]]/g, '')
    if (id === '' || /^-+$/.test(id) || id.toLowerCase() === 'id') continue
    if (rules.has(id)) throw new Error(`docs/spec.md lists ${id} twice.`)
    rules.set(id, cells.at(-2) ?? '')
  }
  return rules
}

/** Ids at the head of a title: `[A-01] …`, `[A-01, A-02] …`, `[A-01][kernel 5] …`. */
export const idsIn = (title: string): string[] =>
  (/^(\[[^\]]+\]\s*)+/.exec(title)?.[0] ?? '')
    .split(/[\][,]/)
    .map((id) => id.trim())
    .filter((id) => id !== '')

/** `test`, `it` and `describe`, however they are chained: `test.each(…)(…)`, `test.skipIf(…)(…)`. */
function isTitled(callee: Node | undefined): boolean {
  if (callee === undefined) return false
  if (callee.type === 'Identifier') return ['test', 'it', 'describe'].includes(String(callee['name']))
  if (callee.type === 'MemberExpression') return isTitled(callee['object'] as Node)
  return callee.type === 'CallExpression' && isTitled(callee['callee'] as Node)
}

/** Every id that a title cites, with a file that does. */
export function cited(): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of filesBelow('test', ['.test.ts', '.test.tsx', '.e2e.ts']))
    for (const node of nodesOf(file)) {
      if (node.type !== 'CallExpression' || !isTitled(node['callee'] as Node)) continue
      const [first] = node['arguments'] as (Node | undefined)[]
      const quasi = (first?.['quasis'] as { value: { cooked: string } }[] | undefined)?.[0]?.value.cooked
      const title = typeof first?.['value'] === 'string' ? first['value'] : (quasi ?? '')
      for (const id of idsIn(title)) if (!id.includes('%') && !id.includes('$')) found.set(id, file)
    }
  return found
}
