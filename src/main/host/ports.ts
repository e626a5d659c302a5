/** What a shell (desktop, serve, command line) gives to the core. */
import type { Clock } from '../../shared/time.ts'

export type SecretStorage = 'os' | 'memory' | 'file'

/** Keys of providers. A renderer never sees more than the last four characters (U-39). */
export interface Secrets {
  /** How keys are kept here, said plainly (U-40). */
  readonly storage: { readonly kind: SecretStorage; readonly secure: boolean; readonly detail: string }
  /** The key, or null. `name` is the provider's name. */
  get(name: string): Promise<string | null>
  /** When and where a key was stored, without the key. */
  describe(name: string): Promise<{ lastFour: string; setAt: number; storage: SecretStorage } | null>
  /** Stores the key; `until_quit` keeps it in memory only. Rejects when the store refuses. */
  set(name: string, key: string, keep: 'stored' | 'until_quit'): Promise<SecretStorage>
  remove(name: string): Promise<boolean>
}

export interface ShellPorts {
  readonly clock: Clock
  readonly secrets: Secrets
  /** Environment variables as the shell saw them at start; the core reads no other. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Diagnostics for developers; never for facts. */
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>): void
}
