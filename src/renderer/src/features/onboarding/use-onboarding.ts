/** Whether the first-run choice, its banner, or neither is due (U-34, U-43). */
import { useState } from 'react'
import type { ProviderInfo, ResultOf } from '../../../../shared/contract/index.ts'
import { useKeeper } from '../../app/kept-state.tsx'
import { NEW_CHAT, useNavigation } from '../../app/navigation.ts'
import { useModelOptions } from '../../client/queries.ts'
import { ONBOARDING_KEY, useOnboarding } from './onboarding-state.ts'

/** Whether the chosen provider can answer: it needs no key, or has one. */
export function isUsable(options: ResultOf<'model.options'>): boolean {
  const provider = options.providers.find(({ name }) => name === options.provider)
  return provider !== undefined && (!provider.needs_key || hasKey(provider))
}

export const hasKey = (provider: ProviderInfo): boolean => provider.key.state === 'set'

export interface FirstRun {
  /** The choice stands in for an empty chat. */
  readonly due: boolean
  /** The demo answers because nobody chose: a banner leads back to the choice. */
  readonly banner: boolean
  /** The chosen provider cannot answer: the same choice stands in the chat (U-43). */
  readonly unusable: boolean
  skip(): void
  resume(): void
  closeBanner(): void
}

/** Stays true once it was, until closed: saving a key must not take the form away before its outcome is read. */
export function useLatch(due: boolean): readonly [open: boolean, close: () => void] {
  const [open, setOpen] = useState(due)
  if (due && !open) setOpen(true)
  return [open, () => setOpen(false)]
}

/** `conversations`: how many there are; undefined while that is not known. */
export function useFirstRun(conversations: number | undefined): FirstRun {
  const keeper = useKeeper()
  const { skipped, bannerClosed, resumed } = useOnboarding()
  const go = useNavigation((state) => state.go)
  const options = useModelOptions().data
  const change = (next: { skipped: boolean; bannerClosed: boolean }): void => {
    useOnboarding.setState({ ...next, resumed: false })
    keeper.keep(ONBOARDING_KEY, next)
  }
  const open = options !== undefined && !options.chosen
  return {
    due: open && (resumed || (!skipped && conversations === 0)),
    banner: open && !bannerClosed && (skipped || (conversations ?? 0) > 0),
    unusable: options?.chosen === true && !isUsable(options),
    skip: () => change({ skipped: true, bannerClosed: false }),
    resume() {
      useOnboarding.setState({ resumed: true })
      go(NEW_CHAT)
    },
    closeBanner: () => change({ skipped: true, bannerClosed: true }),
  }
}
