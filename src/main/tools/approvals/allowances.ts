import type { ConversationId } from '../../../shared/ids.ts'

/**
 * What a person allowed for the rest of a conversation. In memory on purpose: a restart asks again, and another
 * conversation never inherits it (E-13).
 */
export interface Allowances {
  covers(conversation: ConversationId, thing: string): boolean
  add(conversation: ConversationId, things: readonly string[]): void
  forget(conversation: ConversationId): void
  /** Runs one question of a conversation at a time, so that a second one sees what the first answer allowed. */
  inTurn<T>(conversation: ConversationId, ask: () => Promise<T>): Promise<T>
}

export function createAllowances(): Allowances {
  const allowed = new Map<ConversationId, Set<string>>()
  const last = new Map<ConversationId, Promise<unknown>>()
  return {
    covers: (conversation, thing) => allowed.get(conversation)?.has(thing) ?? false,
    add: (conversation, things) => {
      const held = allowed.get(conversation) ?? new Set<string>()
      for (const thing of things) held.add(thing)
      allowed.set(conversation, held)
    },
    forget: (conversation) => {
      allowed.delete(conversation)
    },
    inTurn: (conversation, ask) => {
      const before = last.get(conversation) ?? Promise.resolve()
      const mine = before.then(ask, ask)
      last.set(conversation, mine)
      const leave = (): void => {
        if (last.get(conversation) === mine) last.delete(conversation)
      }
      mine.then(leave, leave)
      return mine
    },
  }
}
