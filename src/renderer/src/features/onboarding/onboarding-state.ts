/** How far the first run has come; kept, so that it can be left at any step and resumed (U-43). */
import { create } from 'zustand'
import { type Json, z } from '../../../../shared/schema.ts'

export const ONBOARDING_KEY = 'screen.onboarding'

const stored = z.object({
  /** The choice was put off: the demo answers, a banner leads back. */
  skipped: z.boolean().catch(false),
  /** The banner was closed too. */
  bannerClosed: z.boolean().catch(false),
})
type Stored = z.infer<typeof stored>

interface Onboarding extends Stored {
  /** The person came back to the choice through the banner; not kept. */
  readonly resumed: boolean
}

export const useOnboarding = create<Onboarding>(() => ({ skipped: false, bannerClosed: false, resumed: false }))

/** Takes in what was kept; missing or damaged is a first run. */
export const loadOnboarding = (raw: Json | undefined): void =>
  useOnboarding.setState(stored.parse(typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {}))
