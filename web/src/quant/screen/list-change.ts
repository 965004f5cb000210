import type { ScreenResult } from '@convexa/contract/screen'
import type { Factors } from '../factors.ts'
import { moveWords, newcomerWords, type Ranks, standingOf } from './change-words.ts'

// What a list differs in from one of before, and why: read from the screen of now and, where it is known, the screen of then.

export interface NamedCode {
  code: string
  name: string
}

export interface ListChange extends NamedCode {
  /** gone: it is not quoted any more. */
  way: 'new' | 'out' | 'excluded' | 'gone'
  rank: number | null
  /** Its place then; null where it was not ranked or the day is not known. */
  rankBefore: number | null
  why: string
}

/** The list held `previous`, screened now (with `excluded`) and, if known, on the day of that list; `ranks`: what the rule ranks by. */
export function changesOf(
  now: ScreenResult,
  previous: readonly NamedCode[],
  then: ScreenResult | null,
  factors: Factors,
  ranks: Ranks = [],
): ListChange[] {
  const rows = new Map(now.list_items.map((row) => [row.code, row]))
  const before = new Map(then?.list_items.map((row) => [row.code, row]))
  const rules = new Map(now.excluded?.map(({ code, rule }) => [code, rule]))
  const held = new Set(previous.map(({ code }) => code))
  const left = previous.flatMap(({ code, name }): ListChange[] => {
    const row = rows.get(code)
    if (row?.selected) return []
    const rankBefore = before.get(code)?.rank ?? null
    if (row && row.rank !== null)
      return [
        { code, name, way: 'out', rank: row.rank, rankBefore, why: moveWords(row, standingOf(before.get(code)), 'down', factors, ranks) },
      ]
    const rule = rules.get(code)
    if (rule) return [{ code, name, way: 'excluded', rank: null, rankBefore, why: `触发「${rule}」` }]
    return row
      ? [{ code, name, way: 'excluded', rank: null, rankBefore, why: row.reason_text ?? '不在打分池' }]
      : [{ code, name, way: 'gone', rank: null, rankBefore, why: '当日没有行情' }]
  })
  const come = now.list_items
    .filter(({ selected, code }) => selected && !held.has(code))
    .map((row): ListChange => {
      const { code, name, rank } = row
      const was = standingOf(before.get(code))
      const why = then && !was ? newcomerWords(row, '此前不在打分池') : moveWords(row, was, 'up', factors, ranks)
      return { code, name, way: 'new', rank, rankBefore: was?.rank ?? null, why }
    })
  return [...left, ...come]
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
