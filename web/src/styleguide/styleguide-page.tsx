import { useState } from 'react'
import { type Density, type Theme, usePreferences } from '../state/preferences.ts'
import { Segmented } from '../ui/controls.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import type { SectionFile } from './section-file.ts'
import './styleguide.css'

const files = import.meta.glob<SectionFile>('./*.section.tsx', { eager: true })
const sections = Object.values(files).flatMap((file) => file.sections)

const themes = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
] as const satisfies readonly { value: Theme; label: string }[]
const densities = [
  { value: 'compact', label: '紧凑' },
  { value: 'standard', label: '标准' },
] as const satisfies readonly { value: Density; label: string }[]
const widths = [
  { value: 'full', label: '全宽' },
  { value: 'tablet', label: '768' },
  { value: 'phone', label: '390' },
] as const

/** Every shared part in each of its states; in development only. */
export function StyleguidePage() {
  const { theme, density, set } = usePreferences()
  const [width, setWidth] = useState<(typeof widths)[number]['value']>('full')
  return (
    <div className="styleguide" data-width={width}>
      <PageTitle>部件</PageTitle>
      <header className="styleguide-bar">
        <h1>部件</h1>
        <Segmented label="主题" value={theme} choices={themes} onChange={(value) => set('theme', value)} />
        <Segmented label="密度" value={density} choices={densities} onChange={(value) => set('density', value)} />
        <Segmented label="宽度" value={width} choices={widths} onChange={setWidth} />
      </header>
      <nav className="styleguide-index" aria-label="部件目录">
        {sections.map(({ key, title }) => (
          <a key={key} href={`#${key}`}>
            {title}
          </a>
        ))}
      </nav>
      <main id="main" className="styleguide-parts">
        {sections.map(({ key, title, Component }) => (
          <section key={key} id={key} className="styleguide-part" aria-labelledby={`${key}-title`}>
            <h2 id={`${key}-title`}>
              <a href={`#${key}`}>{title}</a>
            </h2>
            <Component />
          </section>
        ))}
      </main>
    </div>
  )
}
