import { dayNumber, firstFrom } from '../base/calendar.ts'
import type { DatedFact } from './dated-fact.ts'
import { absentColumn, clearUnlisted, type Panel, type Security } from './panel.ts'

/**
 * Fields that securities may have as dated facts, where the data have no daily column. flag: 1 while one holds, else 0; number: the
 * fact's number while it holds, amount: and else 0; date: natural days until the date that the fact names.
 */
export const datedFields: Readonly<Record<string, 'flag' | 'number' | 'amount' | 'date'>> = {
  is_st: 'flag',
  index_member_000300: 'flag',
  index_member_000905: 'flag',
  index_member_000852: 'flag',
  buyback_flag: 'flag',
  reduce_flag: 'flag',
  inquiry_flag: 'flag',
  total_share: 'number',
  float_share: 'number',
  free_share: 'number',
  forecast_np_yoy: 'number',
  pledge_ratio: 'number',
  unlock_ratio_30d: 'amount',
  next_report_date: 'date',
}

type Texts = Pick<Security, 'dated' | 'attributes'>

/** The text of a security's attribute on a day: of its dated facts, else what is said of it without dates. */
export function textOn({ dated, attributes }: Texts, key: string, date: string): string | null {
  const facts = dated?.[key]
  return facts ? (factOn(facts, date)?.text ?? null) : attributes[key] || null
}

/** Every text that an attribute has or had. */
export function textsOf({ dated, attributes }: Texts, key: string): string[] {
  const facts = dated?.[key]
  return facts ? facts.map(({ text }) => text) : attributes[key] ? [attributes[key]] : []
}

/** The days on which the attribute of some security changes. */
export function changesOf(securities: readonly Pick<Security, 'dated'>[], key: string): string[] {
  return securities.flatMap(({ dated }) => (dated?.[key] ?? []).flatMap(({ from, to }) => [from, to]).filter((date) => date !== null))
}

/** Facts do not overlap: the one of the day, if there is one. */
function factOn(facts: readonly DatedFact[], date: string): DatedFact | undefined {
  return facts.find(({ from, to }) => (from === null || from <= date) && (to === null || date < to))
}

// Read for every request, made once per list of securities.
const keysBySecurities = new WeakMap<readonly Pick<Security, 'dated'>[], ReadonlySet<string>>()

/** Keys of which some security has dated facts. */
export function datedKeys(securities: readonly Pick<Security, 'dated'>[]): ReadonlySet<string> {
  const known = keysBySecurities.get(securities)
  if (known) return known
  const keys = new Set(securities.flatMap(({ dated }) => (dated ? Object.keys(dated) : [])))
  keysBySecurities.set(securities, keys)
  return keys
}

/** A day of a field of dated facts: the cells out[at …] of `count` securities from `first` on. */
type DatedRow = (row: { out: Float64Array; at: number; count: number; day: number; first: number }) => void

/** A field of dated facts, day by day: no column is made of it. */
export function datedRows({ securities, dates }: Pick<Panel, 'securities' | 'dates'>, key: string): DatedRow {
  const kind = datedFields[key]
  const isDate = kind === 'date'
  const otherwise = kind === 'flag' || kind === 'amount' ? 0 : Number.NaN
  const facts = securities.map(({ dated }) => [...(dated?.[key] ?? [])].sort(byStart))
  const starts = new Int32Array(securities.length + 1)
  facts.forEach((list, i) => {
    starts[i + 1] = starts[i] + list.length
  })
  const all = facts.flat()
  const begins = Int32Array.from(all, ({ from }) => (from === null ? 0 : firstFrom(dates, from)))
  const ends = Int32Array.from(all, ({ to }) => (to === null ? dates.length : firstFrom(dates, to)))
  const numbers = Float64Array.from(all, ({ text }) => (kind === 'flag' ? 1 : isDate ? dayNumber(text) : Number(text)))
  const days = Float64Array.from(dates, dayNumber)
  // Days go forward, so the fact of the day before is where to look.
  const places = starts.slice(0, securities.length).map((start) => start - 1)
  return ({ out, at, count, day, first }) => {
    const minus = isDate ? days[day] : 0
    for (let i = 0; i < count; i++) {
      let k = places[first + i]
      while (k + 1 < starts[first + i + 1] && begins[k + 1] <= day) k++
      while (k >= starts[first + i] && begins[k] > day) k--
      places[first + i] = k
      out[at + i] = k >= starts[first + i] && day < ends[k] ? numbers[k] - minus : otherwise
    }
  }
}

function byStart(a: DatedFact, b: DatedFact): number {
  const [x, y] = [a.from ?? '', b.from ?? '']
  return x < y ? -1 : x > y ? 1 : 0
}

/** The same as a column; null when it is no such field, or nobody has one. */
export function datedColumn(panel: Panel, key: string): Float64Array | null {
  if (!datedFields[key] || !datedKeys(panel.securities).has(key)) return null
  const { dates, stride, securities } = panel
  const column = absentColumn(panel)
  const fillRow = datedRows(panel, key)
  for (let day = 0; day < dates.length; day++) fillRow({ out: column, at: day * stride, count: securities.length, day, first: 0 })
  clearUnlisted(column, panel, 0, dates.length)
  return column
}
