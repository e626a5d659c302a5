/** A dialog over everything: one title, one body, Escape closes it and nothing else (U-32). */
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly title: string
  /** One sentence under the title; heard when the dialog opens. */
  readonly description?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Shown as long as it is mounted. Focus is kept inside and returns to the opener (U-217). */
export function Dialog({ title, description, onClose, children }: DialogProps): ReactNode {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="veil" />
        <Radix.Content
          className="overlay dialog"
          // The dialog itself takes the focus: its name is heard, and no tooltip opens on the first button.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            ;(event.currentTarget as HTMLElement).focus()
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="flex flex-none items-start gap-12 border-b border-line px-16 py-12">
            <div className="min-w-0 flex-1">
              <Radix.Title className="m-0 text-14 font-semibold">{title}</Radix.Title>
              {description === undefined ? null : (
                <Radix.Description className="m-0 text-12 text-text-3">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton icon={X} label="Close" />
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-16">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
