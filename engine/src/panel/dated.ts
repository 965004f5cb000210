import { dayNumber } from './calendar.ts'
import type { Panel, Security } from './panel.ts'

/** A fact with its days: it holds from the first on, up to but not including the other; null = open on that side. */
export interface DatedFact {
  readonly from: string | null
  readonly to: string | null
  readonly text: string
}

/**
 * Fields that securities may have as dated facts, where the data have no daily column. flag: 1 while one holds, else 0; number: the
 * fact's number while it holds; date: natural days until the date that the fact names.
 */
export const datedFields: Readonly<Record<string, 'flag' | 'number' | 'date'>> = {
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
  unlock_ratio_30d: 'number',
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
export function factOn(facts: readonly DatedFact[], date: string): DatedFact | undefined {
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

/** A field of dated facts as a column; null when it is none, or nobody has one. */
export function datedColumn(panel: Panel, key: string): Float64Array | null {
  const kind = datedFields[key]
  if (!kind || !datedKeys(panel.securities).has(key)) return null
  const { dates, stride, securities, listed } = panel
  const column = new Float64Array(dates.length * stride).fill(Number.NaN)
  securities.forEach(({ dated }, i) => {
    const facts = dated?.[key] ?? []
    const numbers = facts.map(({ text }) => (kind === 'flag' ? 1 : kind === 'date' ? dayNumber(text) : Number(text)))
    for (let t = 0; t < dates.length; t++) {
      const at = t * stride + i
      if (listed[at] === 0) continue
      const holding = facts.findIndex(({ from, to }) => (from === null || from <= dates[t]) && (to === null || dates[t] < to))
      if (holding >= 0) column[at] = numbers[holding] - (kind === 'date' ? dayNumber(dates[t]) : 0)
      else if (kind === 'flag') column[at] = 0
    }
  })
  return column
}
