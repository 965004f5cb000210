/**
 * Whether a formula reads how high a price is, and not only how it moves. On adjusted prices it then reads what nobody saw: forward-adjusted
 * ones know later dividends and splits, and of back-adjusted ones a share of 10 yuan stands beside one of 1,000.
 *
 * It is asked of the formula itself: on a small market made of chance, the prices of one share are multiplied. A formula of moves answers as before.
 */

import { dayNumber } from '../base/calendar.ts'
import { withDerived } from '../market/derived-columns.ts'
import type { Market } from '../market/market.ts'
import type { Panel, Security } from '../panel/panel.ts'
import { type Statement, statementHistoryOf } from '../panel/statements.ts'
import type { Expression } from './compile.ts'
import { evaluate } from './evaluate.ts'

const prices = ['close', 'open', 'high', 'low', 'pre_close'] as const
/** Far enough to take a price across any bound that a rule may name. */
const scales = [0.003, 0.1, 7, 400]
const count = 4

/** By market and canonical text: each request compiles its formulas anew. The oldest go first. */
const known = new Map<string, boolean>()
const mostKnown = 1_000

/** Whether the answer of the newest day changes with the level of one share's prices. The same expression of a market is tried once. */
export function readsPriceLevel(expression: Expression, market: Market): boolean {
  const key = `${market.id} ${expression.text}`
  const before = known.get(key)
  if (before !== undefined) return before
  const reads = isMoved(expression, market)
  const [oldest] = known.keys()
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
  known.set(key, reads)
  return reads
}

function isMoved(expression: Expression, market: Market): boolean {
  const { fields, lookback, benchmarks } = expression.needs
  if (![...fields].some((key) => isOfPrice(key))) return false
  const made = chanceMarket(market, lookback + 60, benchmarks)
  const last = made.dates.length - 1
  const answer = (panel: Panel) => evaluate(expression, withDerived(panel, fields), [last]).slice(0, count)
  const usual = answer(made)
  return scales.some((scale) => {
    const scaled = answer({ ...made, columns: new Map([...made.columns].map(([key, column]) => [key, multiplied(key, column, scale)])) })
    return usual.some((value, i) => !isNear(value, scaled[i]))
  })
}

const isOfPrice = (key: string): boolean => (prices as readonly string[]).includes(key) || key === 'adj_close'

const isNear = (a: number, b: number): boolean => (a !== a ? b !== b : Math.abs(a - b) <= 1e-6 * Math.max(1e-9, Math.abs(a)))

function multiplied(key: string, column: Float64Array, scale: number): Float64Array {
  return isOfPrice(key) ? column.map((value, at) => (at % count === 1 ? value * scale : value)) : column
}

/** Four shares that trade every day, with every number that the market's data may have; the same each time. */
function chanceMarket({ id: kind, fields, reportItems = [] }: Market, days: number, benchmarks: Iterable<string>): Panel {
  let state = 20_240_603
  const chance = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const cells = days * count
  const dates = ascendingDates(days)
  const walk = (from: number) => {
    let value = from
    return () => (value *= 0.97 + 0.06 * chance())
  }
  const stored = fields.filter(({ derived, fact, series }) => derived !== true && fact === undefined && series === undefined)
  const columns = new Map(stored.map(({ key }) => [key, Float64Array.from({ length: cells }, () => 0.1 + chance())]))
  columns.delete('adj_factor')
  const column = (key: string) => columns.get(key) as Float64Array
  for (let i = 0; i < count; i++) {
    const next = walk(8 + 5 * i)
    let previous = 8 + 5 * i
    for (let t = 0; t < days; t++) {
      const at = t * count + i
      const close = next()
      const open = previous * (0.99 + 0.02 * chance())
      column('close')[at] = close
      column('open')[at] = open
      column('high')[at] = Math.max(open, close) * (1 + 0.01 * chance())
      column('low')[at] = Math.min(open, close) * (1 - 0.01 * chance())
      column('pre_close')[at] = previous
      previous = close
    }
  }
  const statements = Array.from({ length: count }, () =>
    statementsOf(
      dates,
      reportItems.map(({ key }) => key),
      chance,
    ),
  )
  return {
    ...{ kind, dates, stride: count, columns, adjust: 'hfq', dataMode: 'demo', dataVersion: 'chance' },
    securities: Array.from({ length: count }, (_, i) => securityOf(`60000${i}.SH`)),
    listed: new Uint8Array(cells).fill(1),
    traded: new Uint8Array(cells).fill(1),
    benchmarks: new Map([...benchmarks].map((code) => [code, Float64Array.from({ length: days }, walk(1_000))])),
    reports: statementHistoryOf(statements, dayNumber),
  }
}

/** The first 28 days of each month from 2015 on: of days nothing is asked but their order. */
function ascendingDates(count: number): string[] {
  const two = (number: number) => String(number).padStart(2, '0')
  return Array.from({ length: count }, (_, k) => {
    const month = Math.floor(k / 28)
    return `${2015 + Math.floor(month / 12)}-${two(1 + (month % 12))}-${two(1 + (k % 28))}`
  })
}

/** Statements of all quarters from three years before the first day on, each published a month after its end. */
function statementsOf(dates: readonly string[], items: readonly string[], chance: () => number): Statement[] {
  const found: Statement[] = []
  const last = dates[dates.length - 1]
  for (let year = Number(dates[0].slice(0, 4)) - 3; year <= Number(last.slice(0, 4)); year++) {
    for (const [end, published] of [
      ['03-31', '04-28'],
      ['06-30', '07-28'],
      ['09-30', '10-28'],
      ['12-31', '12-31'],
    ]) {
      found.push({
        period: `${year}-${end}`,
        published: `${year}-${published}`,
        items: Object.fromEntries(items.map((item) => [item, 1 + chance()])),
      })
    }
  }
  return found
}

function securityOf(code: string): Security {
  return {
    ...{ code, name: code, pinyin: '', board: 'SSE_MAIN', listed: '2010-01-04', delisted: null, lastDay: null, lastDayKnown: null },
    ...{ redemptionPrice: null, issuer: code, attributes: { industry_1: '甲', industry: '甲', area: '甲' } },
  }
}
