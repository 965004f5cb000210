import type { SecurityOption } from '@convexa/contract/market'
import type { ScreenResult } from '@convexa/contract/screen'
import { type ChangeCause, changeCauses, type NamedCode, type ScreenedDay } from '@convexa/engine/screen'
import { codeNow } from '../../market/codes-now.ts'
import type { Factors } from '../rule/factors.ts'
import { type ChangeRule, causeWords, standingOf } from './change-text.ts'

// What a list differs in from one of before, and why: read from the screen of now and, where it is known, the screen of then.

export type { NamedCode }

export interface ListChange extends NamedCode {
  /** gone: it is not quoted any more. */
  way: 'new' | 'out' | 'excluded' | 'gone'
  rank: number | null
  /** Its place then; null where it was not ranked or the day is not known. */
  rankBefore: number | null
  why: string
}

export interface Comparison {
  /** Of the day of the list before, by the rule of now; null where it is not known. */
  earlier: ScreenedDay | null
  /** Of then only those near the top are known. */
  isEarlierPartial?: boolean
  rule: ChangeRule
  factors: Factors
  /** What the day of the list before is called; its date where nothing is said. */
  before?: string | undefined
  changedOn?: string | null | undefined
  securities?: readonly SecurityOption[] | undefined
}

const ways: Partial<Record<ChangeCause['kind'], ListChange['way']>> = {
  gone: 'gone',
  called: 'excluded',
  suspended: 'excluded',
  excluded: 'excluded',
  valueless: 'excluded',
}

/** The list held `previous` and is screened now, with `excluded` and the steps that excluded. */
export function changesOf(
  now: ScreenResult,
  given: readonly NamedCode[],
  { earlier, isEarlierPartial, rule, factors, before, changedOn, securities = [] }: Comparison,
): ListChange[] {
  const known = new Map(securities.map((one) => [one.code, one]))
  const previous = given.map(({ code, name }) => ({ code: codeNow(securities, code), name }))
  const issuerOf = (code: string) => known.get(code)?.stock_code
  const causes = changeCauses({ now, earlier, isEarlierPartial, previous, rule, changedOn, issuerOf })
  const rows = new Map(now.list_items.map((row) => [row.code, row]))
  const rowsThen = new Map(earlier?.list_items.map((row) => [row.code, row]))
  const previousCodes = new Set(previous.map(({ code }) => code))
  return [...causes].map(([code, cause]) => {
    const row = rows.get(code)
    const was = standingOf(rowsThen.get(code))
    const context = { factors, by: rule.rank_factors, before: before ?? earlier?.trade_date ?? '当时', row, was, security: known.get(code) }
    const way = previousCodes.has(code) ? (ways[cause.kind] ?? (row?.rank == null ? 'excluded' : 'out')) : 'new'
    const name = row?.name ?? previous.find((one) => one.code === code)?.name ?? code
    return { code, name, way, rank: row?.rank ?? null, rankBefore: was?.rank ?? null, why: causeWords(cause, context) }
  })
}

/** The trading day before a date; closed dates hold the weekends too. Without them the weekends alone are known. */
export function tradingDayBefore(date: string, closed: ReadonlySet<string> | null): string {
  let time = Date.parse(`${date}T00:00:00Z`)
  for (let step = 0; step < 31; step++) {
    time -= 86_400_000
    const day = new Date(time).toISOString().slice(0, 10)
    const weekday = new Date(time).getUTCDay()
    if (weekday !== 0 && weekday !== 6 && !closed?.has(day)) return day
  }
  return date
}
