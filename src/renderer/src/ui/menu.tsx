/** Menus: what a button opens, by pointer and by keyboard. */
import type { LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { Kbd } from './kbd.tsx'

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
  readonly side?: 'top' | 'bottom'
}

/** A menu under its trigger. Focus goes back to the trigger when it closes (U-217). */
export function Menu({ trigger, children, align = 'start', side = 'bottom' }: MenuProps): ReactNode {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="overlay menu" align={align} side={side} sideOffset={4} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface MenuItemProps {
  readonly icon?: LucideIcon
  readonly keys?: string
  readonly disabled?: boolean
  readonly onSelect: () => void
  readonly children: ReactNode
}

/** One command of a menu. */
export function MenuItem({ icon: Icon, keys, disabled = false, onSelect, children }: MenuItemProps): ReactNode {
  return (
    <DropdownMenu.Item className="menu-item" disabled={disabled} onSelect={onSelect}>
      {Icon === undefined ? null : <Icon size={16} strokeWidth={1.75} aria-hidden />}
      <span className="flex-1">{children}</span>
      {keys === undefined ? null : <Kbd>{keys}</Kbd>}
    </DropdownMenu.Item>
  )
}
