import { useRef, useState } from 'react'
import { isComposing } from '../../base/composing.ts'
import { isDate, readDate, shanghai } from '../../base/dates.ts'
import { halfWidth } from '../../base/read-number.ts'
import { Icon } from '../icon.tsx'
import { CalendarPopup } from '../overlay/late-parts.ts'
import { usePopup } from '../popup.ts'
import { type Control, fieldClass, wired } from './control.ts'

/** What can be chosen where the caller has no bounds: from the exchanges' first day of trade to the end of next year. */
const first = '1990-12-19'
const last = () => `${shanghai(Date.now()).year + 1}-12-31`

/** A date typed as `2026-11-20` or in another of our ways, or picked from a calendar. */
export function DateField({
  value,
  onChange,
  min,
  max,
  closed,
  onYear,
  ...control
}: Control & {
  value: string
  onChange: (value: string) => void
  min?: string | undefined
  max?: string | undefined
  /** Of a trading day: whether the exchanges are shut on a day, null while that is not known. Such a day is not picked; it can be typed. */
  closed?: ((date: string) => boolean | null) | undefined
  /** The year that the calendar shows, whose closed days are needed. */
  onYear?: ((year: number) => void) | undefined
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const box = useRef<HTMLSpanElement>(null)
  const { open, trigger, place } = usePopup('dialog', 'left', `选择${control.label ?? '日期'}`)
  const invalid = control.invalid || (typed !== null && readDate(typed) === null)
  const take = () => {
    const date = typed === null ? null : readDate(typed)
    if (date && date !== value) onChange(date)
  }
  return (
    <span ref={box} className={fieldClass('date', { ...control, invalid })}>
      <input
        {...wired({ ...control, invalid })}
        autoComplete="off"
        placeholder="年-月-日"
        value={typed ?? value}
        onFocus={() => setTyped(value)}
        onBlur={() => {
          // `2026/1/1` may be on its way to `2026/1/15`: it counts as it is left.
          take()
          setTyped(null)
          control.onBlur?.()
        }}
        onKeyDown={(event) => {
          // What Enter or Ctrl+Enter begins, begins with the date that is seen.
          if (event.key === 'Enter' && !isComposing(event.nativeEvent)) take()
        }}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          const date = halfWidth(currentTarget.value)
          if (isDate(date)) onChange(date)
        }}
      />
      <button {...trigger} disabled={control.disabled}>
        <Icon name="calendar" size="middle" />
      </button>
      {open && (
        <CalendarPopup
          {...place}
          box={box}
          chosen={[value]}
          min={min ?? first}
          max={max ?? last()}
          closed={closed}
          onYear={onYear}
          onPick={onChange}
        />
      )}
    </span>
  )
}
