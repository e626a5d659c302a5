import type { Clock } from '../../../shared/time.ts'

export interface CommandSpec {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Ends the whole process group when it aborts. */
  readonly signal: AbortSignal
  readonly clock: Clock
  onOutput(stream: 'stdout' | 'stderr', bytes: Uint8Array): void
}

export type CommandExit =
  /** It ran and is over. `leftBehind`: processes it put in the background still run. */
  | { readonly kind: 'exited'; readonly code: number; readonly signal: null; readonly leftBehind: boolean }
  | { readonly kind: 'exited'; readonly code: null; readonly signal: NodeJS.Signals; readonly leftBehind: boolean }
  /** It was ended from here; `stubborn`: something of it survived even SIGKILL. */
  | { readonly kind: 'killed'; readonly stubborn: boolean }
  /** It never started. */
  | { readonly kind: 'not_started'; readonly reason: string }

/** Runs shell commands. Never rejects. */
export interface Commands {
  run(spec: CommandSpec): Promise<CommandExit>
}
