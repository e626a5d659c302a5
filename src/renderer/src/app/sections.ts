/**
 * The sections of the sidebar in their fixed order (U-12). A section stands here once its view exists; until then nothing
 * points at it.
 */
import { type LucideIcon, MessagesSquare, Settings } from 'lucide-react'
import type { CommandId } from './commands.ts'
import type { View } from './navigation.ts'

interface Section {
  readonly id: View['kind']
  readonly testId: string
  readonly title: string
  readonly icon: LucideIcon
  readonly command: CommandId
}

/** Order: Inbox, Chats, Boards, Transcripts, Schedules, Skills, Connections. */
export const SECTIONS: readonly Section[] = [
  { id: 'chat', testId: 'nav-chats', title: 'Chats', icon: MessagesSquare, command: 'go.chats' },
]

/** At the foot of the sidebar. */
export const FOOT: Section = {
  id: 'settings',
  testId: 'nav-settings',
  title: 'Settings',
  icon: Settings,
  command: 'go.settings',
}
