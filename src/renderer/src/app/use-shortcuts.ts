/** One listener for the keys of commands. Fields and lists have taken their own keys before it hears them. */
import { useEffect } from 'react'
import { belongsToInputMethod } from '../ui/enter.ts'
import { COMMAND_IDS, canRun, commandOf, runCommand } from './commands.ts'
import { isTextPlace, matches } from './keys.ts'

/** Whether a modal dialog is open: then only its own keys work (U-31). */
const dialogIsOpen = (): boolean => document.querySelector('[role="dialog"][data-state="open"]') !== null

/** Once, in the shell. */
export function useShortcuts(mac: boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || belongsToInputMethod(event, false)) return
      const bare = !event.ctrlKey && !event.metaKey && !event.altKey
      if (bare && (isTextPlace(event.target) || dialogIsOpen())) return
      const id = COMMAND_IDS.find((candidate) => {
        const { keys, told } = commandOf(candidate)
        return keys !== undefined && told !== true && matches(keys, event, mac) && canRun(candidate)
      })
      if (id === undefined || dialogIsOpen()) return
      event.preventDefault()
      runCommand(id)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [mac])
}
