import { useEffect, useState } from 'react'
import { useKeys } from '../../keys/use-keys.ts'

/** The parts of a report in the order of the page; digits jump to them. */
export const sections = [
  { id: 'overview', label: '总览' },
  { id: 'periods', label: '年月' },
  { id: 'holdings', label: '持仓与贡献' },
  { id: 'day', label: '某日持仓' },
  { id: 'trades', label: '交易' },
  { id: 'metrics', label: '指标' },
  { id: 'assumptions', label: '口径与假设' },
] as const

/** Where somebody went on purpose counts as reached, even when the page ends too early to bring it to the top. */
let asked: { id: string; at: number } | null = null

export function jumpTo(id: string): void {
  asked = { id, at: performance.now() }
  document.getElementById(id)?.scrollIntoView({ block: 'start', behavior: 'auto' })
  window.dispatchEvent(new Event('scroll'))
}

/** Below header and subheader, where a section counts as reached. */
const line = 180

/** The report's own menu: sticks under the header, follows the scroll, answers to 1–7. */
export function Sections() {
  const [current, setCurrent] = useState<string>(sections[0].id)
  useKeys({
    section: (digit) => {
      const section = sections[Number(digit) - 1]
      if (section) jumpTo(section.id)
    },
  })
  useEffect(() => {
    const follow = () => {
      if (asked && performance.now() - asked.at < 200) return setCurrent(asked.id)
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 4
      const reached = sections.filter(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) <= line,
      )
      setCurrent(atEnd && window.scrollY > 0 ? 'assumptions' : (reached.at(-1)?.id ?? 'overview'))
    }
    window.addEventListener('scroll', follow, { passive: true })
    return () => {
      window.removeEventListener('scroll', follow)
    }
  }, [])
  return (
    <nav className="tabs report-sections" aria-label="报告章节">
      {sections.map(({ id, label }, i) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={current === id ? 'page' : undefined}
          onClick={(event) => {
            event.preventDefault()
            jumpTo(id)
          }}
        >
          {label}
          <em>{i + 1}</em>
        </a>
      ))}
    </nav>
  )
}
