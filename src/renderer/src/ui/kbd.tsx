import type { ReactNode } from 'react'

/** A key or a combination, as the platform writes it. */
export function Kbd({ children }: { readonly children: ReactNode }): ReactNode {
  return <kbd className="kbd">{children}</kbd>
}
