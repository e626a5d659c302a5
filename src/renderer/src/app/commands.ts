/**
 * Every action by name (U-28): id, title, where it works, its default keys. Buttons, menus and shortcuts run the same
 * command; the view that can do it brings the function while it is mounted.
 */
import { useEffect, useRef } from 'react'
import { create } from 'zustand'

export const SCOPES = ['anywhere', 'chat', 'approval', 'list'] as const
export type Scope = (typeof SCOPES)[number]

interface CommandSpec {
  readonly title: string
  readonly scope: Scope
  readonly keys?: string
  /** The field or list that holds focus reacts to these keys itself; here they are only told. */
  readonly told?: true
}

const table = {
  'chat.new': { title: 'New chat', scope: 'anywhere', keys: 'Mod+N' },
  'sidebar.toggle': { title: 'Show or hide the sidebar', scope: 'anywhere', keys: 'Mod+B' },
  'go.back': { title: 'Back', scope: 'anywhere', keys: 'Mod+[' },
  'go.forward': { title: 'Forward', scope: 'anywhere', keys: 'Mod+]' },
  'go.chats': { title: 'Go to chats', scope: 'anywhere', keys: 'Mod+2' },
  'go.settings': { title: 'Settings', scope: 'anywhere', keys: 'Mod+,' },
  'approval.focus': { title: 'Go to the oldest question', scope: 'anywhere', keys: 'Mod+Shift+A' },
  'help.keys': { title: 'Keys that work here', scope: 'anywhere', keys: '?' },
  'chat.send': { title: 'Send, or queue while a turn runs', scope: 'chat', keys: 'Enter', told: true },
  'chat.newline': { title: 'New line', scope: 'chat', keys: 'Shift+Enter', told: true },
  'chat.stop': { title: 'Stop the running turn', scope: 'chat', keys: 'Mod+.' },
  'chat.recall': { title: 'Recall the last message, in an empty composer', scope: 'chat', keys: 'Up', told: true },
  'chat.scroll': { title: 'Scroll the transcript, also from the composer', scope: 'chat', keys: 'PageUp', told: true },
  'chat.latest': { title: 'Jump to the latest message and follow', scope: 'chat', keys: 'Mod+ArrowDown' },
  'chat.rename': { title: 'Rename this chat', scope: 'chat' },
  'approval.once': { title: 'Allow once', scope: 'approval', keys: 'A', told: true },
  'approval.session': { title: 'Allow for this session', scope: 'approval', keys: 'S', told: true },
  'approval.deny': { title: 'Deny', scope: 'approval', keys: 'D', told: true },
  'list.next': { title: 'Next chat', scope: 'list', keys: 'J', told: true },
  'list.previous': { title: 'Previous chat', scope: 'list', keys: 'K', told: true },
  'list.open': { title: 'Open the chat', scope: 'list', keys: 'Enter', told: true },
  'list.rename': { title: 'Rename the chat', scope: 'list', keys: 'F2', told: true },
} as const satisfies Record<string, CommandSpec>

export type CommandId = keyof typeof table
export const COMMAND_IDS = Object.keys(table) as readonly CommandId[]
export const isCommandId = (id: string): id is CommandId => Object.hasOwn(table, id)
export const commandOf = (id: CommandId): CommandSpec => table[id]

type Run = () => void
/** Who can do it now; the last one mounted is the one in front. */
const useRunners = create<{ runners: ReadonlyMap<CommandId, readonly Run[]> }>(() => ({ runners: new Map() }))

const change = (id: CommandId, edit: (runs: readonly Run[]) => readonly Run[]): void =>
  useRunners.setState(({ runners }) => ({ runners: new Map(runners).set(id, edit(runners.get(id) ?? [])) }))

/** Offers to run a command while mounted and `able`. The function may change between renders. */
export function useCommand(id: CommandId, run: Run, able = true): void {
  const now = useRef(run)
  now.current = run
  useEffect(() => {
    if (!able) return
    const mine = (): void => now.current()
    change(id, (runs) => [...runs, mine])
    return () => change(id, (runs) => runs.filter((other) => other !== mine))
  }, [id, able])
}

/** Runs a command if something in front can do it. False otherwise. */
export function runCommand(id: CommandId): boolean {
  const run = useRunners.getState().runners.get(id)?.at(-1)
  run?.()
  return run !== undefined
}

/** Whether a command can be run now, without subscribing. */
export const canRun = (id: CommandId): boolean => (useRunners.getState().runners.get(id)?.length ?? 0) > 0
