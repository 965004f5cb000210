import type { SecurityOption } from '@convexa/contract/market'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { ScreenedDay } from '@convexa/engine/screen'
import { fixed } from '../../base/format.ts'
import { codeNow } from '../../market/codes-now.ts'
import type { Factors } from '../rule/factors.ts'
import type { ChangeRule } from './change-text.ts'
import type { CurrentList } from './current-list.ts'
import type { HeldChange } from './held-change.ts'
import { changesOf } from './list-change.ts'

/** Ranks to remember: a security that enters the list later is normally among them. */
const mostStandings = 300

/** The list of a screen as one to hold and to compare with. */
export function currentListOf(result: ScreenResult, name: string, now: string): CurrentList {
  const selected = result.list_items.filter((row) => row.selected)
  const near = result.list_items.filter(({ rank, selected: on }) => on || (rank !== null && rank <= mostStandings))
  return {
    name,
    tradeDate: result.trade_date,
    takenAt: now,
    codes: selected.map(({ code }) => code),
    names: Object.fromEntries(selected.map(({ code, name: own }) => [code, own])),
    standings: Object.fromEntries(
      near.flatMap(({ code, rank, score_parts: parts = {} }) =>
        rank === null
          ? []
          : [[code, { rank, parts: Object.fromEntries(Object.entries(parts).map(([ref, { raw, contrib }]) => [ref, { raw, contrib }])) }]],
      ),
    ),
  }
}

/** What became of a list: what is new, stays or left, each with its reason; `rule`: what the result was screened by. */
export function heldChangesOf(
  list: CurrentList,
  result: ScreenResult,
  factors: Factors,
  rule: ChangeRule,
  securities: readonly SecurityOption[] = [],
): Map<string, HeldChange> {
  const currentList = underCodesOfNow(list, securities)
  const names = new Map(result.list_items.map((row) => [row.code, row.name]))
  const previous = currentList.codes.map((code) => ({ code, name: currentList.names[code] ?? names.get(code) ?? code }))
  const comparison = { earlier: dayOf(currentList, result), isEarlierPartial: true, rule, factors, securities }
  const changeOf = new Map(changesOf(result, previous, comparison).map((one) => [one.code, one]))
  const changes = new Map<string, HeldChange>()
  for (const { code, name, selected } of result.list_items) {
    if (!selected) continue
    const one = changeOf.get(code)
    changes.set(code, one ? { code, name, change: 'new', why: `新进：${one.why}` } : { code, name, change: 'hold', why: '' })
  }
  for (const { code, name } of previous) {
    const one = changeOf.get(code)
    if (!one || changes.has(code)) continue
    changes.set(code, { code, name, change: 'out', why: `移出：${one.why}` })
  }
  return changes
}

/** A list that names former codes means the securities that bore them. */
function underCodesOfNow(currentList: CurrentList, securities: readonly SecurityOption[]): CurrentList {
  const now = <T>(of: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(of).map(([code, value]) => [codeNow(securities, code), value]))
  const codes = [...new Set(currentList.codes.map((code) => codeNow(securities, code)))]
  return { ...currentList, codes, names: now(currentList.names), standings: now(currentList.standings) }
}

/** The day of the list as far as its standings tell it: those near the top. */
function dayOf({ standings, tradeDate, names, codes }: CurrentList, { total }: ScreenResult): ScreenedDay {
  const list_items = Object.entries(standings).map(([code, { rank, parts }]): ScreenRow => {
    const score_parts = Object.fromEntries(Object.entries(parts).map(([ref, part]) => [ref, { ...part, rank: null, norm: null }]))
    return { code, name: names[code] ?? code, rank, score: null, selected: codes.includes(code), values: {}, score_parts }
  })
  return { trade_date: tradeDate, total, list_items, funnel: [] }
}

/** Whether it ranks among those on the list and is not on it: its issuer's places are taken. */
export const crowdedOut = (row: ScreenRow, result: ScreenResult): boolean =>
  !row.selected && row.rank !== null && result.list_items.some((one) => one.selected && (one.rank ?? 0) > (row.rank ?? 0))

/** How many places, and how much score, a security needs to be on the list; null of one that is, or that is not ranked. */
export function placesToGo(row: ScreenRow, result: ScreenResult): { places: number; score: string } | null {
  if (row.selected || row.rank === null) return null
  const last = result.list_items.reduce<ScreenRow | null>(
    (worst, one) => (one.selected && (worst === null || (one.rank ?? 0) > (worst.rank ?? 0)) ? one : worst),
    null,
  )
  if (!last || last.rank === null || last.rank > row.rank) return null
  const gap = last.score !== null && row.score !== null ? fixed(last.score - row.score, 1) : ''
  return { places: row.rank - last.rank, score: gap }
}
