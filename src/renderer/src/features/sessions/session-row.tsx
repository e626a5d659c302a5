/** One chat in the list: mark, name, and either its state in a word or the time of the last activity (U-14). */
import { Ellipsis, Pencil } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ConversationRow } from '../../../../shared/contract/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { absoluteTime, relativeTime } from '../../ui/figures.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { conversationLooks, StateMark } from '../../ui/state-mark.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { nameOf } from './list-pages.ts'
import { useMinute } from './use-minute.ts'
import { useRename } from './use-rename.ts'

interface SessionRowProps {
  readonly row: ConversationRow
  readonly current: boolean
  readonly tabStop: boolean
  readonly renaming: boolean
  readonly onRename: (on: boolean) => void
  /** The field was left by Enter or Escape: the focus goes back to the row. */
  readonly onRefocus: () => void
  readonly onFocus: () => void
  readonly onOpen: () => void
}

/** States that need no word: nothing happens and nothing is wanted. */
const QUIET = new Set<ConversationRow['state']>(['idle'])

/** A row of the list; the button opens the chat, the menu beside it renames. */
export function SessionRow(props: SessionRowProps): ReactNode {
  const { row, current, tabStop, renaming, onRename, onRefocus, onFocus, onOpen } = props
  const now = useMinute()
  const { word, colour } = conversationLooks[row.state]
  const quiet = QUIET.has(row.state)
  const segments = row.segments > 1 ? `, ${row.segments} segments` : ''
  if (renaming)
    return (
      <RenameField
        row={row}
        onDone={(byKey) => {
          onRename(false)
          if (byKey) onRefocus()
        }}
      />
    )
  return (
    <div className="session-row group" data-current={current}>
      <button
        type="button"
        data-row={row.conversation_id}
        data-testid={`chat-row-${row.conversation_id}`}
        data-state={row.state}
        tabIndex={tabStop ? 0 : -1}
        aria-current={current ? 'page' : undefined}
        aria-label={`${nameOf(row)}, ${word}, ${relativeTime(row.last_activity_at, now)}${segments}`}
        title={`${nameOf(row)}\n${absoluteTime(row.last_activity_at)}`}
        onClick={onOpen}
        onFocus={onFocus}
        onDoubleClick={() => onRename(true)}
      >
        <StateMark state={row.state} />
        <span className="flex-1 truncate" data-unread={row.unread && !current}>
          {nameOf(row)}
        </span>
        <span
          className="text-11 group-hover:opacity-0 group-has-[[data-state=open]]:opacity-0"
          style={{ color: quiet ? 'var(--text-3)' : `var(--${colour === 'line-strong' ? 'text-3' : colour})` }}
        >
          {quiet ? relativeTime(row.last_activity_at, now) : word}
        </span>
      </button>
      <Menu
        align="end"
        trigger={
          <IconButton
            icon={Ellipsis}
            label={`More for ${nameOf(row)}`}
            className="session-more"
            tabIndex={tabStop ? 0 : -1}
          />
        }
      >
        <MenuItem icon={Pencil} keys="F2" onSelect={() => onRename(true)}>
          Rename
        </MenuItem>
      </Menu>
    </div>
  )
}

interface RenameFieldProps {
  readonly row: ConversationRow
  readonly onDone: (byKey: boolean) => void
}

/** Enter and leaving the field keep the new name, Escape the old one. */
function RenameField({ row, onDone }: RenameFieldProps): ReactNode {
  const [title, setTitle] = useState(row.title ?? '')
  const settled = useRef(false)
  const rename = useRename()
  const end = (save: boolean, byKey: boolean): void => {
    if (settled.current) return
    settled.current = true
    if (save && title.trim() !== (row.title ?? '')) void rename(row, title)
    onDone(byKey)
  }
  return (
    <TextField
      label={`New name of ${nameOf(row)}`}
      hideLabel
      autoFocus
      maxLength={100}
      placeholder={nameOf(row)}
      value={title}
      onChange={(event) => setTitle(event.target.value)}
      onFocus={(event) => event.target.select()}
      onEnter={() => end(true, true)}
      onEscape={() => end(false, true)}
      onBlur={() => end(true, false)}
    />
  )
}
