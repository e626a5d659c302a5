/**
 * A draft and the messages on their way, as one value per conversation (U-46, U-53, U-54). Text leaves it in two ways
 * only: the core accepted it, or the person threw it away. The whole value is kept on disk, so a message that was being
 * sent when the window died is found again with the request id it was sent under, and sending it again acts once (U-02).
 */
import { type RequestId, requestId } from '../../../../shared/ids.ts'
import { type Json, z } from '../../../../shared/schema.ts'

/**
 * `sending`: an attempt runs. `waiting`: the connection broke, it is tried again by itself. `failed`: refused, and the
 * composer holds something newer. `unconfirmed`: found on disk; whether it arrived is not known.
 */
export type SendState = 'sending' | 'waiting' | 'failed' | 'unconfirmed'

export interface Send {
  /** Made before the first attempt, the same for every further one. */
  readonly request: RequestId
  /** For a chat that did not exist yet: the request id of its creation. */
  readonly create: RequestId | null
  readonly text: string
  readonly at: number
  readonly state: SendState
  /** Why it was refused, and what to do. */
  readonly reason: string | null
}

export interface Draft {
  readonly text: string
  readonly sends: readonly Send[]
}

export const EMPTY_DRAFT: Draft = { text: '', sends: [] }

export type DraftChange =
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'send'; readonly request: RequestId; readonly create: RequestId | null; readonly at: number }
  | { readonly kind: 'retry'; readonly request: RequestId }
  | { readonly kind: 'accepted'; readonly request: RequestId }
  | { readonly kind: 'refused'; readonly request: RequestId; readonly reason: string }
  | { readonly kind: 'disconnected'; readonly request: RequestId }
  | { readonly kind: 'restore'; readonly request: RequestId }
  | { readonly kind: 'discard'; readonly request: RequestId }
  /** Text from elsewhere that belongs in the composer: a cancelled queued message, a draft whose chat is gone. */
  | { readonly kind: 'give-back'; readonly text: string }
  /** What was on disk, arriving after the person may have typed already. */
  | { readonly kind: 'loaded'; readonly stored: Draft }

const withState = (draft: Draft, request: RequestId, change: Partial<Send>): Draft => ({
  ...draft,
  sends: draft.sends.map((send) => (send.request === request ? { ...send, ...change } : send)),
})

const without = (draft: Draft, request: RequestId): Draft => ({
  ...draft,
  sends: draft.sends.filter((send) => send.request !== request),
})

/** Two texts in one composer: nothing of either is lost. */
const join = (first: string, second: string): string =>
  first === '' ? second : second === '' ? first : `${first}\n\n${second}`

/** The next draft. Pure; a change about an unknown send changes nothing. */
export function changeDraft(draft: Draft, change: DraftChange): Draft {
  if (change.kind === 'edit') return { ...draft, text: change.text }
  if (change.kind === 'give-back') return { ...draft, text: join(change.text, draft.text) }
  if (change.kind === 'loaded') {
    const mine = new Set(draft.sends.map(({ request }) => request))
    const found = change.stored.sends.filter(({ request }) => !mine.has(request))
    return {
      text: `${change.stored.text}${draft.text}`,
      sends: [...found.map((send) => ({ ...send, state: 'unconfirmed' as const })), ...draft.sends],
    }
  }
  if (change.kind === 'send') {
    const { request, create, at } = change
    const send: Send = { request, create, text: draft.text, at, state: 'sending', reason: null }
    return { text: '', sends: [...draft.sends, send] }
  }
  const send = draft.sends.find(({ request }) => request === change.request)
  if (send === undefined) return draft
  switch (change.kind) {
    case 'retry':
      return withState(draft, change.request, { state: 'sending', reason: null })
    case 'disconnected':
      return withState(draft, change.request, { state: 'waiting' })
    case 'accepted':
    case 'discard':
      return without(draft, change.request)
    case 'refused':
      return draft.text === ''
        ? { ...without(draft, change.request), text: send.text }
        : withState(draft, change.request, { state: 'failed', reason: change.reason })
    case 'restore':
      return { ...without(draft, change.request), text: join(send.text, draft.text) }
  }
}

const storedSend = z.strictObject({
  request: requestId,
  create: requestId.nullable(),
  text: z.string(),
  at: z.number().int(),
})
const storedDraft = z.strictObject({ text: z.string(), sends: z.array(storedSend) })

/** What goes to disk; null when there is nothing to keep. */
export const storeDraft = ({ text, sends }: Draft): Json | null =>
  text === '' && sends.length === 0
    ? null
    : { text, sends: sends.map(({ request, create, text, at }) => ({ request, create, text, at })) }

/** A draft as it was stored; damaged or missing is empty. */
export function parseDraft(raw: Json | undefined): Draft {
  const parsed = storedDraft.safeParse(raw)
  if (!parsed.success) return EMPTY_DRAFT
  const { text, sends } = parsed.data
  return { text, sends: sends.map((send) => ({ ...send, state: 'unconfirmed', reason: null })) }
}
