import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { CalendarPopup } from '../../ui/overlay/late-parts.ts'
import { usePopup } from '../../ui/popup.ts'
import { useClosedYear } from '../rule/closed-year.ts'
import type { DataRange } from '../rule/draft.ts'

/** Several days of trade from a calendar: each press adds one or takes it away. */
export function DayPicker({
  words,
  chosen,
  range,
  onPick,
}: {
  /** On the button. */
  words: string
  chosen: readonly string[]
  range: DataRange
  onPick: (date: string) => void
}) {
  const [year, setYear] = useState<number | null>(null)
  const closed = useClosedYear(year)
  const { open, trigger, place } = usePopup('dialog', 'left', `增减日期 ${words}`)
  return (
    <span className="popover-root">
      <button {...trigger} className="field">
        <span>{words}</span>
        <Icon name="calendar" size="middle" />
      </button>
      {open && (
        <CalendarPopup
          {...place}
          several
          chosen={chosen}
          min={range.start}
          max={range.end}
          closed={closed}
          onYear={setYear}
          onPick={onPick}
        />
      )}
    </span>
  )
}
