/** The parts of one running home that the services share. Made once by `createHost`; holds no fact of its own. */
import type { EventPayload, EventType, Inflight, QueuedInput, Refusal } from '../../shared/contract/index.ts'
import type { AdmissionId, BackendId, ConversationId } from '../../shared/ids.ts'
import type { Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { Providers } from '../providers/index.ts'
import type { Store } from '../storage/index.ts'
import type { Config } from './config/config.ts'
import type { EventStream } from './events.ts'
import type { Home } from './home.ts'
import type { ShellPorts } from './ports.ts'
import type { Questions } from './questions.ts'
import type { TurnRunner } from './turn-runner.ts'
import type { UiState } from './ui-state.ts'

export interface Core {
  readonly home: Home
  readonly ports: ShellPorts
  readonly clock: Clock
  readonly store: Store
  readonly config: Config
  readonly uiState: UiState
  readonly providers: Providers
  readonly events: EventStream
  readonly questions: Questions
  readonly runner: TurnRunner
  readonly backend: BackendId
  readonly version: string
  /** Who submits here (session-db 3.1). */
  readonly principal: string
  /** Tag of conversations made here. */
  readonly source: 'desktop' | 'cli'
  readonly demoHome: boolean
  epoch(): number
  draining(): boolean
  refuseDraining(): Result<never, Refusal>
  defaultCwd(): string
  inflight(conversation: ConversationId): Inflight | null
  queue(conversation: ConversationId): QueuedInput[]
  emit<T extends EventType>(conversation: ConversationId, type: T, payload: EventPayload<T>): void
  rowChanged(conversation: ConversationId): void
  /** This process takes responsibility for an admission; matters to one-shot commands only (decisions 23). */
  accepted(admission: AdmissionId): void
}
