import type { ReactNode } from 'react'
import { setPreferences, usePreferences } from '../../app/preferences.ts'
import { ChoiceRow } from './choice-row.tsx'

/** Theme, contrast and density; each applies at once and is kept (U-240, U-242). */
export function GeneralPage(): ReactNode {
  const { theme, contrast, density } = usePreferences()
  return (
    <div className="flex flex-col gap-16">
      <ChoiceRow
        title="Theme"
        text="System follows the operating system, also when it changes during the day."
        value={theme}
        onChange={(value) => setPreferences({ theme: value })}
        options={[
          { value: 'light', label: 'Light', testId: 'theme-light' },
          { value: 'dark', label: 'Dark', testId: 'theme-dark' },
          { value: 'system', label: 'System', testId: 'theme-system' },
        ]}
      />
      <ChoiceRow
        title="Contrast"
        text="High contrast strengthens quiet text and every edge."
        value={contrast}
        onChange={(value) => setPreferences({ contrast: value })}
        options={[
          { value: 'system', label: 'System', testId: 'contrast-system' },
          { value: 'more', label: 'High', testId: 'contrast-more' },
        ]}
      />
      <ChoiceRow
        title="Density"
        text="Compact rows are 28 px high, regular ones 34."
        value={density}
        onChange={(value) => setPreferences({ density: value })}
        options={[
          { value: 'regular', label: 'Regular', testId: 'density-regular' },
          { value: 'compact', label: 'Compact', testId: 'density-compact' },
        ]}
      />
    </div>
  )
}
