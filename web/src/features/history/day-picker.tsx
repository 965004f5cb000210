import { useState } from 'react'
import { Calendar } from '../../ui/form/calendar-month.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import type { DataRange } from '../rule/draft.ts'
import { useClosed } from '../rule/use-trading-days.ts'

/** A day of trade from a month's sheet: closed days say so and cannot be chosen. One day closes it; of several each press adds or takes away. */
export function DayPicker({
  label,
  words,
  chosen,
  range,
  several = false,
  onPick,
}: {
  label: string
  /** On the button. */
  words: string
  chosen: readonly string[]
  range: DataRange
  several?: boolean
  onPick: (date: string) => void
}) {
  const [year, setYear] = useState(Number((chosen.at(-1) ?? range.end).slice(0, 4)))
  const closed = useClosed([year])
  return (
    <Popover
      className="field"
      label={`${label} ${words}`}
      button={
        <>
          <span>{words}</span>
          <Icon name="calendar" size="middle" />
        </>
      }
    >
      {(close) => (
        <Calendar
          chosen={chosen}
          several={several}
          min={range.start}
          max={range.end}
          closed={closed}
          onYear={setYear}
          onPick={(date) => {
            onPick(date)
            if (!several) close()
          }}
        />
      )}
    </Popover>
  )
}
