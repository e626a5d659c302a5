/** The left region: profile, new chat, sections in their fixed order, the chats, Settings at the foot (U-12). */
import { House, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useInfo } from '../client/client-context.tsx'
import { SessionList } from '../features/sessions/session-list.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { runCommand } from './commands.ts'
import { useView } from './navigation.ts'
import { useKeysOf } from './platform.ts'
import { usePreferences } from './preferences.ts'
import { FOOT, SECTIONS } from './sections.ts'

interface SidebarProps {
  /** Called when something was opened from it; the overlay form closes then. */
  readonly onLeave: () => void
  /** The splitter on its edge. */
  readonly children: ReactNode
}

/** As wide as the person made it. */
export function Sidebar({ onLeave, children }: SidebarProps): ReactNode {
  const { profile } = useInfo()
  const view = useView()
  const width = usePreferences((state) => state.sidebarWidth)
  const newKeys = useKeysOf('chat.new')
  const settingsKeys = useKeysOf('go.settings')
  const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const
  return (
    <nav className="sidebar" aria-label="Herma" style={{ width }} data-testid="sidebar">
      <div className="nav-row">
        <House {...icon} />
        <span className="flex-1 truncate">{profile}</span>
        <span className="text-11 text-text-3">profile</span>
      </div>
      <button
        type="button"
        className="nav-row"
        data-testid="new-chat"
        aria-current={view.kind === 'chat' && view.conversation === null ? 'page' : undefined}
        onClick={() => {
          runCommand('chat.new')
          onLeave()
        }}
      >
        <SquarePen {...icon} />
        <span className="flex-1">New chat</span>
        {newKeys === undefined ? null : <Kbd>{newKeys}</Kbd>}
      </button>
      {SECTIONS.map((section) => (
        <button
          key={section.id}
          type="button"
          className="section-row"
          data-testid={section.testId}
          onClick={() => runCommand(section.command)}
        >
          <section.icon {...icon} />
          <span className="flex-1">{section.title}</span>
        </button>
      ))}
      <SessionList onOpen={onLeave} />
      <button
        type="button"
        className="nav-row"
        data-testid={FOOT.testId}
        aria-current={view.kind === FOOT.id ? 'page' : undefined}
        onClick={() => {
          runCommand(FOOT.command)
          onLeave()
        }}
      >
        <FOOT.icon {...icon} />
        <span className="flex-1">{FOOT.title}</span>
        {settingsKeys === undefined ? null : <Kbd>{settingsKeys}</Kbd>}
      </button>
      {children}
    </nav>
  )
}
