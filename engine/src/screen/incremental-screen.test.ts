import type { FilterFactor, MarketId, Parameters, RankFactor, ScreenRow, SectionFacts } from '@convexa/contract'
import { expect, it } from 'vitest'
import { filterBy, parameters, rankBy } from '../../test/fixtures/parameters.ts'
import { randomMarket, seeded } from '../../test/fixtures/random-market.ts'
import { markets } from '../market/index.ts'
import type { Panel } from '../panel/panel.ts'
import type { CrossSection } from './cross-section.ts'
import { IncrementalScreen } from './incremental-screen.ts'
import { sectionsOf } from './panel-section.ts'
import { screen } from './screen.ts'
import { answerOf } from './screened.ts'
import { factsOnWire, sectionOfWire, type WireColumn } from './wire-section.ts'

// A screen that stays is edited again and again; after each edit its whole answer is that of a screen from scratch.

/** `EDITS=20000 npx vitest run standing` for the long proof. */
const edits = Number(process.env['EDITS'] ?? 300)

const refs: Readonly<Record<MarketId, readonly string[]>> = {
  cb: [
    'close',
    'conv_prem',
    'amount',
    'remain_size',
    'rating',
    'listed_days',
    'pct_chg',
    'bias_5',
    'formula: if(rank(close) > 0.5, 1, 0)',
    'formula: -abs(conv_prem)',
    'formula: close / (rating - 2)',
    'formula: if(close > 1e9, 1, nan)',
    // Many absent, with and without equal values.
    'formula: if(close > 110, conv_prem, nan)',
    'formula: if(close > 110, rating, nan)',
  ],
  stk: ['close', 'pb', 'total_mv', 'amount', 'bias_5', 'formula: log(amount)', 'formula: if(pb > 2, pb, nan)'],
}
/** Those of the previous list that left the market are not known where only the listed are sent. */
const ranked = (rows: readonly ScreenRow[]) =>
  rows.flatMap(({ rank, code, score, selected }) => (rank === null ? [] : [{ rank, code, score, selected }]))

const sent = new WeakMap<CrossSection, CrossSection>()
/** A section as it is after JSON: columns are sent when they are asked for, once. */
function wireOf(panel: Panel, day: number, section: CrossSection): CrossSection {
  const known = sent.get(section)
  if (known) return known
  const market = markets[panel.kind]
  const facts: SectionFacts = JSON.parse(JSON.stringify(factsOnWire(market, section.facts)))
  const there = [...section.facts.listed.keys()].filter((i) => section.facts.listed[i] === 1)
  const columns = new Map<string, WireColumn | null>()
  const columnOf = (ref: string): WireColumn | null => {
    const known = columns.get(ref)
    if (known !== undefined) return known
    const found = section.factor(ref)
    const made = found.ok
      ? {
          ...{ label: found.factor.label, values: Float64Array.from(there, (i) => found.factor.column()[i] as number) },
          remark: { level: found.factor.level(), raw: found.factor.rawPrices ?? null },
        }
      : null
    columns.set(ref, made)
    return made
  }
  const codes = there.map((i) => section.facts.securities[i]?.code ?? '')
  const made = sectionOfWire(market, { date: panel.dates[day] ?? '', codes, facts }, columnOf)
  sent.set(section, made)
  return made
}

const processes = ['exclude', 'forward_fill', 'market_mean', 'market_median', 'market_min', 'market_max', 'worst', 'worst'] as const
const operations = ['gt', 'ge', 'lt', 'le', 'eq', 'ne', 'between', 'gt_rank', 'lt_rank', 'in', 'is_null'] as const

