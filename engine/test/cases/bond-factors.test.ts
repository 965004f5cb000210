import { describe, expect, it } from 'vitest'
import { type BondTerms, crossSection, markets, unknownTerms } from '../../src/index.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { chance } from '../fixtures/chance.ts'
import { security } from '../fixtures/security.ts'
import { type Bond, bondDefinitions, bondSectionDefinitions } from '../oracles/naive-bond-factors.ts'
import { pastOf } from '../oracles/naive-days.ts'

// Every built-in factor of bonds against its definition, written once more.

const { cb } = markets
const days = 300
const count = 9
const round = (value: number, digits = 2) => Number(value.toFixed(digits))

/** Nine bonds and their stocks: one listed late, one without trades now and then, days at the limit, splits, interest that is paid. */
function bonds(): Panel {
  const luck = chance(20261124)
  const dates = Array.from({ length: days }, (_, t) =>
    new Date(Date.UTC(2023, 0, 2 + t + 2 * Math.floor(t / 5))).toISOString().slice(0, 10),
  )
  const keys =
    'close open high low pre_close vol amount conv_price close_stk pre_close_stk adj_factor_stk vol_stk amount_stk remain_size total_mv circ_mv pb rating money_funds'
  const columns = Object.fromEntries(keys.split(' ').map((key) => [key, new Float64Array(days * count).fill(Number.NaN)]))
  const listed = new Uint8Array(days * count)
  const traded = new Uint8Array(days * count)
  const firstDay = (i: number) => (i === 1 ? 150 : 0)
  for (let i = 0; i < count; i++) {
    let close = round(95 + luck.next() * 40, 3)
    let stock = i === 4 ? 1.6 : round(8 + luck.next() * 12)
    let factor = 1
    let size = round(i === 5 ? 0.31 : 2 + luck.next() * 8, 3)
    const price = round(stock * (0.8 + luck.next() * 0.5))
    const shares = round(2 + luck.next() * 10)
    for (let t = firstDay(i); t < days; t++) {
      const at = t * count + i
      const put = (values: Record<string, number>) => {
        for (const [key, value] of Object.entries(values)) (columns[key] as Float64Array)[at] = value
      }
      listed[at] = 1
      const isSplit = i === 6 && t === 200
      if (isSplit) factor = 1.5
      const previousStock = isSplit ? round(stock / 1.5) : stock
      const chanced = luck.next()
      stock = round(previousStock * (chanced < 0.03 ? 1.2 : chanced < 0.06 ? 0.8 : 0.975 + luck.next() * 0.05))
      size = luck.next() < 0.1 ? round(size * 0.99, 3) : size
      const isTraded = t === firstDay(i) || i !== 3 || t % 31 > 1
      if (isTraded) {
        traded[at] = 1
        // On its first day the price before is that of issue, on the day of interest the exchange's own.
        const previous = t === firstDay(i) ? 100 : t === 250 ? round(close - 0.5, 3) : close
        const step = luck.next()
        close = round(previous * (step < 0.03 ? 1.2 : step < 0.06 ? 0.8 : 0.985 + luck.next() * 0.03), 3)
        const open = round(previous * (0.99 + luck.next() * 0.02), 3)
        // Within the limits: a day that was traded beyond them had none.
        const high = Math.min(round(previous * 1.2, 3), Math.max(open, close) + luck.below(3))
        const low = Math.max(round(previous * 0.8, 3), Math.min(open, close) - luck.below(3))
        put({ pre_close: previous, open, high, low })
      }
      const vol = isTraded ? 10 + luck.below(9_000) : 0
      const volStock = 100 + luck.below(90_000)
      put({ close, vol, amount: (vol * 10 * close * (0.99 + luck.next() * 0.02)) / 10_000, conv_price: price, remain_size: size })
      put({ close_stk: stock, pre_close_stk: previousStock, adj_factor_stk: factor, pb: 0.5 + luck.next(), rating: i % 5 })
      put({ vol_stk: volStock, amount_stk: (volStock * 100 * stock * (0.98 + luck.next() * 0.04)) / 10_000, money_funds: luck.next() * 20 })
      put({ total_mv: stock * shares, circ_mv: stock * shares * 0.7 })
    }
  }
  const termsOf = (i: number): BondTerms => ({
    ...unknownTerms,
    issueSize: 10 + i,
    valueDate: '2020-03-16',
    maturityDate: '2026-03-16',
    conversionStart: i === 7 ? '2024-06-03' : '2020-09-21',
    conversionEnd: '2026-03-13',
    coupons: [0.3, 0.5, 1, 1.5, 1.8, 2],
    maturityPrice: 108 + i,
    redeem: { days: 15, window: 30, trigger: 1.3 },
    reset: { days: 10, window: 20, trigger: 0.85 },
    put: i === 8 ? null : { days: 30, window: 30, trigger: 0.7, from: i % 2 === 0 ? '2023-09-01' : '2024-03-18' },
  })
  return {
    kind: 'cb',
    dates,
    securities: Array.from({ length: count }, (_, i) =>
      security({ code: `12300${i}.SZ`, board: 'CHINEXT', listed: i === 1 ? (dates[150] as string) : '2020-04-08', terms: termsOf(i) }),
    ),
    stride: count,
    columns: new Map(Object.entries(columns)),
    listed,
    traded,
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: 'definitions',
  }
}

