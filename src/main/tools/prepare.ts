import { previewOf } from '../../shared/text.ts'
import type { Clock } from '../../shared/time.ts'
import type { Prepared, ToolCall } from '../kernel/ports.ts'
import { makeVisible } from './approvals/visible.ts'
import type { Catalog } from './catalog.ts'
import { answeredOutcome } from './outcome.ts'
import { coerce, readArguments } from './read-arguments.ts'

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

/**
 * Parses and checks one call. Pure, decides nothing about permission, and never throws: whatever the model wrote,
 * the answer is either a value the tool takes or a text that tells the model what is wrong.
 */
export function prepare(catalog: Catalog, clock: Clock, call: ToolCall): Prepared {
  const answer = (why: (Prepared & { kind: 'answered' })['why'], content: string): Prepared => ({
    kind: 'answered',
    why,
    outcome: answeredOutcome(clock, content, why.replaceAll('_', ' ')),
  })
  const tool = catalog.find(call.name)
  if (tool === undefined) {
    const name = previewOf(makeVisible(call.name), 64)
    if (name === '') return answer('unknown_tool', 'The call names no tool.')
    return answer('unknown_tool', `There is no tool "${name}". Tools here: ${catalog.names.join(', ')}.`)
  }

  const read = readArguments(call.arguments)
  if (read.kind === 'truncated') {
    return answer(
      'truncated_arguments',
      `The arguments of ${tool.definition.name} were cut off before their end, so nothing ran. Send the call again, in smaller parts if it is long.`,
    )
  }
  if (read.kind === 'unreadable') return answer('bad_arguments', `Nothing ran: ${read.problem}.`)

  const parsed = tool.definition.schema.safeParse(coerce(read.value, tool.parameters))
  if (parsed.success) return { kind: 'run', args: parsed.data }
  const known = Object.keys((tool.parameters['properties'] ?? {}) as object).join(', ')
  return answer(
    'bad_arguments',
    `Nothing ran: the arguments do not fit ${tool.definition.name}. ${problems(parsed.error.issues)}. It takes: ${known}.`,
  )
}

/** The first few problems, each with its field. */
const problems = (issues: readonly Issue[]): string =>
  issues
    .slice(0, 6)
    .map(({ path, message }) => `${path.length > 0 ? `${makeVisible(path.map(String).join('.'))}: ` : ''}${message}`)
    .map((line) => previewOf(makeVisible(line), 200))
    .join('; ')
