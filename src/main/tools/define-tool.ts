/**
 * What a tool is. A tool is a factory over a handful of operations (a file system, a way to run commands), so that it
 * can be pointed elsewhere; the definition it returns is data plus two functions, `gate` and `run`.
 */
import type { ConversationId } from '../../shared/ids.ts'
import type { ZodType } from '../../shared/schema.ts'
import type { Clock } from '../../shared/time.ts'
import type { ApprovalQuestion, ToolRunContext, WireTool } from '../kernel/ports.ts'
import { parametersOf } from './wire-schema.ts'

/** What a call of the tool may do to the world. */
export type ToolEffect = 'read' | 'write' | 'exec' | 'ask'
/** `safe`: beside any other safe call; `path`: beside calls on other paths; `barrier`: alone. */
export type ToolParallel = 'safe' | 'path' | 'barrier'

/** One thing about a call that a person has to know before it runs. */
export interface Hit {
  /** Key of the pattern that stopped the call. */
  readonly rule: string
  /** Why, in words. */
  readonly reason: string
  /** What an allowance must cover: `terminal:<pattern key>` or `write_file:<real path>`. */
  readonly thing: string
  /** The line *Always allow* would store; null = a permanent permission makes no sense here. */
  readonly offer: string | null
}

/** What a tool knows about one call before it runs. It decides nothing; the gate does (kernel 5, approvals). */
export interface Assessment {
  /** The complete command or arguments, as it would run. */
  readonly subject: string
  /** Texts that the user's deny globs are matched against. */
  readonly texts: readonly string[]
  /** Set when no mode and no person can let it through. */
  readonly forbidden: { readonly rule: string; readonly reason: string } | null
  readonly hits: readonly Hit[]
}

export interface ToolContext {
  readonly conversation: ConversationId
  readonly toolId: string
  readonly cwd: string
  readonly clock: Clock
  /** Aborts on interrupt and on time-out. A handler that has not touched the world yet must stop here. */
  readonly signal: AbortSignal
  progress: ToolRunContext['progress']
  /** Asks a person; the time limit stands still meanwhile. Never rejects. */
  ask(question: ApprovalQuestion): ReturnType<ToolRunContext['ask']>
  /** Runs work during which a person is waited for, directly or behind another question: no time limit counts. */
  waitForPerson<T>(work: () => Promise<T>): Promise<T>
}

/** What a handler returns. A failure that the model can act on is a value with `failed`, not an exception. */
export interface ToolResult {
  /** What the model reads. */
  readonly content: string
  readonly failed?: boolean
  /** Only when it differs from what the tool's effect says: `none` for reads, `done` for the rest. */
  readonly effect?: 'none' | 'done' | 'unknown' | 'not_executed'
  readonly exitCode?: number | null
  readonly cwd?: string
  readonly files?: readonly string[]
  /** Readable form of the whole result when `content` is not made for reading; kept when the result is too large. */
  readonly full?: string
}

export interface ToolDefinition<Args = unknown> {
  readonly name: string
  readonly toolset: string
  readonly description: string
  readonly schema: ZodType<Args>
  readonly effect: ToolEffect
  readonly parallel: ToolParallel
  /** Time limit of a call; 420 s when left out (kernel 5). */
  timeLimitMs?(args: Args): number
  /** How long an interrupted handler may take to clean up before its result is written without it. */
  readonly windDownMs?: number
  /** The tool's own result limit in UTF-16 units; `Infinity` = never cut nor spilled. */
  readonly maxResultChars?: number
  /** Facts for the approval gate. A tool without it is never stopped. An exception denies the call. */
  gate?(args: Args, context: ToolContext): Promise<Assessment>
  /** One line for the person: what the call is about. Pure, never throws. */
  summarize(args: Args): string
  /** May throw: the world failing becomes a failed outcome. */
  run(args: Args, context: ToolContext): Promise<ToolResult>
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/

/** Checks and freezes a definition. Throws on a name that providers would refuse: that is a fault of ours. */
export function defineTool<Args>(definition: ToolDefinition<Args>): ToolDefinition {
  if (!NAME.test(definition.name)) throw new TypeError(`tool name ${JSON.stringify(definition.name)} is not usable`)
  return Object.freeze({ ...definition }) as ToolDefinition
}

/** The tool as a provider sees it. The same definition gives the same bytes in every process. */
export const wireTool = (definition: ToolDefinition): WireTool => ({
  type: 'function',
  function: {
    name: definition.name,
    description: definition.description,
    parameters: parametersOf(definition.schema),
  },
})
