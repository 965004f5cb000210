import { operandsOf } from '@convexa/contract/enums/operator'
import type { DictionaryKey } from '@convexa/contract/reference'
import type { FilterFactor } from '@convexa/contract/strategy'
import { useDictionaries } from '../../api/dictionary.ts'
import { plain } from '../../base/format.ts'
import { NumberField } from '../../ui/controls.tsx'
import { MultiSelect } from '../../ui/form/multi-select.tsx'
import { unfilled } from '../rule/draft.ts'
import { type Factors, shownAs } from '../rule/factors.ts'
import styles from './builder.module.css'

/** Factors whose values are words, and the dictionary that has them. */
export const wordedFactors: Readonly<Record<string, DictionaryKey>> = { rating: 'cb_rating', call_status: 'cb_call_status' }

/** Pixels: a number's field is no narrower than this. */
const narrowest = { one: 62, ofTwo: 30 }
/** So many digits, two for a sign of the unit, stand on the line and leave the factor's name its room. */
const most = 10

/** How much a number takes in its field: digits (`--digit` wide, wider on a phone), and pixels beside them. */
interface Room {
  readonly digits: number
  readonly beside: number
  readonly least: number
}

function roomsOf({ operation, value }: FilterFactor, { scale, unit }: { scale: number; unit: string }): Room[] {
  const digits = (number: number) => (Number.isFinite(number) ? plain(number * scale).length : 0)
  if (operandsOf(operation) === 'range' && Array.isArray(value))
    return value.map((one) => ({ digits: digits(Number(one)), beside: 10, least: narrowest.ofTwo }))
  return typeof value === 'number' ? [{ digits: digits(value), beside: 16 + (unit ? unit.length * 12 + 4 : 0), least: narrowest.one }] : []
}

const widthOf = (room: Room | undefined): string =>
  room ? `max(${room.least}px, calc(${room.digits} * var(--digit) + ${room.beside}px))` : `${narrowest.one}px`

/** How a condition's numbers are typed. */
function typedAs({ operation, factor_key: ref }: FilterFactor, factors: Factors): { scale: number; unit: string } {
  if (operandsOf(operation) === 'share') return { scale: 100, unit: '%' }
  const { scale, unit } = shownAs(factors.of(ref))
  return { scale, unit: unit === '亿元' ? '亿' : unit === '万元' ? '万' : unit }
}

/** Its numbers take so much room that they stand on a line of their own. */
export function isLong(row: FilterFactor, factors: Factors): boolean {
  const typed = typedAs(row, factors)
  const unit = operandsOf(row.operation) === 'range' ? 0 : 2 * typed.unit.length
  return roomsOf(row, typed).reduce((sum, { digits }) => sum + digits, unit) > most
}

/** With what a condition compares: a number in the unit of its factor, two of them, some words. */
export function ConditionValue({
  row,
  name,
  factors,
  invalid,
  onChange,
}: {
  row: FilterFactor
  name: string
  factors: Factors
  invalid: boolean
  onChange: (value: FilterFactor['value']) => void
}) {
  const typed = typedAs(row, factors)
  const shared = { ...typed, invalid }
  const rooms = roomsOf(row, typed)
  if (factors.isWaiting && typeof row.value !== 'string') return <span className={`skeleton ${styles.conditionValue}`} />
  const operands = operandsOf(row.operation)
  if (operands === 'none') return <span className={styles.conditionValue} />
  const dictionary = wordedFactors[row.factor_key]
  if (operands === 'list' && dictionary && Array.isArray(row.value))
    return <WordedValue dictionary={dictionary} name={name} value={row.value.map(String)} onChange={onChange} />
  if (operands === 'range' && Array.isArray(row.value)) {
    const [low, high] = row.value as [number, number]
    return (
      <span className={`${styles.conditionValue} ${styles.pair}`}>
        <NumberField
          label={`${name}下限`}
          {...shared}
          unit={undefined}
          width={widthOf(rooms[0])}
          value={low}
          onChange={(value) => onChange([value ?? unfilled, high])}
        />
        <NumberField
          label={`${name}上限`}
          {...shared}
          unit={undefined}
          width={widthOf(rooms[1])}
          value={high}
          onChange={(value) => onChange([low, value ?? unfilled])}
        />
      </span>
    )
  }
  if (typeof row.value !== 'number') {
    return (
      <span className={`field ${styles.conditionValue}`} title={String(row.value)}>
        <input
          aria-label={`${name}取值`}
          value={Array.isArray(row.value) ? row.value.join(',') : row.value}
          onChange={({ currentTarget: { value } }) => onChange(operands === 'list' ? value.split(/[,，]/) : value)}
        />
      </span>
    )
  }
  return (
    <NumberField
      label={`${name}取值`}
      {...shared}
      width={widthOf(rooms[0])}
      value={row.value}
      placeholder="取值"
      onChange={(value) => onChange(value ?? unfilled)}
    />
  )
}

/** Some of a dictionary's words. */
function WordedValue({
  dictionary,
  name,
  value,
  onChange,
}: {
  dictionary: DictionaryKey
  name: string
  value: string[]
  onChange: (value: string[]) => void
}) {
  const dictionaries = useDictionaries(dictionary)
  const options = dictionaries.of(dictionary).map((option) => ({ value: String(option.value), label: option.label }))
  return <MultiSelect label={`${name}取值`} width={92} value={value} options={options} placeholder="选择" onChange={onChange} />
}
