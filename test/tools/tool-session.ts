/** A conversation with tools, as the kernel uses them: prepare, record, run. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type {
  ApprovalQuestion,
  Prepared,
  Recorded,
  RecordedRound,
  ToolOutcome,
  ToolRunContext,
  ToolsPort,
} from '../../src/main/kernel/ports.ts'
import type { ApprovalPolicy } from '../../src/main/tools/approvals/policy.ts'
import { defineTool, type ToolDefinition } from '../../src/main/tools/define-tool.ts'
import { createTools, type ToolsOptions } from '../../src/main/tools/index.ts'
import type { ApprovalRecord } from '../../src/shared/contract/index.ts'
import type { ConversationId, SessionId } from '../../src/shared/ids.ts'
import { z } from '../../src/shared/schema.ts'
import { type FakeClock, fakeClock } from '../support/fake-clock.ts'

export type Answer = Partial<ApprovalRecord> & Pick<ApprovalRecord, 'choice'>

export interface ToolSession {
  readonly clock: FakeClock
  readonly port: ToolsPort
  readonly cwd: string
  readonly home: string
  readonly userHome: string
  readonly questions: ApprovalQuestion[]
  readonly progress: { stream: string; text: string }[]
  readonly stored: string[]
  readonly stop: AbortController
  prepare(name: string, args: unknown): Prepared
  run(name: string, args: unknown, options?: RunOptions): Promise<ToolOutcome>
}
export interface RunOptions {
  readonly conversation?: string
  readonly cwd?: string
  readonly toolId?: string
  readonly signal?: AbortSignal
}

export interface SessionOptions extends Partial<Omit<ToolsOptions, 'clock' | 'policy' | 'home'>> {
  readonly policy?: Partial<ApprovalPolicy>
  readonly contextTokens?: number
  /** Answers in order; the last one is repeated. Left out: nobody is attached. */
  readonly answers?: readonly Answer[]
  ask?(question: ApprovalQuestion, clock: FakeClock): Promise<ApprovalRecord>
}

export const aFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'herma-tools-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function aToolSession(options: SessionOptions = {}): ToolSession {
  const clock = fakeClock()
  const userHome = aFolder()
  const home = join(userHome, '.herma')
  const cwd = aFolder()
  const questions: ApprovalQuestion[] = []
  const progress: ToolSession['progress'] = []
  const stored: string[] = []
  const stop = new AbortController()
  const policy: ApprovalPolicy = {
    mode: () => 'manual',
    deny: () => [],
    allow: () => stored,
    allowAlways: async (rule) => {
      stored.push(rule)
    },
    ...options.policy,
  }
  const tools = createTools({
    ...options,
    clock,
    policy,
    home,
    env: { PATH: process.env['PATH'], HOME: userHome, TMPDIR: join(userHome, 'tmp'), ...options.env },
  })
  const port = tools.session('c1' as ConversationId, options.contextTokens ?? 128_000)
  const answers = [...(options.answers ?? [{ choice: 'deny', by: 'unattended' } as const])]
  const record = (answer: Answer, question: ApprovalQuestion): ApprovalRecord => ({
    by: 'person',
    at: clock.now(),
    reason: question.reason,
    ...answer,
  })
  let calls = 0

  const session: ToolSession = {
    clock,
    port,
    cwd,
    home,
    userHome,
    questions,
    progress,
    stored,
    stop,
    prepare: (name, args) => port.prepare({ id: 'call_1', name, arguments: JSON.stringify(args) }),
    run: async (name, args, run = {}) => {
      const prepared = session.prepare(name, args)
      if (prepared.kind === 'answered') return prepared.outcome
      const context: ToolRunContext = {
        conversation: (run.conversation ?? 'c1') as ConversationId,
        session: 's1' as SessionId,
        toolId: run.toolId ?? `m1:${calls++}`,
        cwd: run.cwd ?? cwd,
        signal: run.signal ?? stop.signal,
        progress: (stream, text) => progress.push({ stream, text }),
        ask: async (question) => {
          questions.push(question)
          if (options.ask !== undefined) return await options.ask(question, clock)
          const answer = answers.length > 1 ? answers.shift() : answers[0]
          return record(answer as Answer, question)
        },
      }
      return await port.run(aRound(name, prepared.args), 0, context)
    },
  }
  return session
}

/** A round as the ledger would hand it back: only the call matters here. */
const aRound = (name: string, args: unknown): Recorded<RecordedRound> =>
  ({
    row: {},
    answered: [],
    plan: { answer: {}, calls: [{ kind: 'run', index: 0, call: { id: 'call_1', name, arguments: '{}' }, args }] },
  }) as unknown as Recorded<RecordedRound>

/** A tool for tests that does what it is told; it asks when told to. */
export function aTool(
  parts: Partial<ToolDefinition> & { run: ToolDefinition['run'] },
  questions: readonly string[] = [],
): ToolDefinition {
  return defineTool({
    name: 'probe',
    toolset: 'test',
    description: 'A tool for tests.',
    schema: z.looseObject({}),
    effect: 'exec',
    parallel: 'barrier',
    summarize: () => 'probe',
    ...(questions.length === 0
      ? {}
      : {
          gate: async () => ({
            subject: 'probe it',
            texts: ['probe it'],
            forbidden: null,
            hits: questions.map((rule) => ({ rule, reason: rule, thing: `probe:${rule}`, offer: `probe:${rule}` })),
          }),
        }),
    ...parts,
  })
}
