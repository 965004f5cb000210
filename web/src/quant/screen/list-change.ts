import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { type Factors, valueText } from '../factors.ts'

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
      return [{ code, name, way: 'out', rank: row.rank, rankBefore, why: rankWords(row, before.get(code), 'down', factors, ranks) }]
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
      const was = before.get(code)
      return { code, name, way: 'new', rank, rankBefore: was?.rank ?? null, why: newcomerWords(row, was, then !== null, factors, ranks) }
    })
  return [...left, ...come]
}

type Ranks = readonly Pick<Parameters['rank_factors'][number], 'factor_key' | 'prefer'>[]

const newcomerWords = (row: ScreenRow, was: ScreenRow | undefined, known: boolean, factors: Factors, by: Ranks) =>
  known && was?.rank == null ? `名次 ${row.rank}，此前不在打分池` : rankWords(row, was, 'up', factors, by)

/**
 * `名次 14 → 3，主要因「转股溢价率」由 28% 到 15%（占变化的 61%）`; of a place that did not move that way the screen's own word for it, without the
 * day of then only what is so now.
 */
function rankWords(row: ScreenRow, was: ScreenRow | undefined, way: 'up' | 'down', factors: Factors, by: Ranks): string {
  const { rank, reason_text: told } = row
  if (was?.rank == null || rank === null) return told ?? `名次 ${rank}`
  const ranks = was.rank === rank ? `名次 ${rank} 未变` : `名次 ${was.rank} → ${rank}`
  const cause = (way === 'up' ? rank < was.rank : rank > was.rank) ? causeOf(row, was, way) : null
  if (!cause) return [ranks, ...(told?.split('，').slice(1) ?? [])].join('，')
  const { ref, share } = cause
  const value = (one: ScreenRow) => valueText(factors.of(ref), one.score_parts?.[ref]?.raw)
  const part = share < 0.995 ? `，占得分变化的 ${Math.round(share * 100)}%` : ''
  return value(was) === value(row) || isAgainst(row, was, ref, way, by)
    ? `${ranks}，「${factors.nameOf(ref)}」的相对位置变了`
    : `${ranks}，主要因「${factors.nameOf(ref)}」由 ${value(was)} 到 ${value(row)}${part}`
}

/** A value that went the other way moved nothing: the others around it did. */
function isAgainst(now: ScreenRow, then: ScreenRow, ref: string, way: 'up' | 'down', by: Ranks): boolean {
  const prefer = by.find(({ factor_key }) => factor_key === ref)?.prefer
  const [before, after] = [then.score_parts?.[ref]?.raw, now.score_parts?.[ref]?.raw]
  if (!prefer || before == null || after == null || before === after) return false
  return (after > before === (prefer === 'large')) !== (way === 'up')
}

/** The factor whose part of the score moved most in the direction of the move, and its share of all that moved so. */
function causeOf(now: ScreenRow, then: ScreenRow, way: 'up' | 'down'): { ref: string; share: number } | null {
  const sign = way === 'up' ? 1 : -1
  const moves = Object.entries(now.score_parts ?? {}).flatMap(([ref, { contrib }]) => {
    const before = then.score_parts?.[ref]?.contrib
    const move = contrib === null || before === null || before === undefined ? 0 : sign * (contrib - before)
    return move > 1e-9 ? [{ ref, move }] : []
  })
  const all = moves.reduce((sum, { move }) => sum + move, 0)
  const most = moves.reduce<(typeof moves)[number] | null>((top, one) => (top && top.move >= one.move ? top : one), null)
  return most && { ref: most.ref, share: most.move / all }
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
