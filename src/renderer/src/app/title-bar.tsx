/** The top 32 px: where the window is dragged, the way back and forward, what is in front (U-11, U-17). */
import { ChevronLeft, ChevronRight, CircleQuestionMark, PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHealth } from '../client/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { runCommand } from './commands.ts'
import { useNavigation } from './navigation.ts'
import { useKeysOf } from './platform.ts'

/** `title` names the view in front; a demo home is said here (U-36). */
export function TitleBar({ title, sidebarOpen }: { readonly title: string; readonly sidebarOpen: boolean }): ReactNode {
  const health = useHealth()
  const { at, views } = useNavigation()
  const keys = { side: useKeysOf('sidebar.toggle'), back: useKeysOf('go.back'), forward: useKeysOf('go.forward') }
  return (
    <header className="title-bar">
      <IconButton
        icon={PanelLeft}
        label={sidebarOpen ? 'Hide the sidebar' : 'Show the sidebar'}
        aria-expanded={sidebarOpen}
        keys={keys.side}
        data-testid="sidebar-toggle"
        onClick={() => runCommand('sidebar.toggle')}
      />
      <IconButton
        icon={ChevronLeft}
        label="Back"
        keys={keys.back}
        disabled={at === 0}
        onClick={() => runCommand('go.back')}
      />
      <IconButton
        icon={ChevronRight}
        label="Forward"
        keys={keys.forward}
        disabled={at >= views.length - 1}
        onClick={() => runCommand('go.forward')}
      />
      <span className="ml-8 font-semibold text-text">Herma</span>
      <span className="ml-4 min-w-0 flex-1 truncate">{title}</span>
      {health.data?.demo_home === true ? <Badge tone="warning">Demo home</Badge> : null}
      <IconButton
        icon={CircleQuestionMark}
        label="Keys that work here"
        keys="?"
        onClick={() => runCommand('help.keys')}
      />
    </header>
  )
}
