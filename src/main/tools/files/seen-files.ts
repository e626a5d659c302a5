import type { ConversationId } from '../../../shared/ids.ts'

/**
 * What each conversation last saw of a file. In memory: after a restart nothing counts as read, so nothing is refused
 * for being stale; the guard protects a person's edit made while a conversation works.
 */
export interface SeenFiles {
  note(conversation: ConversationId, realPath: string, stamp: string): void
  stampOf(conversation: ConversationId, realPath: string): string | undefined
  forget(conversation: ConversationId): void
}

/** Files remembered for one conversation; the oldest are let go first. */
const REMEMBERED = 2_000

export function createSeenFiles(): SeenFiles {
  const seen = new Map<ConversationId, Map<string, string>>()
  return {
    note: (conversation, path, stamp) => {
      const files = seen.get(conversation) ?? new Map<string, string>()
      files.delete(path)
      files.set(path, stamp)
      const oldest = files.size > REMEMBERED ? files.keys().next().value : undefined
      if (oldest !== undefined) files.delete(oldest)
      seen.set(conversation, files)
    },
    stampOf: (conversation, path) => seen.get(conversation)?.get(path),
    forget: (conversation) => {
      seen.delete(conversation)
    },
  }
}