it.each([
  { kind: 'cb', seed: 1, securities: 160 },
  { kind: 'cb', seed: 2, securities: 7 },
  { kind: 'stk', seed: 3, securities: 90 },
] as const)(
  '$kind, seed $seed: every answer after an edit is that of a screen from scratch',
  { timeout: 30_000 + 20 * edits },
  ({ kind, seed, securities }) => {
    const panel = randomMarket(kind, { seed, days: 60, securities })
    const next = seeded(seed)
    const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
    const market = markets[kind]

    const someValue = (ref: string, operation: FilterFactor['operation']): FilterFactor['value'] => {
      const values = panel.columns.get(ref)
      const value = () => (values ? (values[Math.floor(next() * values.length)] ?? 0) || 0 : Math.round(20 * next() - 5) / 2)
      if (operation === 'between') return [0, 1].map(value).sort((a, b) => a - b) as [number, number]
      if (operation === 'gt_rank' || operation === 'lt_rank') return next()
      if (operation === 'in') return ref === 'rating' ? [one(['AAA', 'AA+', 'AA']), 'A'] : [String(value()), String(value())]
      return operation === 'eq' && ref === 'rating' ? 'AA+' : value()
    }
    const someFilter = (): FilterFactor => {
      const [ref, operation] = [one(refs[kind]), one(operations)]
      return { ...filterBy(ref, operation, someValue(ref, operation), next() < 0.2 ? 'keep' : 'exclude'), enable: next() < 0.9 }
    }
    const someRank = (): RankFactor =>
      rankBy(one(refs[kind]), {
        prefer: one(['small', 'large']),
        weight: one([0, 1, 1, 2, 0.3, 7.77]),
        missing_process: one(processes),
        neutralization: next() < 0.15 ? one(market.neutralizations).key : null,
        enable: next() < 0.9,
      })
    const edited = <T>(rows: readonly T[], make: () => T, most: number): T[] => {
      const at = Math.floor(next() * (rows.length + 1))
      if (next() < 0.3) return rows.filter((_, k) => k !== at)
      if (at === rows.length) return rows.length < most ? [...rows, make()] : rows.slice(1)
      return rows.map((row, k) => (k === at ? make() : row))
    }
    const edit = (was: Parameters): Parameters => {
      switch (Math.floor(next() * 8)) {
        case 0:
        case 1:
          return { ...was, filter_factors: edited(was.filter_factors, someFilter, 6) }
        case 2:
        case 3:
          return { ...was, rank_factors: edited(was.rank_factors, someRank, 5) }
        case 4:
          return { ...was, rank_method: one(['rank', 'rank', 'zscore', 'percentile']) }
        case 5: {
          const excluded = panel.securities.filter(() => next() < 0.1).map(({ code }) => code)
          return { ...was, universe: { markets: next() < 0.5 ? [] : ['STAR', 'SSE_MAIN', 'CHINEXT'], exclude_codes: excluded } }
        }
        case 6:
          return {
            ...was,
            exclude: {
              ...was.exclude,
              suspended: next() < 0.5,
              st: next() < 0.5,
              list_days: one([0, 0, 30]),
              industries: one([[], ['银行']]),
              call_status: one([[], ['met', 'announced']]),
              ratings_below: one([null, 'AA']),
            },
          }
        default: {
          const start = 1 + Math.floor(next() * 4)
          const hold = { ...was.hold_method, hold_range_start: start, hold_range_end: start + Math.floor(next() * 30) + 1 }
          return { ...was, hold_method: { ...hold, hold_threshold: one([0, 0, 3]) } }
        }
      }
    }

    const standing = new IncrementalScreen(market)
    const browser = new IncrementalScreen(market)
    const days = [panel.dates.length - 1, 30].map((day) => ({ day, section: sectionsOf(panel, day) }))
    let wanted = parameters({ rank_factors: [rankBy('close'), rankBy(refs[kind][1] as string)] })
    let today = days[0] as (typeof days)[number]
    const told = { pools: 0, refused: 0, empty: 0 }
    let kept = wanted
    for (let k = 0; k < edits / 3; k++) {
      wanted = edit(wanted)
      if (next() < 0.03) today = one(days)
      const { day, section } = today
      const previous = next() < 0.3 ? panel.securities.filter(() => next() < 0.1).map(({ code }) => code) : undefined
      const fresh = screen(panel, market, { parameters: wanted, day, ...(previous && { previous }) })
      const stayed = standing.screen(section(market), wanted, previous)
      if (!fresh.ok) {
        told.refused++
        expect(stayed).toEqual(fresh)
        wanted = kept
        continue
      }
      told[fresh.result.total > 1 ? 'pools' : 'empty']++
      if (!stayed.ok) throw new Error(stayed.problem.message)
      const about = { trade_date: panel.dates[day], data_mode: panel.dataMode, data_version: panel.dataVersion }
      // Bytes, not numbers near each other.
      expect(JSON.stringify({ ...about, ...answerOf(stayed.parts) })).toBe(JSON.stringify(fresh.result))
      // The same on what a browser is sent: there a security's number is another, its place and score are not.
      if (k % 3 === 0 && !wanted.rank_factors.some((row) => row.enable && row.missing_process === 'forward_fill')) {
        const far = browser.screen(wireOf(panel, day, section(market)), wanted, previous)
        if (!far.ok) throw new Error(far.problem.message)
        const { list_items: list, funnel, selected } = answerOf(far.parts)
        expect({ list: ranked(list), funnel, selected }).toEqual({
          list: ranked(fresh.result.list_items),
          funnel: fresh.result.funnel,
          selected: fresh.result.selected,
        })
      }
      // An edit that almost empties the pool is usually undone.
      if (fresh.result.total > 3) kept = wanted
      else if (next() < 0.8) wanted = kept
    }
    expect(told.pools, JSON.stringify(told)).toBeGreaterThan(edits / 6)
  },
)
