/**
 * The tools behind the kernel's `ToolsPort`.
 *
 *     const tools = createTools({ clock, home, env, policy })       // once per profile
 *     const port = tools.session(conversation, contextTokens)       // once per turn, frozen from then on
 *
 * What stays between turns is kept per conversation: what a person allowed for it, and which files it has seen. Both
 * live in memory; `forget(conversation)` drops them.
 *
 * A call goes prepare (parse, check) → [the kernel records the round] → run: gate (`approvals/gate.ts`), time limit
 * (`time-limit.ts`), handler (`builtin/`), result limit (`result-limit.ts`). A new tool is one file in `builtin/` and
 * its line in `builtin/index.ts`.
 */
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import type { ConversationId } from '../../shared/ids.ts'
import { InvariantError } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { ToolsPort } from '../kernel/ports.ts'
import { type Allowances, createAllowances } from './approvals/allowances.ts'
import { commandAssessor } from './approvals/assess-command.ts'
import type { ApprovalPolicy } from './approvals/policy.ts'
import { machineWorld, realSync } from './approvals/world.ts'
import { builtinTools } from './builtin/index.ts'
import { buildCatalog, type Catalog } from './catalog.ts'
import type { ToolDefinition } from './define-tool.ts'
import type { Files } from './files/files.ts'
import type { Places } from './files/guarded-paths.ts'
import { nodeFiles } from './files/node-files.ts'
import { createSeenFiles } from './files/seen-files.ts'
import { prepare } from './prepare.ts'
import type { Commands } from './process/commands.ts'
import { nodeCommands } from './process/node-commands.ts'
import { secretMask } from './process/secrets.ts'
import { findShell } from './process/shell.ts'
import { type ResultStore, resultFiles, resultLimit } from './result-limit.ts'
import { runTool } from './run.ts'

export type { ApprovalPolicy } from './approvals/policy.ts'

export interface ToolsOptions {
  readonly clock: Clock
  readonly policy: ApprovalPolicy
  /** Absolute path of the profile's home. */
  readonly home: string
  /** Environment that commands inherit, secrets left out. */
  readonly env: Readonly<Record<string, string | undefined>>
  log?(level: 'warn', message: string, facts?: Record<string, unknown>): void
  /** Sets to offer; all when left out. */
  readonly toolsets?: readonly string[]
  /** Operations to put in place of the machine's own, and tools beside the built-in ones. */
  readonly files?: Files
  readonly commands?: Commands
  readonly results?: ResultStore
  readonly extra?: readonly ToolDefinition[]
}

export interface Tools {
  /**
   * The tools of one conversation for one turn.
   * @param contextTokens of the model, for the result limit; null = unknown, the smallest limit then
   */
  session(conversation: ConversationId, contextTokens: number | null): ToolsPort
  /** Whether the tool only reads. A name nobody knows may have done anything. */
  isReadOnly(name: string): boolean
  /** Drops what is remembered of a conversation. */
  forget(conversation: ConversationId): void
}

/** Builds the tools of a profile. Touches no disk. */
export function createTools(options: ToolsOptions): Tools {
  const { clock, policy, env } = options
  const files = options.files ?? nodeFiles
  const places = placesOf(options.home, env)
  const seen = createSeenFiles()
  const allowances = createAllowances()
  const secrets = secretMask(env)
  const temporary = [...new Set([env['TMPDIR'] ?? tmpdir(), '/tmp', '/var/tmp'])]
  const variables = new Map(
    [
      ['HOME', places.userHome],
      ['TMPDIR', env['TMPDIR'] ?? ''],
    ].filter((pair): pair is [string, string] => pair[1] !== ''),
  )
  const assess = commandAssessor((workspace) => machineWorld(places, workspace, temporary), variables)
  const commands = options.commands ?? nodeCommands(findShell(env))
  const builtin = builtinTools({ files, seen, places, commands, assess, secrets, env })
  const catalog = buildCatalog([...builtin, ...(options.extra ?? [])], options.toolsets)
  for (const notice of catalog.notices) options.log?.('warn', notice)
  const store = options.results ?? resultFiles(options.home)
  const parts = { clock, policy, allowances, store, mask: secrets.mask }
  return {
    session: (_conversation, contextTokens) =>
      sessionPort(catalog, { ...parts, resultLimit: resultLimit(contextTokens ?? 0) }),
    isReadOnly: (name) => isReadOnly(catalog, name),
    forget: (conversation) => {
      allowances.forget(conversation)
      seen.forget(conversation)
    },
  }
}

function sessionPort(
  catalog: Catalog,
  parts: Parameters<typeof runTool>[0] & { readonly allowances: Allowances },
): ToolsPort {
  return {
    definitions: catalog.definitions,
    prepare: (call) => prepare(catalog, parts.clock, call),
    isParallel: (name) => catalog.find(name)?.definition.parallel === 'safe',
    isReadOnly: (name) => isReadOnly(catalog, name),
    run: async (round, index, context) => {
      const planned = round.plan.calls.find((call) => call.index === index)
      const tool = planned === undefined ? undefined : catalog.find(planned.call.name)
      if (planned?.kind !== 'run' || tool === undefined) {
        throw new InvariantError('tool-run', `call ${index} of the round was not prepared to run`)
      }
      return await runTool(parts, tool.definition, planned.args, context)
    },
  }
}

const isReadOnly = (catalog: Catalog, name: string): boolean => catalog.find(name)?.definition.effect === 'read'

/** `<root>/profiles/<id>` and the root itself are homes of one Herma. */
function placesOf(home: string, env: ToolsOptions['env']): Places {
  const path = resolve(home)
  const root = basename(dirname(path)) === 'profiles' ? dirname(dirname(path)) : path
  return {
    userHome: realSync(resolve(env['HOME'] ?? env['USERPROFILE'] ?? homedir())),
    hermaRoot: realSync(root),
    foldCase: process.platform === 'darwin' || process.platform === 'win32',
  }
}
