/** Conversations for windows: reads straight from the ledger, the live part from the running turn. */
import type { ConversationRow, Refusal } from '../../../shared/contract/index.ts'
import { refusal } from '../../../shared/contract/index.ts'
import type { ConversationId } from '../../../shared/ids.ts'
import { ok, type Result, refused } from '../../../shared/result.ts'
import type { ConversationServices } from '../../rpc/services.ts'
import {
  asResult,
  conversationRow,
  countConversations,
  createConversation,
  displayPage,
  listConversations,
  messageText,
  refusalOf,
  setTitle,
} from '../../sessions/index.ts'
import type { Core } from '../core.ts'
import { isFolder } from '../folders.ts'

/** A read of the main connection: its refusals as values. */
function read<T>(work: () => T): Result<T, Refusal> {
  try {
    return ok(work())
  } catch (error) {
    const known = refusalOf(error)
    if (known === null) throw error
    return refused(known)
  }
}

/** The stored row with what only this process knows: a question that waits outranks running (U-14). */
export const liveRow = (core: Core, id: ConversationId): ConversationRow =>
  withLive(core, conversationRow(core.store.read, id))

const withLive = (core: Core, row: ConversationRow): ConversationRow =>
  core.questions.open(row.conversation_id).length > 0 ||
  (row.state === 'unknown' && needsDecision(core, row.conversation_id))
    ? { ...row, state: row.state === 'unknown' ? 'unknown' : 'needs_you' }
    : row

const needsDecision = (core: Core, id: ConversationId): boolean => core.queue(id).some((item) => item.needs_user)

export const conversationServices = (core: Core): ConversationServices => ({
  async create({ request, title, cwd }) {
    const folder = cwd ?? core.defaultCwd()
    if (cwd !== undefined && !(await isFolder(cwd)))
      return refused(refusal('invalid_params', `${cwd} is not a folder.`, { next: 'Choose an existing folder.' }))
    const made = await asResult(
      core.store.write('conversation.create', 'admission', (db) =>
        createConversation(db, { source: core.source, cwd: folder, title, request }, core.clock.now()),
      ),
    )
    if (made.ok) {
      core.rowChanged(made.value)
      core.events.announce('sessions.changed', { conversation_id: made.value })
    }
    return made
  },
  list: async (wanted) => {
    const page = read(() => ({
      ...listConversations(core.store.read, wanted),
      total: countConversations(core.store.read, wanted),
    }))
    return page.ok ? ok({ ...page.value, rows: page.value.rows.map((row) => withLive(core, row)) }) : page
  },
  row: async (id) => read(() => liveRow(core, id)),
  // Everything in one go, without awaiting: the page, the live part and the watermark belong to one moment (U-03).
  snapshot: async (id, limit) =>
    read(() => ({
      conversation: liveRow(core, id),
      page: displayPage(core.store.read, id, { limit }),
      inflight: core.inflight(id),
      queued: core.queue(id),
      open_requests: core.questions.open(id),
      latest_seq: core.events.latest(id),
      epoch: core.events.epoch,
    })),
  page: async (id, wanted) => read(() => displayPage(core.store.read, id, wanted)),
  message: async (id, wanted) => read(() => messageText(core.store.read, id, wanted)),
  async setTitle(id, title, expected) {
    const changed = await asResult(
      core.store.write('conversation.title', 'routine', (db) => setTitle(db, id, title, expected)),
    )
    if (!changed.ok) return changed
    core.rowChanged(id)
    return ok(liveRow(core, id))
  },
  eventsSince: async (id, lastSeen, epoch) =>
    read(() => ({
      ...core.events.since(id, lastSeen, epoch),
      latest_seq: core.events.latest(id),
      epoch: core.events.epoch,
      open_requests: core.questions.open(id),
    })),
})
