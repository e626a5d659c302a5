/** The frame: four regions, the keys, and what has to happen once per window. */
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useClient, useInfo, useShellMessages, useTransportKind } from '../client/client-context.tsx'
import { useFreshFacts } from '../client/queries.ts'
import { ChatView } from '../features/chat/chat-view.tsx'
import { preloadTranscript } from '../features/chat/live-chat.tsx'
import { focusComposer } from '../features/composer/composer.tsx'
import { useResend } from '../features/composer/use-send.ts'
import { nameOf } from '../features/sessions/list-pages.ts'
import { useConversationRow, useLiveSessions } from '../features/sessions/use-session-list.ts'
import { focusWhenThere } from '../ui/focus-when-there.ts'
import { notify } from '../ui/notices.ts'
import { Splitter } from '../ui/splitter.tsx'
import { Toasts } from '../ui/toast.tsx'
import { Announcer } from './announcer.tsx'
import { isCommandId, runCommand, useCommand } from './commands.ts'
import { TroubleBanner } from './connection-banner.tsx'
import { NEW_CHAT, useNavigation, useView, type View } from './navigation.ts'
import { useMac } from './platform.ts'
import { SIDEBAR, setPreferences, usePreferences } from './preferences.ts'
import { Sidebar } from './sidebar.tsx'
import { StatusBar } from './status-bar.tsx'
import { TitleBar } from './title-bar.tsx'
import { useNarrow } from './use-narrow.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { ViewBoundary } from './view-boundary.tsx'

const SettingsView = lazy(() => import('../features/settings/settings-view.tsx'))
const HelpDialog = lazy(() => import('./help-dialog.tsx').then(({ HelpDialog }) => ({ default: HelpDialog })))

/** The card of a question that waits. */
const APPROVAL = '[data-testid="approval"]'

/** Everything but the pages that stand in for it. */
export function Shell(): ReactNode {
  const mac = useMac()
  const { platform } = useInfo()
  const transport = useTransportKind()
  const view = useView()
  const narrow = useNarrow()
  const [overlay, setOverlay] = useState(false)
  const [help, setHelp] = useState(false)
  const { sidebarOpen, sidebarWidth } = usePreferences()
  const open = narrow ? overlay : sidebarOpen
  useFreshFacts()
  useLiveSessions()
  useResend()
  useShortcuts(mac)
  useWindowFocus()
  useShellRequests()
  useEffect(() => {
    // A window that opens is ready to be typed into.
    focusComposer()
    const idle = setTimeout(preloadTranscript, 300)
    return () => clearTimeout(idle)
  }, [])
  useShellCommands({
    toggleSidebar: () => (narrow ? setOverlay(!overlay) : setPreferences({ sidebarOpen: !sidebarOpen })),
    showHelp: () => setHelp(true),
  })
  // Crossing the border hides the overlay: it would come back unasked at the next narrow moment.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the border counts
  useEffect(() => setOverlay(false), [narrow])
  useEffect(() => {
    if (!narrow || !overlay) return
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) setOverlay(false)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [narrow, overlay])
  const title = useTitle(view)
  return (
    <div
      className="shell"
      data-platform={platform}
      data-transport={transport}
      data-sidebar={open && !narrow ? 'open' : 'closed'}
    >
      <TitleBar title={title} sidebarOpen={open} />
      <TroubleBanner />
      {open ? (
        <Sidebar onLeave={() => setOverlay(false)}>
          <Splitter
            label="Width of the sidebar"
            value={sidebarWidth}
            min={SIDEBAR.min}
            max={SIDEBAR.max}
            onMove={(width) => setPreferences({ sidebarWidth: width })}
            onCollapse={() => setPreferences({ sidebarOpen: false })}
          />
        </Sidebar>
      ) : null}
      {narrow && overlay ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the overlay closes it; Escape does the same
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <div className="fixed inset-x-0 top-32 bottom-24 z-[20]" onClick={() => setOverlay(false)} />
      ) : null}
      <main className="main" data-testid="main">
        <ViewBoundary view={view.kind === 'chat' ? `chat ${view.conversation ?? ''}` : `settings ${view.page}`}>
          {view.kind === 'chat' ? (
            <ChatView conversation={view.conversation} />
          ) : (
            <Suspense>
              <SettingsView page={view.page} />
            </Suspense>
          )}
        </ViewBoundary>
      </main>
      <StatusBar />
      <Toasts />
      <Announcer />
      {help ? (
        <Suspense>
          <HelpDialog onClose={() => setHelp(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** The title of the view in front; the document carries it too, for the window list and the tab. */
function useTitle(view: View): string {
  const row = useConversationRow(view.kind === 'chat' ? view.conversation : null).data
  const title = view.kind === 'settings' ? 'Settings' : row === undefined ? 'New chat' : nameOf(row)
  useEffect(() => {
    document.title = `${title} – Herma`
  }, [title])
  return title
}

/** Menu items and links of the desktop run the same commands as buttons here (U-18, U-24, U-28). */
function useShellRequests(): void {
  const go = useNavigation((state) => state.go)
  useShellMessages((message) => {
    if (message.method === 'shell.show') go({ kind: 'chat', conversation: message.params.conversation })
    else if (isCommandId(message.params.id)) runCommand(message.params.id)
  })
}

/** A running turn's mark stops moving while the window is not focused (U-245). */
function useWindowFocus(): void {
  useEffect(() => {
    const tell = (): void => {
      document.documentElement.dataset['focus'] = document.hasFocus() ? 'here' : 'away'
    }
    tell()
    window.addEventListener('focus', tell)
    window.addEventListener('blur', tell)
    return () => {
      window.removeEventListener('focus', tell)
      window.removeEventListener('blur', tell)
    }
  }, [])
}

function useShellCommands({ toggleSidebar, showHelp }: { toggleSidebar: () => void; showHelp: () => void }): void {
  const { go, back, forward, views, at } = useNavigation()
  useCommand('chat.new', () => {
    go(NEW_CHAT)
    focusComposer()
  })
  useCommand('go.back', back, at > 0)
  useCommand('go.forward', forward, at < views.length - 1)
  useCommand('go.settings', () => go({ kind: 'settings', page: 'general' }))
  useCommand('go.chats', () => go(views.slice(0, at + 1).findLast(({ kind }) => kind === 'chat') ?? NEW_CHAT))
  useCommand('sidebar.toggle', toggleSidebar)
  useCommand('help.keys', showHelp)
  const client = useClient()
  useCommand('approval.focus', () => {
    if (document.querySelector(APPROVAL) !== null) return focusWhenThere(APPROVAL)
    void client.call('approval.pending', {}).then((answer) => {
      const oldest = answer.ok ? answer.value.requests.toSorted((a, b) => a.asked_at - b.asked_at)[0] : undefined
      if (oldest === undefined) return notify({ tone: 'plain', title: 'No question is waiting.' })
      go({ kind: 'chat', conversation: oldest.conversation_id })
      focusWhenThere(APPROVAL)
    })
  })
}
