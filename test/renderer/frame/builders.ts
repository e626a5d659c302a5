/** Facts by their domain names, whole and valid; a test changes what it is about. */
import type {
  ConfigEntry,
  ConversationRow,
  DisplayRow,
  ProviderInfo,
  QueuedInput,
  ResultOf,
} from '../../../src/shared/contract/index.ts'
import { PROTOCOL } from '../../../src/shared/contract/index.ts'
import type { ConversationId } from '../../../src/shared/ids.ts'

export const conversation = (name: string): ConversationId => name as ConversationId

/** A conversation in the list. */
export const aRow = (change: Partial<ConversationRow> = {}): ConversationRow => ({
  conversation_id: conversation('c1'),
  session_id: 'c1' as never,
  title: null,
  preview: '',
  source: 'desktop',
  model: null,
  provider: null,
  cwd: '/home/ada/shop',
  messages: 2,
  segments: 1,
  input_tokens: 0,
  output_tokens: 0,
  cost_micros: null,
  started_at: 1_700_000_000_000,
  last_activity_at: 1_700_000_000_000,
  pinned: false,
  archived: false,
  unread: false,
  state: 'idle',
  revision: 1,
  ...change,
})

/** `count` conversations, newest first. */
export const manyRows = (count: number, newest = 1_700_000_000_000): ConversationRow[] =>
  Array.from({ length: count }, (_, index) =>
    aRow({
      conversation_id: conversation(`c${index}`),
      session_id: `c${index}` as never,
      title: `Conversation ${index}`,
      last_activity_at: newest - index * 60_000,
    }),
  )

export const aHealth = (change: Partial<ResultOf<'health.get'>> = {}): ResultOf<'health.get'> => ({
  state: 'ready',
  reason: null,
  epoch: 'epoch-1',
  protocol: PROTOCOL,
  version: '0.1.0',
  demo_home: false,
  running_turns: 0,
  waiting: [],
  key_storage: { kind: 'memory', secure: false, detail: 'There is no secret store in this session.' },
  ...change,
})

export const aProvider = (change: Partial<ProviderInfo> = {}): ProviderInfo => ({
  name: 'openai',
  display_name: 'OpenAI',
  description: 'The models of OpenAI',
  signup_url: 'https://platform.openai.com/api-keys',
  base_url: 'https://api.openai.com/v1',
  needs_key: true,
  key: { state: 'not_set', last_four: null, set_at: null, storage: null },
  models: ['gpt-5', 'gpt-5-mini'],
  ...change,
})

export const someProviders = (): ProviderInfo[] => [
  aProvider({
    name: 'demo',
    display_name: 'Demo',
    description: 'Scripted answers, no model',
    signup_url: null,
    needs_key: false,
    models: ['demo'],
  }),
  aProvider(),
  aProvider({
    name: 'openrouter',
    display_name: 'OpenRouter',
    description: 'Many models behind one key',
    signup_url: 'https://openrouter.ai/keys',
    models: ['auto'],
    key: { state: 'found_in_environment', last_four: '9f2c', set_at: null, storage: 'environment' },
  }),
  aProvider({
    name: 'custom',
    display_name: 'Custom endpoint',
    description: 'Anything that speaks chat completions',
    signup_url: null,
    needs_key: false,
    models: [],
  }),
]

export const aConfiguration = (): ResultOf<'config.get'> => ({
  revision: 1,
  notices: [],
  entries: [
    { key: 'model.provider', value: 'demo', source: 'default' },
    { key: 'model.model', value: 'demo', source: 'default' },
    { key: 'approvals.mode', value: 'ask', source: 'file' },
    { key: 'terminal.timeout_s', value: 180, source: 'default' },
    { key: 'compression.threshold', value: 0.75, source: 'environment' },
  ] satisfies ConfigEntry[],
})

export const aQueuedInput = (change: Partial<QueuedInput> = {}): QueuedInput => ({
  admission_id: 'adm-1' as never,
  intent: 'queue',
  text: 'and then run the tests',
  position: 1,
  status: 'queued',
  needs_user: false,
  submitted_at: 1_700_000_000_000,
  ...change,
})

/** A row of the transcript. */
export const aMessage = (change: Partial<DisplayRow> = {}): DisplayRow => ({
  uid: 'm1' as never,
  session_id: 'c1' as never,
  segment_no: 0,
  pos: 1,
  generation: 1,
  role: 'user',
  text: 'Fix the price rounding and tell me what you changed.',
  text_size: 53,
  reasoning: null,
  calls: [],
  result: null,
  kind: 'normal',
  finish_reason: null,
  model: null,
  ending: null,
  created_at: 1_700_000_000_000,
  ...change,
})
