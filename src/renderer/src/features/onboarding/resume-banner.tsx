/** The way back to the choice that was put off (U-43). */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'

interface ResumeBannerProps {
  readonly onResume: () => void
  readonly onClose: () => void
}

/** One quiet line above the composer. */
export function ResumeBanner({ onResume, onClose }: ResumeBannerProps): ReactNode {
  return (
    <div className="flex items-center gap-8 text-12 text-text-2" data-testid="onboarding-banner">
      <span className="min-w-0 flex-1">The scripted demo answers until a provider is chosen.</span>
      <Button size="small" data-testid="onboarding-resume" onClick={onResume}>
        Choose
      </Button>
      <IconButton icon={X} label="Close this line" onClick={onClose} />
    </div>
  )
}
