/** A name on hover and on focus (U-219). It repeats what a screen reader hears already, so it carries no role of its own. */
import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { Kbd } from './kbd.tsx'

interface TipProps {
  readonly label: string
  readonly keys?: string | undefined
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  readonly children: ReactNode
}

/** Wraps one focusable element. Needs `TipProvider` above. */
export function Tip({ label, keys, side = 'bottom', children }: TipProps): ReactNode {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="overlay tooltip" side={side} sideOffset={4} collisionPadding={8}>
          {label}
          {keys === undefined ? null : <Kbd>{keys}</Kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

/** Once, around the app: tooltips after half a second, at once when one was just open. */
export function TipProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Tooltip.Provider delayDuration={500} skipDelayDuration={200}>
      {children}
    </Tooltip.Provider>
  )
}
