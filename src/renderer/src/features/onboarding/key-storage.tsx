/** Where the key goes, in plain words; without a real secret store the person decides (U-39, U-40). */
import { type ReactNode, useId, useState } from 'react'
import { useHealth } from '../../client/queries.ts'

export interface Keep {
  readonly choice: 'stored' | 'until_quit'
  set(choice: 'stored' | 'until_quit'): void
  /** Whether this platform has a real secret store; undefined while that is not known. */
  readonly secure: boolean | undefined
  readonly detail: string
}

/** *Keep until quit* is the default wherever the store is not secure; nothing is ever stored silently. */
export function useKeep(): Keep {
  const storage = useHealth().data?.key_storage
  const [choice, set] = useState<'stored' | 'until_quit' | null>(null)
  return {
    choice: choice ?? (storage?.secure === true ? 'stored' : 'until_quit'),
    set,
    secure: storage?.secure,
    detail: storage?.detail ?? '',
  }
}

/** One sentence where the store is secure, a choice where it is not. */
export function KeyStorage({ keep }: { readonly keep: Keep }): ReactNode {
  const id = useId()
  if (keep.secure === undefined) return null
  if (keep.secure) return <p className="m-0 text-12 text-text-3">{keep.detail}</p>
  return (
    <fieldset className="m-0 flex flex-col gap-4 rounded-6 border border-line p-12 text-13">
      <legend className="px-4 text-12 font-medium text-warning">This machine offers no safe place for keys</legend>
      <p className="m-0 mb-4 text-text-2">{keep.detail}</p>
      {(['until_quit', 'stored'] as const).map((value) => (
        <label key={value} className="flex min-h-24 items-center gap-8">
          <input
            type="radio"
            name={id}
            className="accent-accent"
            checked={keep.choice === value}
            onChange={() => keep.set(value)}
          />
          {value === 'until_quit' ? 'Keep it until Herma quits' : 'Store it anyway'}
        </label>
      ))}
    </fieldset>
  )
}
