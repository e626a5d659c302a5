/**
 * Questions to a person (kernel 8.3): a pending list plus an event. Any window may answer, the first valid answer wins,
 * silence until the deadline is a no. Everything that is not an explicit yes comes back as `deny`, with the way it
 * happened (K7): fail closed.
 */
import type { ApprovalChoice, ApprovalRecord, OpenRequest } from '../../shared/contract/index.ts'
import { type Refusal, refusal } from '../../shared/contract/index.ts'
import type { ConversationId, SessionId, TurnId } from '../../shared/ids.ts'
import { ulid } from '../../shared/ids.ts'
import { ok, type Result, refused } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { ApprovalQuestion } from '../kernel/ports.ts'
import type { EventStream } from './events.ts'

export interface Asking {
  readonly conversation: ConversationId
  readonly session: SessionId
  readonly turn: TurnId
  readonly toolId: string
  readonly question: ApprovalQuestion
  readonly signal: AbortSignal
}

interface Pending {
  readonly request: OpenRequest
  readonly owner: { conversation: ConversationId; session: SessionId; turn: TurnId }
  settle(record: ApprovalRecord, reason: 'answered' | 'expired' | 'interrupted' | 'shutdown'): void
}

export class Questions {
  readonly #pending = new Map<string, Pending>()
  /** Outcomes of the last answered ones, for a late second answer (U-100). */
  readonly #answered = new Map<string, ApprovalRecord>()
  readonly #events: EventStream
  readonly #clock: Clock
  readonly #timeoutMs: () => number
  readonly #attended: () => boolean

  /** @param attended whether any surface is there that could show a question; without one the answer is no at once */
  constructor(ports: { events: EventStream; clock: Clock; timeoutMs: () => number; attended: () => boolean }) {
    this.#events = ports.events
    this.#clock = ports.clock
    this.#timeoutMs = ports.timeoutMs
    this.#attended = ports.attended
  }

  /** Waits for the answer; never rejects. */
  ask(asking: Asking): Promise<ApprovalRecord> {
    const now = this.#clock.now()
    const reason = asking.question.reason
    if (asking.signal.aborted) return Promise.resolve({ choice: 'deny', by: 'interrupt', at: now, reason })
    if (!this.#attended()) return Promise.resolve({ choice: 'deny', by: 'unattended', at: now, reason })
    const { conversation, session, turn, question } = asking
    const id = `s${ulid(now)}`
    const timeoutMs = this.#timeoutMs()
    return new Promise((resolve) => {
      const over = new AbortController()
      const onAbort = (): void => {
        const shutdown = asking.signal.reason === 'shutdown'
        settle(
          { choice: 'deny', by: 'interrupt', at: this.#clock.now(), reason },
          shutdown ? 'shutdown' : 'interrupted',
        )
      }
      const settle: Pending['settle'] = (record, why) => {
        if (!this.#pending.delete(id)) return
        over.abort()
        asking.signal.removeEventListener('abort', onAbort)
        this.#remember(id, record)
        this.#events.emit(asking, 'tool.approval', { tool_id: asking.toolId, record })
        this.#events.emit(asking, 'request.cancel', { id, reason: why })
        resolve(record)
      }
      const request: OpenRequest = {
        request_id: id,
        kind: 'approval',
        conversation_id: conversation,
        session_id: session,
        tool_id: asking.toolId,
        tool: question.tool,
        subject: question.subject,
        cwd: question.cwd,
        reason,
        rule: question.rule,
        always_rule: question.alwaysRule,
        asked_at: now,
        deadline: now + timeoutMs,
      }
      this.#pending.set(id, { request, owner: { conversation, session, turn }, settle })
      asking.signal.addEventListener('abort', onAbort, { once: true })
      this.#events.emit(asking, 'approval.open', request)
      void this.#clock.sleep(timeoutMs, over.signal).then(() => {
        settle({ choice: 'deny', by: 'expiry', at: this.#clock.now(), reason }, 'expired')
      })
    })
  }

  /** The first answer wins. A later one is refused with the outcome. */
  answer(id: string, choice: ApprovalChoice, note: string | undefined): Result<{ choice: ApprovalChoice }, Refusal> {
    const pending = this.#pending.get(id)
    if (pending === undefined) {
      const earlier = this.#answered.get(id)
      return refused(
        refusal(
          'expired',
          earlier === undefined
            ? 'This question is not open any more.'
            : `Already answered: ${earlier.choice} (${earlier.by}).`,
          {
            ...(earlier === undefined ? {} : { data: { choice: earlier.choice, by: earlier.by, at: earlier.at } }),
          },
        ),
      )
    }
    if (choice === 'always' && pending.request.always_rule === null)
      return refused(
        refusal('invalid_params', 'This one cannot be allowed for always.', { next: 'Choose once, session or deny.' }),
      )
    pending.settle(
      {
        choice,
        by: 'person',
        at: this.#clock.now(),
        reason: pending.request.reason,
        ...(note === undefined ? {} : { note }),
      },
      'answered',
    )
    return ok({ choice })
  }

  open(conversation?: ConversationId): OpenRequest[] {
    return [...this.#pending.values()]
      .map((pending) => pending.request)
      .filter((r) => conversation === undefined || r.conversation_id === conversation)
  }

  #remember(id: string, record: ApprovalRecord): void {
    this.#answered.set(id, record)
    const oldest = this.#answered.size > 200 ? this.#answered.keys().next().value : undefined
    if (oldest !== undefined) this.#answered.delete(oldest)
  }
}
