/** The head of a chat: its name (to be changed in place), how many segments, where it works, what answers. */
import { Folder, Pencil } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ConversationRow } from '../../../../shared/contract/index.ts'
import { useCommand } from '../../app/commands.ts'
import { modelWords } from '../../app/model-words.ts'
import { useNavigation } from '../../app/navigation.ts'
import { useModelOptions } from '../../client/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { conversationLooks, StateMark } from '../../ui/state-mark.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Tip } from '../../ui/tooltip.tsx'
import { nameOf } from '../sessions/list-pages.ts'
import { useRename } from '../sessions/use-rename.ts'

/** `row` is null for a chat that is not created yet. */
export function ChatHeader({ row }: { readonly row: ConversationRow | null }): ReactNode {
  const [renaming, setRenaming] = useState(false)
  const go = useNavigation((state) => state.go)
  const options = useModelOptions().data
  const provider = row?.provider ?? options?.provider
  const model = row?.model ?? options?.model
  useCommand('chat.rename', () => setRenaming(true), row !== null)
  return (
    <header className="flex h-[44px] flex-none items-center gap-8 border-b border-line px-16">
      {renaming && row !== null ? (
        <>
          <h1 className="unseen">{nameOf(row)}</h1>
          <TitleField row={row} onDone={() => setRenaming(false)} />
        </>
      ) : (
        <>
          <h1
            className="m-0 min-w-0 truncate text-14 font-semibold"
            onDoubleClick={() => row !== null && setRenaming(true)}
          >
            {row === null ? 'New chat' : nameOf(row)}
          </h1>
          {row === null ? null : (
            <IconButton icon={Pencil} label="Rename this chat" data-testid="rename" onClick={() => setRenaming(true)} />
          )}
        </>
      )}
      {row !== null && row.segments > 1 ? <Badge>{row.segments} segments</Badge> : null}
      {row !== null && row.state !== 'idle' ? (
        <span
          className="flex-none text-12"
          style={{ color: `var(--${conversationLooks[row.state].colour})` }}
          data-testid="chat-state"
        >
          <StateMark state={row.state} word />
        </span>
      ) : null}
      <span className="flex-1" />
      {row?.cwd == null ? null : (
        <Tip label={`Works in ${row.cwd}`}>
          <Badge className="h-24 min-w-0 max-w-[240px] max-narrow:hidden" data-testid="cwd">
            <Folder size={12} aria-hidden className="flex-none" />
            <span className="truncate" dir="rtl">
              <bdi>{row.cwd}</bdi>
            </span>
          </Badge>
        </Tip>
      )}
      {provider === undefined || model === undefined ? null : (
        <button
          type="button"
          className="badge h-24 hover:bg-hover"
          data-testid="model-chip"
          title="Change what answers"
          onClick={() => go({ kind: 'settings', page: 'models' })}
        >
          {modelWords(provider, model)}
        </button>
      )}
    </header>
  )
}

/** Enter and leaving the field keep the new name, Escape the old one. */
function TitleField({ row, onDone }: { readonly row: ConversationRow; readonly onDone: () => void }): ReactNode {
  const [title, setTitle] = useState(row.title ?? '')
  const settled = useRef(false)
  const rename = useRename()
  const end = (save: boolean): void => {
    if (settled.current) return
    settled.current = true
    if (save && title.trim() !== (row.title ?? '')) void rename(row, title)
    onDone()
  }
  return (
    <TextField
      label="Name of this chat"
      hideLabel
      autoFocus
      maxLength={100}
      className="w-[320px] min-w-0"
      data-testid="title-field"
      placeholder={nameOf(row)}
      value={title}
      onChange={(event) => setTitle(event.target.value)}
      onFocus={(event) => event.target.select()}
      onEnter={() => end(true)}
      onEscape={() => end(false)}
      onBlur={() => end(true)}
    />
  )
}
