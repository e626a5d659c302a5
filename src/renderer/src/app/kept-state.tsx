/** The keeper of this window, tied to the core's `ui_state` and to the moments at which nothing may be left unsaved. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { InvariantError } from '../../../shared/result.ts'
import { useClient, useConnection } from '../client/client-context.tsx'
import { loadLeftDrafts } from '../features/composer/drafts.ts'
import { createKeeper, type Keeper } from './keeper.ts'
import { noteUnsaved, takeUnsaved } from './spare.ts'

const KeeperContext = createContext<Keeper | null>(null)

/** Flushes on blur, on hide and on close, and once more after a reconnect. */
export function KeeperProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useClient()
  const { ups } = useConnection()
  const { profile } = client
  const [keeper] = useState(() => {
    const made = createKeeper({
      write: async (key, value) => (await client.call('ui_state.set', { key, value: value as never })).ok,
      later(ms, run) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
    })
    takeUnsaved(made, profile)
    loadLeftDrafts(made)
    return made
  })
  useEffect(() => {
    const flush = (): void => {
      // The answer to a write may come too late for a page that is closing, and never from a core that is away.
      noteUnsaved(keeper, profile)
      void keeper.flush().then(() => noteUnsaved(keeper, profile))
    }
    const moments = [
      [window, 'blur'],
      [window, 'pagehide'],
      [window, 'beforeunload'],
      [document, 'visibilitychange'],
    ] as const
    for (const [target, name] of moments) target.addEventListener(name, flush)
    return () => {
      for (const [target, name] of moments) target.removeEventListener(name, flush)
    }
  }, [keeper, profile])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new connection is a chance to write what is left
  useEffect(() => void keeper.flush(), [ups, keeper])
  return <KeeperContext value={keeper}>{children}</KeeperContext>
}

/** The keeper of this window. */
export function useKeeper(): Keeper {
  const keeper = useContext(KeeperContext)
  if (keeper === null)
    throw new InvariantError('keeper-context', 'a view outside of KeeperProvider asked for the keeper')
  return keeper
}
