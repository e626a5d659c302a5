/** Work for the agent: accepted durably first, then run. */
import type { QueuedInput } from '../../../shared/contract/index.ts'
import { ok } from '../../../shared/result.ts'
import { OUTCOME_UNKNOWN } from '../../kernel/index.ts'
import type { TurnServices } from '../../rpc/services.ts'
import { type Admission, asResult, cancel, resolveUnknown, submit, waitingAdmissions } from '../../sessions/index.ts'
import type { Core } from '../core.ts'

export const queuedInputs = (core: Pick<Core, 'store'>, conversation: Admission['conversation']): QueuedInput[] =>
  waitingAdmissions(core.store.read, conversation).map((admission, position) => ({
    admission_id: admission.id,
    intent: admission.intent,
    text: admission.text,
    position,
    status: admission.status === 'terminal' ? 'queued' : admission.status,
    needs_user: admission.needsUser,
    submitted_at: admission.submittedAt,
  }))

export const turnServices = (core: Core): TurnServices => ({
  async submit(input) {
    if (core.draining()) return core.refuseDraining()
    const stored = await asResult(
      core.store.write('admission.submit', 'admission', (db) =>
        submit(db, { ...input, principal: core.principal }, core.clock.now()),
      ),
    )
    if (!stored.ok) return stored
    const { admission, duplicate } = stored.value
    const position = queuedInputs(core, admission.conversation).findIndex((item) => item.admission_id === admission.id)
    if (!duplicate) {
      if (position > 0)
        core.emit(admission.conversation, 'turn.queued', {
          admission_id: admission.id,
          position,
          text: admission.text.slice(0, 2_000),
        })
      core.accepted(admission.id)
      core.rowChanged(admission.conversation)
    }
    core.runner.wake(admission.conversation)
    if (input.intent === 'redirect' && !duplicate) core.runner.interrupt(admission.conversation, undefined, 'user')
    return ok({
      admission_id: admission.id,
      delivery: admission.status === 'terminal' ? 'settled' : position > 0 ? 'queued' : 'streaming',
      position: Math.max(position, 0),
      duplicate,
      status: admission.status,
    })
  },
  interrupt: (conversation, turn) => core.runner.interrupt(conversation, turn, 'user'),
  queue: (conversation) => queuedInputs(core, conversation),
  async cancel(id) {
    const cancelled = await asResult(
      core.store.write('admission.cancel', 'admission', (db) => cancel(db, id, core.epoch(), core.clock.now())),
    )
    if (!cancelled.ok) return cancelled
    core.rowChanged(cancelled.value.conversation)
    return ok(cancelled.value.text)
  },
  async resolve(id, decision) {
    const resolved = await asResult(
      core.store.write('admission.resolve', 'admission', (db) =>
        resolveUnknown(
          db,
          {
            admission: id,
            decision,
            backend: core.backend,
            epoch: core.epoch(),
            outcomeFor: (_tool, nowMs) => ({
              content: OUTCOME_UNKNOWN,
              effect: 'unknown',
              record: {
                outcome: 'unknown',
                summary: 'outcome unknown',
                started_at: null,
                finished_at: nowMs,
                duration_ms: null,
              },
            }),
          },
          core.clock.now(),
        ),
      ),
    )
    if (!resolved.ok) return resolved
    core.accepted(id)
    core.rowChanged(resolved.value.conversation)
    core.runner.wake(resolved.value.conversation)
    return ok({ status: resolved.value.status })
  },
  openRequests: () => core.questions.open(),
  answer: (id, choice, note) => core.questions.answer(id, choice, note),
})
