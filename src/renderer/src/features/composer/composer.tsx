/** Where a message is written (U-45, U-46, U-48, U-51 to U-54). Usable while a turn runs and while the core is away. */
import { ArrowUp, Square } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { create } from 'zustand'
import { INPUT_TEXT_LIMIT } from '../../../../shared/contract/index.ts'
import type { ConversationId } from '../../../../shared/ids.ts'
import { useCommand } from '../../app/commands.ts'
import { useKeeper } from '../../app/kept-state.tsx'
import { useKeysOf } from '../../app/platform.ts'
import { useClient } from '../../client/client-context.tsx'
import { Button } from '../../ui/button.tsx'
import { useEnter } from '../../ui/enter.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { isEmpty, objection } from './deliver.ts'
import { EMPTY_DRAFT } from './draft.ts'
import { applyDraft, draftKeyOf, loadDraft, storageKeyOf, useDrafts } from './drafts.ts'
import { insideFence } from './inside-fence.ts'
import { type Sending, setRefusal } from './use-send.ts'

interface ComposerProps {
  readonly conversation: ConversationId | null
  readonly sending: Sending
  /** A turn runs in this chat: Enter queues. */
  readonly running: boolean
  readonly stopping: boolean
  readonly onStop: () => void
  /** Up in an empty composer: the last queued message comes back to be edited, else the last sent one. */
  readonly onRecall?: () => void
  /** Keys that belong to the transcript although the composer holds the focus (Page Up, Page Down). */
  readonly onTranscriptKey?: (key: 'PageUp' | 'PageDown') => boolean
}

/** One text area that grows to 40 % of the view, a hint line, Send, and Stop while a turn runs. */
export function Composer(props: ComposerProps): ReactNode {
  const { conversation, sending, running, stopping, onStop, onRecall, onTranscriptKey } = props
  const key = draftKeyOf(conversation)
  const keeper = useKeeper()
  const area = useRef<HTMLTextAreaElement>(null)
  const text = useDrafts(({ byKey }) => (byKey[key] ?? EMPTY_DRAFT).text)
  const [fenced, setFenced] = useState(false)
  const [said, setSaid] = useState<string | null>(null)
  useStoredDraft(conversation)
  useGrowth(area, text)
  useWishedFocus(area)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said concerned the chat before
  useEffect(() => setSaid(null), [key])
  useCommand('chat.stop', onStop, running && !stopping)

  const edit = (value: string): void => {
    setSaid(null)
    setRefusal(key, null)
    applyDraft(keeper, key, { kind: 'edit', text: value })
  }
  const submit = (): void => {
    if (isEmpty(text)) return
    const problem = objection(text, INPUT_TEXT_LIMIT)
    setSaid(problem)
    if (problem === null) sending.send()
    area.current?.focus()
  }
  const keys = useEnter<HTMLTextAreaElement>({
    onEnter: submit,
    onKey(event) {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
      if (plain && event.key === 'ArrowUp' && text === '' && onRecall !== undefined) {
        event.preventDefault()
        onRecall()
      } else if (onTranscriptKey !== undefined && (event.key === 'PageUp' || event.key === 'PageDown')) {
        if (plain && onTranscriptKey(event.key)) event.preventDefault()
      }
    },
  })
  return (
    <div className="flex flex-col gap-4">
      {said === null ? null : (
        <p role="alert" data-testid="composer-problem" className="m-0 text-13 text-danger">
          {said}
        </p>
      )}
      <div className="composer">
        <textarea
          ref={area}
          data-testid="composer"
          aria-label="Message"
          rows={1}
          placeholder={running ? 'Message. Enter queues it behind the running turn.' : 'Message'}
          spellCheck={!fenced}
          value={text}
          onChange={(event) => edit(event.target.value)}
          onSelect={({ currentTarget }) => setFenced(insideFence(text, currentTarget.selectionStart))}
          onBlur={() => void keeper.flush()}
          {...keys}
        />
        <div className="flex items-center gap-8">
          <span className="flex min-w-0 flex-1 items-center gap-4 text-11 whitespace-nowrap text-text-3">
            <Kbd>Enter</Kbd> {running ? 'queues' : 'sends'}
            <span className="flex items-center gap-4 max-narrow:hidden">
              · <Kbd>Shift+Enter</Kbd> new line
            </span>
          </span>
          {running ? <StopButton stopping={stopping} onStop={onStop} /> : null}
          <Button look={running ? 'plain' : 'primary'} data-testid="send" disabled={isEmpty(text)} onClick={submit}>
            <ArrowUp size={16} strokeWidth={1.75} aria-hidden />
            {running ? 'Queue' : 'Send'}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Says *stopping* at once, until the core confirms (U-92). */
function StopButton({ stopping, onStop }: { readonly stopping: boolean; readonly onStop: () => void }): ReactNode {
  const keys = useKeysOf('chat.stop')
  return (
    <Button data-testid="stop" aria-disabled={stopping} onClick={() => !stopping && onStop()}>
      <Square size={12} strokeWidth={0} fill="currentColor" aria-hidden />
      {stopping ? 'Stopping' : 'Stop'}
      {stopping || keys === undefined ? null : <Kbd>{keys}</Kbd>}
    </Button>
  )
}

/** Reads the draft of this chat from disk, and writes the one that is left at once (U-46). */
function useStoredDraft(conversation: ConversationId | null): void {
  const client = useClient()
  const keeper = useKeeper()
  const key = draftKeyOf(conversation)
  useEffect(() => {
    if (!useDrafts.getState().loaded[key]) {
      const stored = storageKeyOf(key)
      void client.call('ui_state.get', { keys: [stored] }).then((answer) => {
        if (answer.ok) loadDraft(key, answer.value.values[stored])
      })
    }
    return () => void keeper.flush()
  }, [client, keeper, key])
}

/** Where the browser cannot size a field by its content, one measurement per edit does it. */
function useGrowth(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height
  useLayoutEffect(() => {
    if (area.current === null || globalThis.CSS?.supports?.('field-sizing', 'content')) return
    area.current.style.height = 'auto'
    area.current.style.height = `${area.current.scrollHeight}px`
  }, [text])
}

/** Wishes for the focus so far, and how many were met: a wish made before the composer is on screen waits for it. */
const useFocusWishes = create(() => ({ made: 0, met: 0 }))

/** Focus into the composer of the chat in front, once it is on screen. */
export const focusComposer = (): void => useFocusWishes.setState(({ made }) => ({ made: made + 1 }))

function useWishedFocus(area: RefObject<HTMLTextAreaElement | null>): void {
  const { made, met } = useFocusWishes()
  useEffect(() => {
    if (made === met || area.current === null) return
    area.current.focus()
    useFocusWishes.setState({ met: made })
  }, [made, met, area])
}

/** Puts text into the composer of a chat, in front of what is there. */
export function useGiveBack(conversation: ConversationId | null): (text: string) => void {
  const keeper = useKeeper()
  return (text) => {
    const key = draftKeyOf(conversation)
    applyDraft(keeper, key, { kind: 'give-back', text })
    focusComposer()
  }
}
