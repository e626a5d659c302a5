import { useSyncExternalStore } from 'react'

/** Under 820 px the sidebar is an overlay (U-22). The style sheet holds the same number. */
const query = (): MediaQueryList => window.matchMedia('(max-width: 819px)')

const listen = (listener: () => void): (() => void) => {
  const list = query()
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

/** Whether the window is too narrow for a sidebar beside the view. */
export const useNarrow = (): boolean => useSyncExternalStore(listen, () => query().matches)
