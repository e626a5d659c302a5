/** Storing a key and choosing its provider, then asking the provider whether it works. The check never blocks (U-38). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from '../../../../shared/contract/index.ts'
import { useClient } from '../../client/client-context.tsx'
import { callOrThrow, refreshHome } from '../../client/queries.ts'

interface Wish {
  readonly provider: string
  /** Empty: the key that is set already, or none. Null: use the one found in the environment. */
  readonly key: string | null
  readonly keep: 'stored' | 'until_quit'
  /** Empty: the first one that the provider names. */
  readonly model: string
  /** Base URL of a compatible endpoint; null = the provider's own. */
  readonly address: string | null
}

export interface Saved {
  readonly provider: string
  readonly model: string
  readonly outcome: ResultOf<'model.test'>['outcome']
  readonly detail: string
  readonly models: readonly string[]
}

/** Saves first, checks afterwards; only a refused save is an error. */
export function useSaveProvider() {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    async mutationFn(wish: Wish): Promise<Saved> {
      const { provider, key, keep } = wish
      const at = wish.address === null ? {} : { base_url: wish.address }
      if (key === null) await callOrThrow(client, 'credentials.use_environment', { provider })
      else if (key !== '') await callOrThrow(client, 'credentials.add', { provider, key, keep })
      if (wish.model !== '') await callOrThrow(client, 'model.set', { provider, model: wish.model, ...at })
      const check = await callOrThrow(client, 'model.test', { provider, ...at })
      const model = wish.model === '' ? (check.models[0] ?? '') : wish.model
      if (wish.model === '' && model !== '') await callOrThrow(client, 'model.set', { provider, model, ...at })
      return { provider, model, outcome: check.outcome, detail: check.detail, models: check.models }
    },
    onSettled: () => refreshHome(cache),
  })
}
