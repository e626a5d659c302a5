/**
 * Every configuration key in one table (cli.md 4): its shape, its default, what it does. `config get`, the RPC methods
 * and the settings screen all read this table; adding a key is adding a line.
 */
import { type Json, z } from '../../../shared/schema.ts'

interface KeySpec {
  readonly shape: z.ZodType
  readonly fallback: Json
  readonly about: string
}

const key = <S extends z.ZodType>(shape: S, fallback: Json, about: string): KeySpec & { readonly shape: S } => ({
  shape,
  fallback,
  about,
})
const text = z.string()
const count = z.number().int().nonnegative()
const fraction = z.number().min(0).max(1)
const lines = z.array(z.string())

export const CONFIG_KEYS = {
  'model.provider': key(text.min(1), 'demo', 'Which provider answers. `demo` is scripted and needs nothing.'),
  'model.default': key(text, '', 'Model name; empty = the provider’s first.'),
  'model.base_url': key(text, '', 'Address of the provider’s API; empty = the provider’s own.'),
  'model.context_length': key(count, 0, 'Window in tokens; 0 = from the model table.'),
  'model.api_mode': key(z.enum(['chat_completions']), 'chat_completions', 'How the provider is spoken to.'),
  fallback_providers: key(
    z.array(z.object({ provider: text, model: text, base_url: text.optional() })),
    [],
    'Who answers when the provider cannot.',
  ),
  'credential_pool.strategy': key(
    z.enum(['fill_first', 'round_robin', 'random', 'least_used']),
    'fill_first',
    'Which key is used next.',
  ),
  'agent.max_turns': key(z.number().int().positive(), 500, 'Model calls in one turn at most.'),
  'agent.api_max_retries': key(z.number().int().min(1).max(10), 3, 'Attempts of one model call.'),
  'agent.cwd': key(text, '', 'Folder for new chats; empty = the home’s workspace folder.'),
  'approvals.mode': key(
    z.enum(['manual', 'off']),
    'manual',
    '`off` runs dangerous commands without asking; the hard floor and deny rules stay.',
  ),
  'approvals.timeout_seconds': key(z.number().int().positive(), 300, 'Silence after a question means no.'),
  'approvals.deny': key(lines, [], 'Commands that never run, as glob patterns.'),
  'approvals.allow': key(lines, [], 'Rules you allowed for always.'),
  'compression.enabled': key(z.boolean(), true, 'Summarise the oldest part when a conversation nears the window.'),
  'compression.mode': key(z.enum(['rotate', 'in_place']), 'rotate', 'Whether a summary opens a new segment.'),
  'compression.threshold': key(fraction, 0.5, 'Share of the window at which it begins.'),
  'compression.protect_first_n': key(count, 3, 'First messages kept word for word.'),
  'compression.protect_last_n': key(count, 20, 'Last messages kept word for word.'),
  'compression.summary_target_ratio': key(z.number().min(0.1).max(0.8), 0.2, 'Size of the summary.'),
  'compression.max_attempts': key(z.number().int().min(1).max(10), 3, 'Passes in one turn.'),
  'tools.tool_search.defer': key(
    lines,
    ['computer_use', 'session_search', 'image_generate', 'todo_list', 'process_manage', 'cronjob_manage'],
    'Tools that are found by search instead of being listed.',
  ),
  'tools.tool_search.eager_interactive': key(
    lines,
    ['todo_list'],
    'Deferred tools that interactive surfaces list anyway.',
  ),
  'terminal.timeout_seconds': key(z.number().int().positive().max(600), 180, 'Time limit of one command.'),
  'kanban.dispatch_in_gateway': key(z.boolean(), true, 'Start workers for ready cards.'),
  'ui.theme': key(z.enum(['system', 'light', 'dark', 'high-contrast']), 'system', 'Colours.'),
  'ui.density': key(z.enum(['regular', 'compact']), 'regular', 'Row heights.'),
  'ui.reasoning': key(z.enum(['collapsed', 'open']), 'collapsed', 'How reasoning is shown at first.'),
  'ui.tools.reads': key(z.enum(['collapsed', 'running', 'open']), 'collapsed', 'When read calls are open.'),
  'ui.tools.commands': key(z.enum(['collapsed', 'running', 'open']), 'running', 'When command calls are open.'),
  'ui.tools.edits': key(z.enum(['collapsed', 'running', 'open']), 'collapsed', 'When edit calls are open.'),
  'ui.spell_check': key(z.boolean(), true, 'Spell checking in the composer.'),
} as const satisfies Record<string, KeySpec>

export type ConfigKey = keyof typeof CONFIG_KEYS
export type ConfigValue<K extends ConfigKey> = z.output<(typeof CONFIG_KEYS)[K]['shape']>
export const CONFIG_KEY_NAMES = Object.keys(CONFIG_KEYS) as readonly ConfigKey[]
export const isConfigKey = (name: string): name is ConfigKey => Object.hasOwn(CONFIG_KEYS, name)