const panel = bonds()
const looked = [158, 251, 290, days - 1]

function told(key: string, day: number): Map<string, number | null> {
  const made = crossSection(panel, cb, [key], day)
  if (!made.ok) throw new Error(`${key}: ${made.problem.message}`)
  return new Map(made.codes.map((code, i) => [code, made.values[0]?.[i] ?? null]))
}

function sectionOf(day: number): Bond[] {
  return panel.securities.flatMap((each, i) => {
    const of = pastOf(panel, i, day)
    return of ? [{ of, security: each, date: panel.dates[day] as string, told: (key) => told(key, day).get(each.code) ?? Number.NaN }] : []
  })
}

function compare(key: string, definition: (section: readonly Bond[]) => number[]) {
  let present = 0
  for (const day of looked) {
    const values = told(key, day)
    const section = sectionOf(day)
    const slow = definition(section)
    for (const [place, { security }] of section.entries()) {
      const value = values.get(security.code) ?? null
      const other = slow[place] as number
      const isEqual = Number.isFinite(other)
        ? value !== null && Math.abs(value - other) <= 1e-9 * Math.max(1, Math.abs(other))
        : value === null
      if (value !== null) present++
      if (!isEqual) expect.fail(`${key} of ${security.code} on day ${day}: ${value} instead of ${other}`)
    }
  }
  expect(present, `${key}: values`).toBeGreaterThan(0)
}

describe('factors of bonds', () => {
  it.each(Object.entries(bondDefinitions))('%s', (key, definition) => {
    compare(key, (section) => section.map(definition))
  })
  it.each(Object.entries(bondSectionDefinitions))('%s', (key, definition) => {
    compare(key, definition)
  })
})

it('no factor is without a definition', () => {
  const defined = new Set([bondDefinitions, bondSectionDefinitions].flatMap((table) => Object.keys(table)))
  // bond-value.test.ts: by golden rows, cash flows by hand, slopes of the option's value. pre_close stands in for a column.
  const elsewhere =
    'pre_close rating_yield pure_value ytm ytm_tax put_yield duration convexity option_value iv delta gamma vega theta'.split(' ')
  const patterns = new Set([...defined].map((key) => key.replace(/_\d+(?=_|$)/, '_N')))
  const left = cb.factors.map(({ key }) => key).filter((key) => !defined.has(key) && !patterns.has(key) && !elsewhere.includes(key))
  expect(left).toEqual([])
})
