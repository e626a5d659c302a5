/** From a connection to the shell: read what was kept, then show everything at once, so that nothing jumps. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Json } from '../../../shared/schema.ts'
import { ClientProvider, useClient } from '../client/client-context.tsx'
import type { Connected } from '../client/connect.ts'
import { createQueryClient } from '../client/queries.ts'
import { loadDraft, storageKeyOf } from '../features/composer/drafts.ts'
import { loadOnboarding, ONBOARDING_KEY } from '../features/onboarding/onboarding-state.ts'
import { TipProvider } from '../ui/tooltip.tsx'
import { KeeperProvider, useKeeper } from './kept-state.tsx'
import { parseView, useNavigation, viewOf } from './navigation.ts'
import { applyPreferences, PREFERENCES_KEY, parsePreferences, usePreferences } from './preferences.ts'
import { Shell } from './shell.tsx'

const VIEW_KEY = 'screen.view'

/** The whole app for one connection. */
export function App({ connected }: { readonly connected: Connected }): ReactNode {
  const [queries] = useState(createQueryClient)
  return (
    <ClientProvider connected={connected}>
      <QueryClientProvider client={queries}>
        <KeeperProvider>
          <TipProvider>
            <Restored />
          </TipProvider>
        </KeeperProvider>
      </QueryClientProvider>
    </ClientProvider>
  )
}

/** Shows the shell once the kept screen state is there; without an answer the defaults serve. */
function Restored(): ReactNode {
  const client = useClient()
  const keeper = useKeeper()
  const [ready, setReady] = useState(false)
  useEffect(() => {
    void client
      .call('ui_state.get', { keys: [PREFERENCES_KEY, VIEW_KEY, ONBOARDING_KEY, storageKeyOf('new')] })
      .then((answer) => {
        const stored = answer.ok ? answer.value.values : {}
        const value = (key: string): Json | undefined => {
          const held = keeper.held(key)
          return held === undefined ? stored[key] : held
        }
        usePreferences.setState(parsePreferences(value(PREFERENCES_KEY)))
        useNavigation.setState({ views: [parseView(value(VIEW_KEY))], at: 0 })
        loadOnboarding(value(ONBOARDING_KEY))
        loadDraft('new', value(storageKeyOf('new')))
        setReady(true)
      })
  }, [client, keeper])
  useEffect(() => {
    if (!ready) return
    applyPreferences(usePreferences.getState(), document.documentElement)
    const stops = [
      usePreferences.subscribe((preferences) => {
        applyPreferences(preferences, document.documentElement)
        keeper.keep(PREFERENCES_KEY, preferences)
      }),
      useNavigation.subscribe((trail) => keeper.keep(VIEW_KEY, { ...viewOf(trail) })),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [ready, keeper])
  return ready ? <Shell /> : null
}
