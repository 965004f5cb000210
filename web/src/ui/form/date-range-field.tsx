import { ruleLabels } from '@convexa/contract/rule-labels'
import { type Choice, Segmented } from '../controls.tsx'
import type { Control } from './control.ts'
import { DateField } from './date-field.tsx'
import type { DateRange } from './rules.ts'

export interface RangePreset {
  label: string
  range: DateRange
}

/** From one day to another, typed, picked, or by a preset. */
export function DateRangeField({
  value,
  onChange,
  presets = [],
  data,
  closed,
  onYear,
  ...control
}: Control & {
  value: DateRange
  onChange: (value: DateRange) => void
  presets?: readonly RangePreset[]
  /** What can be chosen. */
  data?: DateRange
  closed?: ((date: string) => boolean | null) | undefined
  onYear?: ((year: number) => void) | undefined
}) {
  const chosen = presets.findIndex(({ range }) => range.start === value.start && range.end === value.end)
  const choices: Choice<number>[] = presets.map(({ label }, index) => ({ value: index, label }))
  const { id, label: _, ...both } = control
  return (
    <span className="date-range">
      <DateField
        {...both}
        id={id}
        label={ruleLabels.start_date}
        value={value.start}
        min={data?.start}
        max={data?.end}
        closed={closed}
        onYear={onYear}
        onChange={(start) => onChange({ ...value, start })}
      />
      <span className="text-3">~</span>
      <DateField
        {...both}
        name={undefined}
        label={ruleLabels.end_date}
        value={value.end}
        min={data?.start}
        max={data?.end}
        closed={closed}
        onYear={onYear}
        onChange={(end) => onChange({ ...value, end })}
      />
      {presets.length > 0 && (
        <Segmented
          label="常用区间"
          value={chosen < 0 ? null : chosen}
          choices={choices}
          onChange={(index) => {
            const preset = presets[index]
            if (preset) onChange(preset.range)
          }}
        />
      )}
    </span>
  )
}
