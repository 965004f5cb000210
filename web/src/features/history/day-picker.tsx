import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { dayAfter, dayWords } from '../../base/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/controls.tsx'
import { useFloating } from '../../ui/form/floating.ts'
import { Icon } from '../../ui/icon.tsx'
import type { DataRange } from '../rule/draft.ts'
import { monthAfter, weeksOf } from '../rule/trading-days.ts'
import { useClosed } from '../rule/use-trading-days.ts'
import './day-picker.css'

const weekdays = ['一', '二', '三', '四', '五', '六', '日']

/**
 * A day of trade from a month's sheet: closed days cannot be chosen. One day closes it; of several each press adds or takes away. Arrows walk,
 * PageUp and PageDown turn the month.
 */
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
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useFloating(open, root, panel, false)
  useEffect(() => {
    if (!open) return
    const away = (event: Event) => !root.current?.contains(event.target as Node) && setOpen(false)
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [open])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc is heard for the button and the panel inside
    <span
      ref={root}
      className="day-picker"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <button
        ref={button}
        type="button"
        className="field"
        aria-label={`${label} ${words}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span>{words}</span>
        <Icon name="calendar" size="middle" />
      </button>
      <div ref={panel} className="day-picker-panel" role="dialog" aria-label={label} popover="manual">
        {open && (
          <Month
            chosen={chosen}
            range={range}
            onPick={(date) => {
              onPick(date)
              if (!several) close()
            }}
          />
        )}
      </div>
    </span>
  )
}

function Month({ chosen, range, onPick }: { chosen: readonly string[]; range: DataRange; onPick: (date: string) => void }) {
  const first = chosen.at(-1) ?? range.end
  const [month, setMonth] = useState(first.slice(0, 7))
  const [focus, setFocus] = useState(first)
  const grid = useRef<HTMLTableElement>(null)
  const [year = 0] = month.split('-').map(Number)
  const closed = useClosed([year])
  const moved = useRef(true)
  useEffect(() => {
    if (!moved.current) return
    moved.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${focus}"]`)?.focus()
  })
  const turn = (to: string) => {
    if (to < range.start.slice(0, 7) || to > range.end.slice(0, 7)) return
    setMonth(to)
    setFocus(`${to}-01`)
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
    const step = steps[event.key]
    const turned = event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : 0
    if (step === undefined && turned === 0) return
    event.preventDefault()
    event.stopPropagation()
    moved.current = true
    if (turned !== 0) return turn(monthAfter(month, turned))
    const next = dayAfter(focus, step)
    if (next < range.start || next > range.end) return
    setFocus(next)
    setMonth(next.slice(0, 7))
  }
  const years = Array.from(
    { length: Number(range.end.slice(0, 4)) - Number(range.start.slice(0, 4)) + 1 },
    (_, i) => Number(range.start.slice(0, 4)) + i,
  )
  return (
    <>
      <header>
        <Button
          look={['ghost', 'square', 'small']}
          icon="left"
          aria-label="上个月"
          disabled={month <= range.start.slice(0, 7)}
          onClick={() => turn(monthAfter(month, -1))}
        />
        <Select
          label="年"
          width={80}
          value={year}
          choices={years.map((value) => ({ value, label: `${value} 年` }))}
          onChange={(next) => turn(clamped(`${next}${month.slice(4)}`, range))}
        />
        <b>{Number(month.slice(5))} 月</b>
        <Button
          look={['ghost', 'square', 'small']}
          icon="right"
          aria-label="下个月"
          disabled={month >= range.end.slice(0, 7)}
          onClick={() => turn(monthAfter(month, 1))}
        />
      </header>
      <table ref={grid} onKeyDown={press}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={`星期${name}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const off = day < range.start || day > range.end || closed(day) !== false
                const other = !day.startsWith(month)
                return (
                  <td key={day}>
                    {!other && (
                      <button
                        type="button"
                        data-day={day}
                        tabIndex={day === focus ? 0 : -1}
                        aria-pressed={chosen.includes(day)}
                        aria-disabled={off}
                        aria-label={off ? `${dayWords(day)}，休市` : dayWords(day)}
                        onFocus={() => setFocus(day)}
                        onClick={() => !off && onPick(day)}
                      >
                        {Number(day.slice(8))}
                      </button>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function clamped(month: string, range: DataRange): string {
  const [low, high] = [range.start.slice(0, 7), range.end.slice(0, 7)]
  return month < low ? low : month > high ? high : month
}
