import { useEffect, useState } from 'react'
import { usePhone } from '../../base/use-phone.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { isDeepHere, loadDeep } from './deep.ts'
import { go, requestedPart, watchMoves } from './jump.ts'
import styles from './sections.module.css'

/** The parts of a report in the order of the page; digits jump to them. */
const sections = [
  { id: 'overview', label: '总览' },
  { id: 'periods', label: '年月' },
  { id: 'holdings', label: '持仓' },
  { id: 'trades', label: '交易' },
  { id: 'contributions', label: '贡献' },
  { id: 'risk', label: '风险' },
  { id: 'sensitivity', label: '敏感性' },
  { id: 'robustness', label: '靠谱吗' },
  { id: 'assumptions', label: '口径与假设' },
] as const
export type SectionId = (typeof sections)[number]['id']

/** Brings a part to the top of the page; what stands before it is drawn first, so that it stays there. */
export function jumpTo(id: string): void {
  go(id)
  // The next Tab goes on from here.
  const part = document.getElementById(id)
  if (part) takeFocus(part)
  // Parts whose code is still on its way will push it down: then once more.
  const again = () => void setTimeout(() => requestedPart()?.id === id && go(id), 0)
  // That it does not come is said where it should stand.
  if (!isDeepHere()) void loadDeep().then(again, () => {})
}

/** Below header and subheader, where a section counts as reached. */
const line = 180

function useReached(): SectionId {
  const [current, setCurrent] = useState<SectionId>('overview')
  useEffect(() => {
    const follow = () => {
      const requested = requestedPart()
      const wanted = sections.find(({ id }) => id === requested?.id)
      if (requested && wanted && performance.now() - requested.at < 200) return setCurrent(wanted.id)
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 4
      const reached = sections.findLast(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) <= line,
      )
      setCurrent(atEnd && window.scrollY > 0 ? 'assumptions' : (reached?.id ?? 'overview'))
    }
    window.addEventListener('scroll', follow, { passive: true })
    const stop = watchMoves()
    return () => {
      window.removeEventListener('scroll', follow)
      stop()
    }
  }, [])
  return current
}

/** The report's own menu: sticks under the header, follows the scroll, answers to 1–9; on a phone it floats. */
export function Sections() {
  const current = useReached()
  const phone = usePhone()
  useKeys({
    section: (digit) => {
      const section = sections[Number(digit) - 1]
      if (section) jumpTo(section.id)
    },
  })
  if (phone) return <FloatingSections current={current} />
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

function FloatingSections({ current }: { current: SectionId }) {
  const [open, setOpen] = useState(false)
  const label = sections.find(({ id }) => id === current)?.label
  return (
    <>
      <span className="section-float">
        <Button icon="columns" aria-label={`报告章节，当前在${label}`} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {label}
        </Button>
      </span>
      {open && (
        <Sheet title="报告章节" onClose={() => setOpen(false)}>
          <nav className={styles.sectionSheet} aria-label="报告章节">
            {sections.map(({ id, label: name }) => (
              <button
                key={id}
                type="button"
                aria-current={current === id ? 'page' : undefined}
                onClick={() => {
                  setOpen(false)
                  // The sheet gives the focus back first.
                  setTimeout(() => jumpTo(id), 0)
                }}
              >
                {name}
              </button>
            ))}
          </nav>
        </Sheet>
      )}
    </>
  )
}
