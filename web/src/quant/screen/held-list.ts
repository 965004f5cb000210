import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { HeldList } from '../../state/held.ts'
import { fixed } from '../../ui/format.ts'
import type { Factors } from '../factors.ts'
import { moveWords, newcomerWords, type Ranks } from './change-words.ts'

/** As many as are worth remembering: who enters a list later stood among them. */
const mostStandings = 300

/** The list of a screen as one to hold and to compare with. */
export function heldOf(result: ScreenResult, name: string, now: string): HeldList {
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

export type Change = 'new' | 'hold' | 'out'

const words: Record<Change, string> = { new: '新进', hold: '持有', out: '移出' }
export const changeWords = (change: Change | undefined): string => (change ? words[change] : '')

export interface ListChange {
  code: string
  name: string
  change: Change
  /** Why, in one sentence; empty of what stays. */
  why: string
}

/** What became of a list: who is new, who stays, who left, each with its reason; `ranks`: what the rule ranks by. */
export function changesOf(held: HeldList, result: ScreenResult, factors: Factors, ranks: Ranks = []): Map<string, ListChange> {
  const rows = new Map(result.list_items.map((row) => [row.code, row]))
  const changes = new Map<string, ListChange>()
  const before = new Set(held.codes)
  for (const row of result.list_items) {
    if (!row.selected) continue
    const { code, name } = row
    const stays = before.has(code)
    changes.set(code, { code, name, change: stays ? 'hold' : 'new', why: stays ? '' : whyNew(row, held, factors, ranks) })
  }
  for (const code of held.codes) {
    if (changes.has(code)) continue
    const row = rows.get(code)
    changes.set(code, {
      code,
      name: held.names[code] ?? row?.name ?? code,
      change: 'out',
      why: whyOut(code, row, held, result, factors, ranks),
    })
  }
  return changes
}

function whyNew(row: ScreenRow, held: HeldList, factors: Factors, ranks: Ranks): string {
  const was = held.standings[row.code]
  return `新进：${was ? moveWords(row, was, 'up', factors, ranks) : newcomerWords(row, '此前未入池或名次靠后')}`
}

function whyOut(code: string, row: ScreenRow | undefined, held: HeldList, result: ScreenResult, factors: Factors, ranks: Ranks): string {
  // The row first: beside the browser's own list, who was excluded is told by the server's of before.
  if (row && row.rank !== null) return `移出：${moveWords(row, held.standings[code], 'down', factors, ranks)}`
  const excluded = result.excluded?.find((one) => one.code === code)
  return excluded ? `剔除：触发「${excluded.rule}」` : '移出：当日不在打分池'
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
