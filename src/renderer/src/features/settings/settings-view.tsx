/** Settings: pages on the left, one page at a time. Loaded when first opened. */
import type { ReactNode } from 'react'
import { SETTINGS_PAGES, type SettingsPage, useNavigation } from '../../app/navigation.ts'
import { AboutPage } from './about-page.tsx'
import { ConfigurationPage } from './configuration-page.tsx'
import { GeneralPage } from './general-page.tsx'
import { ModelsPage } from './models-page.tsx'

const titles: Record<SettingsPage, string> = {
  general: 'Appearance',
  models: 'Models and keys',
  configuration: 'Configuration',
  about: 'About',
}

const pages: Record<SettingsPage, () => ReactNode> = {
  general: GeneralPage,
  models: ModelsPage,
  configuration: ConfigurationPage,
  about: AboutPage,
}

/** The main region while the view is `settings`. */
export default function SettingsView({ page }: { readonly page: SettingsPage }): ReactNode {
  const go = useNavigation((state) => state.go)
  const Page = pages[page]
  return (
    <>
      <header className="flex h-[44px] flex-none items-center border-b border-line px-16">
        <h1 className="m-0 text-14 font-semibold">Settings</h1>
      </header>
      <div className="flex min-h-0 flex-1 max-narrow:flex-col">
        <nav aria-label="Settings pages" className="settings-nav">
          {SETTINGS_PAGES.map((name) => (
            <button
              key={name}
              type="button"
              className="nav-row"
              data-testid={`settings-${name}`}
              aria-current={name === page ? 'page' : undefined}
              onClick={() => go({ kind: 'settings', page: name })}
            >
              {titles[name]}
            </button>
          ))}
        </nav>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className="min-h-0 min-w-0 flex-1 overflow-y-auto" aria-label={titles[page]} tabIndex={0}>
          <div className="flex max-w-[760px] flex-col gap-24 p-24">
            <h2 className="m-0 text-16 font-semibold">{titles[page]}</h2>
            <Page />
          </div>
        </section>
      </div>
    </>
  )
}
