/** The bottom 24 px (U-25): the core, the profile, what runs; on the right what the chat in front has used, and the model. */
import type { ReactNode } from 'react'
import type { ConversationRow, ResultOf } from '../../../shared/contract/index.ts'
import { useConnection, useInfo } from '../client/client-context.tsx'
import { useHealth, useModelOptions } from '../client/queries.ts'
import { useConversationRow } from '../features/sessions/use-session-list.ts'
import { cost, count, shortCount, UNKNOWN } from '../ui/figures.ts'
import { Mark } from '../ui/state-mark.tsx'
import { runCommand } from './commands.ts'
import { modelWords } from './model-words.ts'
import { useNavigation, useView } from './navigation.ts'

type CoreState = ResultOf<'health.get'>['state'] | 'checking' | 'disconnected'

const looks = {
  starting: { shape: 'ring', colour: 'warning' },
  ready: { shape: 'dot', colour: 'success' },
  degraded: { shape: 'triangle', colour: 'warning' },
  stopped: { shape: 'square', colour: 'danger' },
  checking: { shape: 'ring', colour: 'line-strong' },
  disconnected: { shape: 'square', colour: 'danger' },
} as const satisfies Record<CoreState, { shape: string; colour: string }>

/** Every item says what it shows in words and opens its detail. */
export function StatusBar(): ReactNode {
  const { profile } = useInfo()
  const connection = useConnection()
  const health = useHealth().data
  const view = useView()
  const go = useNavigation((state) => state.go)
  const row = useConversationRow(view.kind === 'chat' ? view.conversation : null).data
  const state: CoreState = connection.state !== 'up' ? 'disconnected' : (health?.state ?? 'checking')
  const running = health?.running_turns ?? null
  const waiting = health?.waiting.length ?? 0
  return (
    <footer className="status-bar" data-testid="status-bar">
      <button
        type="button"
        className="status-item"
        data-testid="core-state"
        title={health?.reason ?? 'The core of Herma on this machine'}
        onClick={() => go({ kind: 'settings', page: 'about' })}
      >
        <Mark {...looks[state]} />
        {state}
      </button>
      <button type="button" className="status-item" onClick={() => go({ kind: 'settings', page: 'configuration' })}>
        {profile}
      </button>
      <button
        type="button"
        className="status-item"
        data-testid="running-turns"
        onClick={() => runCommand('go.chats')}
        title="Turns that run now, and inputs that wait for one"
      >
        {running === null
          ? UNKNOWN
          : running === 0
            ? 'no turns running'
            : `${running} ${running === 1 ? 'turn' : 'turns'} running`}
        {waiting === 0 ? null : `, ${waiting} waiting`}
      </button>
      <span className="flex-1" />
      {row === undefined ? null : <Spent row={row} />}
      <ModelItem row={row} onOpen={() => go({ kind: 'settings', page: 'models' })} />
    </footer>
  )
}

/** Tokens and cost of the conversation in front. Unknown stays a dash. */
function Spent({ row }: { readonly row: ConversationRow }): ReactNode {
  const price = row.cost_micros === null ? 'cost unknown' : `${cost(row.cost_micros)} est.`
  return (
    <span
      className="status-item max-narrow:hidden"
      data-testid="session-usage"
      title={`${count(row.input_tokens)} tokens in, ${count(row.output_tokens)} out, ${price}`}
    >
      <span>
        {shortCount(row.input_tokens)} in · {shortCount(row.output_tokens)} out
      </span>
      <span>
        <span className="unseen">cost </span>
        {row.cost_micros === null ? UNKNOWN : `${cost(row.cost_micros)} est.`}
      </span>
    </span>
  )
}

function ModelItem({
  row,
  onOpen,
}: {
  readonly row: ConversationRow | undefined
  readonly onOpen: () => void
}): ReactNode {
  const options = useModelOptions().data
  const provider = row?.provider ?? options?.provider
  const model = row?.model ?? options?.model
  return (
    <button
      type="button"
      className="status-item min-w-0"
      data-testid="model-item"
      onClick={onOpen}
      title="Model and provider"
    >
      <span className="truncate">
        {provider === undefined || model === undefined ? UNKNOWN : modelWords(provider, model)}
      </span>
    </button>
  )
}
