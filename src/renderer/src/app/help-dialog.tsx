/** The keys that work right here (U-33), from the same table the shortcuts use. */
import type { ReactNode } from 'react'
import { useTransportKind } from '../client/client-context.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { COMMAND_IDS, canRun, commandOf, SCOPES, type Scope } from './commands.ts'
import { spell } from './keys.ts'
import { useView } from './navigation.ts'
import { useMac } from './platform.ts'

const titles: Record<Scope, string> = {
  anywhere: 'Anywhere',
  chat: 'In a chat',
  approval: 'In a question that holds the focus',
  list: 'In the list of chats',
}

/** Mounted while open. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const mac = useMac()
  const view = useView()
  const inTab = useTransportKind() === 'ws'
  const scopes = SCOPES.filter((scope) => view.kind === 'chat' || (scope !== 'chat' && scope !== 'approval'))
  return (
    <Dialog
      title="Keys that work here"
      onClose={onClose}
      {...(inTab ? { description: 'A browser tab keeps some of them for itself, a new window for example.' } : {})}
    >
      <div className="grid grid-cols-2 gap-x-24 gap-y-16 max-narrow:grid-cols-1">
        {scopes.map((scope) => (
          <section key={scope} aria-label={titles[scope]}>
            <h3 className="m-0 mb-4 text-12 font-semibold text-text-2">{titles[scope]}</h3>
            <dl className="m-0">
              {COMMAND_IDS.filter((id) => shown(id, scope)).map((id) => (
                <div key={id} className="flex min-h-24 items-center gap-12">
                  <dt className="flex-1">{commandOf(id).title}</dt>
                  <dd className="m-0">
                    <Kbd>{spell(commandOf(id).keys ?? '', mac)}</Kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const shown = (id: (typeof COMMAND_IDS)[number], scope: Scope): boolean => {
  const command = commandOf(id)
  return (
    command.scope === scope && command.keys !== undefined && (command.told === true || canRun(id) || id === 'chat.stop')
  )
}
