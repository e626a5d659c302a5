/**
 * May this call run? The order is the contract's (kernel 5, approvals): hardline floor, deny lines, bypass mode,
 * permanent allowlist, session allowance, then the person. It fails closed: whatever goes wrong here is a no.
 */
import type { ApprovalRecord } from '../../../shared/contract/index.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Assessment, Hit, ToolContext, ToolDefinition } from '../define-tool.ts'
import type { Allowances } from './allowances.ts'
import { type ApprovalPolicy, deniedBy, ruleCovers } from './policy.ts'
import { makeVisible } from './visible.ts'

export type GateVerdict =
  /** `approval` is null when nothing about the call needed anybody's word. */
  | { readonly kind: 'go'; readonly approval: ApprovalRecord | null }
  | { readonly kind: 'refused'; readonly approval: ApprovalRecord; readonly text: string }

export interface GateParts {
  readonly clock: Clock
  readonly policy: ApprovalPolicy
  readonly allowances: Allowances
  /** Takes secret values out of what a person is shown. */
  mask(text: string): string
}

/** Decides one call. Never throws. Asks through `context.ask`, and only when nothing else decided. */
export async function passGate(
  parts: GateParts,
  tool: ToolDefinition,
  args: unknown,
  context: ToolContext,
): Promise<GateVerdict> {
  if (tool.gate === undefined) return { kind: 'go', approval: null }
  try {
    return await decide(parts, tool, await tool.gate(args, context), context)
  } catch (error) {
    const reason = `The approval check failed (${error instanceof Error ? error.message : String(error)}), so the call was not let through.`
    return refuse(record(parts.clock, 'deny', 'rule', reason), `${reason} Nothing ran.`)
  }
}

async function decide(
  parts: GateParts,
  tool: ToolDefinition,
  assessment: Assessment,
  context: ToolContext,
): Promise<GateVerdict> {
  const { clock, policy, allowances } = parts
  if (assessment.forbidden !== null) {
    const { reason, rule } = assessment.forbidden
    return refuse(
      record(clock, 'deny', 'rule', reason),
      `Blocked: ${reason} (${rule}). No setting and no approval lets this run; nothing was executed. ${DO_NOT_REPHRASE}`,
    )
  }
  const denyLine = deniedBy(policy.deny(), tool.name, assessment.texts)
  if (denyLine !== null) {
    const reason = `the rule "${denyLine}" of approvals.deny forbids it`
    return refuse(record(clock, 'deny', 'rule', reason), `Blocked: ${reason}. Nothing was executed. ${DO_NOT_REPHRASE}`)
  }
  if (assessment.hits.length === 0) return { kind: 'go', approval: null }
  if (policy.mode() === 'off') {
    return { kind: 'go', approval: record(clock, 'once', 'bypass', reasonOf(assessment.hits)) }
  }
  const allowed = allowedBefore(parts, assessment.hits, context)
  if (allowed !== null) return { kind: 'go', approval: allowed }
  return await context.waitForPerson(() =>
    allowances.inTurn(context.conversation, async (): Promise<GateVerdict> => {
      // The answer to the question before this one may have settled it.
      const settled = allowedBefore(parts, assessment.hits, context)
      return settled !== null
        ? { kind: 'go', approval: settled }
        : await askPerson(parts, tool, assessment, context, uncovered(parts, assessment.hits, context))
    }),
  )
}

async function askPerson(
  { policy, allowances, mask }: GateParts,
  tool: ToolDefinition,
  assessment: Assessment,
  context: ToolContext,
  open: readonly Hit[],
): Promise<GateVerdict> {
  const only = open.length === 1 ? open[0] : undefined
  // Several patterns at once: one stored line would not cover the call the next time, so none is offered.
  const alwaysRule = only?.offer ?? null
  const answer = await context.ask({
    tool: tool.name,
    subject: makeVisible(mask(assessment.subject)),
    cwd: makeVisible(context.cwd),
    reason: makeVisible(reasonOf(open)),
    rule: open.map((hit) => hit.rule).join(' + '),
    alwaysRule,
  })
  switch (answer.choice) {
    case 'once':
      return { kind: 'go', approval: answer }
    case 'session':
      allowances.add(
        context.conversation,
        open.map((hit) => hit.thing),
      )
      return { kind: 'go', approval: answer }
    case 'always':
      return { kind: 'go', approval: await store(policy, alwaysRule, answer) }
    default:
      // Also an answer this build does not know.
      return refuse(answer, deniedText(answer))
  }
}

/** Keeps the rule for good. The person said yes to this call either way, so a disk that refuses is told, not a no. */
async function store(policy: ApprovalPolicy, rule: string | null, answer: ApprovalRecord): Promise<ApprovalRecord> {
  if (rule === null) return { ...answer, choice: 'once' }
  try {
    await policy.allowAlways(rule)
    return answer
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ...answer, choice: 'once', note: `Allowed once; the rule ${rule} could not be stored: ${why}` }
  }
}

const uncovered = ({ policy, allowances }: GateParts, hits: readonly Hit[], context: ToolContext): readonly Hit[] => {
  const lines = policy.allow()
  return hits.filter(
    (hit) => !allowances.covers(context.conversation, hit.thing) && !lines.some((line) => ruleCovers(line, hit.thing)),
  )
}

function allowedBefore(parts: GateParts, hits: readonly Hit[], context: ToolContext): ApprovalRecord | null {
  if (uncovered(parts, hits, context).length > 0) return null
  const lines = parts.policy.allow()
  const byRules = hits.every((hit) => lines.some((line) => ruleCovers(line, hit.thing)))
  return byRules
    ? record(parts.clock, 'always', 'rule', reasonOf(hits))
    : record(parts.clock, 'session', 'session', reasonOf(hits))
}

const DO_NOT_REPHRASE =
  'Do not try the same thing in other words or by another tool; say what you wanted to do and why, and go on without it.'

function deniedText(answer: ApprovalRecord): string {
  const note = answer.note === undefined || answer.note === '' ? '' : ` Their note: ${answer.note}`
  switch (answer.by) {
    case 'expiry':
      return `Not run: nobody answered the approval question in time, which counts as no. ${DO_NOT_REPHRASE}`
    case 'interrupt':
      return 'Not run: the turn was stopped while the approval question was open.'
    case 'unattended':
      return `Not run: this needs a person's approval and nobody is attached here, so it was denied. ${DO_NOT_REPHRASE}`
    default:
      return `Not run: the person denied it.${note} ${DO_NOT_REPHRASE}`
  }
}

const reasonOf = (hits: readonly Hit[]): string => [...new Set(hits.map((hit) => hit.reason))].join('; ')

const record = (
  clock: Clock,
  choice: ApprovalRecord['choice'],
  by: ApprovalRecord['by'],
  reason: string,
): ApprovalRecord => ({ choice, by, at: clock.now(), reason })

const refuse = (approval: ApprovalRecord, text: string): GateVerdict => ({ kind: 'refused', approval, text })
