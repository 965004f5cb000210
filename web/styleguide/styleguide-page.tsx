import { useState } from 'react'
import { type Density, type Rise, type Theme, usePreferences } from '../src/state/preferences.ts'
import { Checkbox, Segmented } from '../src/ui/controls.tsx'
import { PageTitle } from '../src/ui/page-title.tsx'
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
const rises = [
  { value: 'red', label: '红涨绿跌' },
  { value: 'green', label: '绿涨红跌' },
] as const satisfies readonly { value: Rise; label: string }[]
const widths = [
  { value: 0, label: '全宽' },
  { value: 768, label: '768' },
  { value: 390, label: '390' },
] as const

/** Inside another one, at a width of its own: the parts alone. */
const framed = window.self !== window.top

/** Every shared part in each of its states; in development only. */
export function StyleguidePage() {
  if (framed) return <Parts />
  return <Workshop />
}

function Workshop() {
  const { theme, density, rise, patterns, set } = usePreferences()
  const [width, setWidth] = useState<number>(0)
  return (
    <div className="styleguide">
      <header className="styleguide-bar">
        <h1>部件</h1>
        <Segmented label="主题" value={theme} choices={themes} onChange={(value) => set('theme', value)} />
        <Segmented label="密度" value={density} choices={densities} onChange={(value) => set('density', value)} />
        <Segmented label="涨跌颜色" value={rise} choices={rises} onChange={(value) => set('rise', value)} />
        <Checkbox checked={patterns} onChange={(value) => set('patterns', value)}>
          图案填充
        </Checkbox>
        <Segmented label="宽度" value={width} choices={widths} onChange={setWidth} />
      </header>
      <nav className="styleguide-index" aria-label="部件目录">
        {sections.map(({ key, title }) => (
          <a key={key} href={`#${key}`}>
            {title}
          </a>
        ))}
      </nav>
      {width === 0 ? (
        <Parts />
      ) : (
        // A window of its own: style sheets ask for the window's width, not for a box's.
        <iframe
          key={`${theme} ${density} ${rise} ${patterns}`}
          className="styleguide-frame"
          title={`宽 ${width}`}
          src="/styleguide"
          style={{ width }}
        />
      )}
    </div>
  )
}

function Parts() {
  return (
    <main id="main" className="styleguide-parts">
      <PageTitle>部件</PageTitle>
      {sections.map(({ key, title, Component }) => (
        <section key={key} id={key} className="styleguide-part" aria-labelledby={`${key}-title`}>
          <h2 id={`${key}-title`}>
            <a href={`#${key}`}>{title}</a>
          </h2>
          <Component />
        </section>
      ))}
    </main>
  )
}
