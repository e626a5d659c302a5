import { useInfo, useTransportKind } from '../client/client-context.tsx'
import { type CommandId, commandOf } from './commands.ts'
import { spell } from './keys.ts'

/** Whether ⌘ is the main modifier here. In a browser tab that is the browser's machine, not the core's. */
export function useMac(): boolean {
  const { platform } = useInfo()
  const kind = useTransportKind()
  return kind === 'ws' ? /Mac|iPhone|iPad/.test(navigator.userAgent) : platform === 'darwin'
}

/** The keys of a command as this platform writes them. */
export function useKeysOf(id: CommandId): string | undefined {
  const mac = useMac()
  const { keys } = commandOf(id)
  return keys === undefined ? undefined : spell(keys, mac)
}
