/** What handlers need from the host; `host` fills it. Types only, so that rpc imports nothing it must not. */
import type {
  ApprovalChoice,
  ConfigEntry,
  ConversationRow,
  DisplayPage,
  OpenRequest,
  QueuedInput,
  Refusal,
  ResultOf,
  RowCursor,
  SessionSnapshot,
} from '../../shared/contract/index.ts'
import type { AdmissionId, ConversationId, MessageUid, RequestId, TurnId } from '../../shared/ids.ts'
import type { Result } from '../../shared/result.ts'
import type { Json } from '../../shared/schema.ts'

type Answer<T> = Result<T, Refusal>

export interface ConversationServices {
  create(wanted: {
    request: RequestId
    title?: string | undefined
    cwd?: string | undefined
  }): Promise<Answer<ConversationId>>
  list(wanted: {
    limit: number
    cursor?: string | undefined
    search?: string | undefined
    source?: string | undefined
    archived: boolean
  }): Promise<Answer<{ rows: ConversationRow[]; next_cursor: string | null; total: number }>>
  row(id: ConversationId): Promise<Answer<ConversationRow>>
  snapshot(id: ConversationId, limit: number): Promise<Answer<SessionSnapshot>>
  page(
    id: ConversationId,
    wanted: { limit: number; before?: RowCursor | undefined; after?: RowCursor | undefined },
  ): Promise<Answer<DisplayPage>>
  message(
    id: ConversationId,
    wanted: { uid: MessageUid; part: 'text' | 'reasoning' | 'arguments'; callIndex: number; offset: number },
  ): Promise<Answer<ResultOf<'session.message'>>>
  setTitle(id: ConversationId, title: string, expected: number): Promise<Answer<ConversationRow>>
  eventsSince(id: ConversationId, lastSeen: number, epoch: string): Promise<Answer<ResultOf<'events.since'>>>
}

export interface TurnServices {
  submit(input: {
    conversation: ConversationId
    request: RequestId
    text: string
    intent: 'queue' | 'steer' | 'redirect'
  }): Promise<Answer<ResultOf<'prompt.submit'>>>
  interrupt(conversation: ConversationId, turn: TurnId | undefined): boolean
  queue(conversation: ConversationId): QueuedInput[]
  cancel(admission: AdmissionId): Promise<Answer<string>>
  resolve(admission: AdmissionId, decision: 'continue' | 'stop'): Promise<Answer<ResultOf<'queue.resolve'>>>
  openRequests(): OpenRequest[]
  answer(id: string, choice: ApprovalChoice, note: string | undefined): Answer<{ choice: ApprovalChoice }>
}

export interface SettingsServices {
  config(keys: readonly string[] | undefined): Answer<{ revision: number; entries: ConfigEntry[]; notices: string[] }>
  setConfig(key: string, value: Json, base: number): Answer<{ revision: number; entry: ConfigEntry }>
  modelOptions(): Promise<ResultOf<'model.options'>>
  setModel(wanted: { provider: string; model: string; baseUrl: string | undefined }): Answer<{ revision: number }>
  testModel(wanted: { provider: string; baseUrl: string | undefined }): Promise<Answer<ResultOf<'model.test'>>>
  detectLocal(): Promise<ResultOf<'model.detect_local'>>
  addCredential(
    provider: string,
    key: string,
    keep: 'stored' | 'until_quit',
  ): Promise<Answer<ResultOf<'credentials.add'>>>
  removeCredential(provider: string): Promise<Answer<{ removed: boolean }>>
  useEnvironmentKey(provider: string): Promise<Answer<{ last_four: string }>>
  uiState(keys: readonly string[]): Promise<Record<string, Json>>
  setUiState(key: string, value: Json | null): Promise<Answer<{ stored: boolean }>>
  health(): ResultOf<'health.get'>
}

export interface Services {
  readonly conversations: ConversationServices
  readonly turns: TurnServices
  readonly settings: SettingsServices
}
