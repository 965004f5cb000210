import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { type DayButton, DayPicker } from 'react-day-picker'
import { zhCN } from 'react-day-picker/locale/zh-CN'
import { shanghai, weekdayName } from '../../base/dates.ts'
import './calendar.css'

export interface CalendarProps {
  /** Days that are chosen, as `2026-11-20`; the last one is shown first, without one today. Empty ones count as none. */
  chosen: readonly string[]
  /** More than one can be chosen. */
  several?: boolean
  min: string
  max: string
  /** Whether the exchanges are shut on a day; null while that is not known. Left out, every day can be chosen. */
  closed?: ((date: string) => boolean | null) | undefined
  onPick: (date: string) => void
  /** The year that is shown, whose closed days are needed. */
  onYear?: ((year: number) => void) | undefined
}

const dayOf = (date: string): Date => {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day)
}
const two = (number: number) => String(number).padStart(2, '0')
const dateOf = (day: Date): string => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
const words = new Intl.DateTimeFormat('zh-CN', { dateStyle: 'full' })

/**
 * A month whose closed days say so and cannot be chosen. Arrows walk over them, so that they are heard; PageUp and PageDown turn the month
 * (ARIA APG: date picker). Chosen days are the caller's.
 */
export function Calendar({ chosen, several = false, min, max, closed, onPick, onYear }: CalendarProps) {
  const [month, setMonth] = useState(() => {
    const day = chosen.at(-1) || shanghai(Date.now()).date
    return dayOf(day < min ? min : day > max ? max : day)
  })
  const year = month.getFullYear()
  useEffect(() => onYear?.(year), [year, onYear])
  /** Why a day cannot be chosen; null: it can. What is not known is not said to be closed. */
  const whyOff = (day: Date): string | null => {
    const date = dateOf(day)
    if (date < min || date > max) return '不在可选范围内'
    const isClosed = closed === undefined ? false : closed(date)
    if (isClosed === null) return '交易日历尚未读到'
    return isClosed ? '休市' : null
  }
  const days = chosen.filter(Boolean).map(dayOf)
  // Without `onSelect` the library keeps a choice of its own.
  const onSelect = (_: unknown, day: Date) => {
    if (whyOff(day) === null) onPick(dateOf(day))
  }
  return (
    <DayPicker
      className="calendar"
      {...(several ? { mode: 'multiple' as const, selected: days } : { mode: 'single' as const, selected: days.at(-1) })}
      onSelect={onSelect}
      locale={zhCN}
      autoFocus
      captionLayout="dropdown"
      navLayout="around"
      startMonth={dayOf(min)}
      endMonth={dayOf(max)}
      month={month}
      onMonthChange={setMonth}
      // Not the library's own `disabled`: with it the arrows skip closed days in silence.
      modifiers={{ off: (day) => whyOff(day) !== null }}
      components={{ DayButton: Day }}
      labels={{
        labelDayButton: (day, { selected }) => [words.format(day), whyOff(day) ?? [], selected ? '已选' : []].flat().join('，'),
        labelPrevious: () => '上个月',
        labelNext: () => '下个月',
        labelMonthDropdown: () => '月',
        labelYearDropdown: () => '年',
      }}
      formatters={{
        formatYearDropdown: (day) => `${day.getFullYear()} 年`,
        formatMonthDropdown: (day) => `${day.getMonth() + 1} 月`,
        formatWeekdayName: (day) => weekdayName(dateOf(day)).slice(1),
      }}
    />
  )
}

function Day({ day: _, modifiers, ...attributes }: ComponentProps<typeof DayButton>) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (modifiers['focused']) button.current?.focus()
  }, [modifiers])
  return <button ref={button} {...attributes} aria-disabled={modifiers['off'] ? true : undefined} />
}
