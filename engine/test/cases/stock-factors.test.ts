import { describe, expect, it } from 'vitest'
import { dayNumber } from '../../src/base/calendar.ts'
import { crossSection, markets } from '../../src/index.ts'
import { equalWeight, type Panel } from '../../src/panel/panel.ts'
import { quarterOf, type Statement, statementHistoryOf } from '../../src/panel/statements.ts'
import { chance } from '../fixtures/chance.ts'
import { security } from '../fixtures/security.ts'
import { type Past, pastOf, today } from '../oracles/naive-days.ts'
import { type Books, statementDefinitions } from '../oracles/naive-statement-factors.ts'
import { sharesOf, stockPriceDefinitions, stockSectionDefinitions } from '../oracles/naive-stock-factors.ts'

// Every built-in factor of A shares against its definition, written once more.

const { stk } = markets
const days = 560
const count = 9
const round = (value: number, digits = 2) => Number(value.toFixed(digits))

/** Nine shares over two years: one listed late, one that stops trading now and then, splits, days at the limit. */
function shares(): Panel {
  const luck = chance(20261123)
  const dates = Array.from({ length: days }, (_, t) =>
    new Date(Date.UTC(2023, 0, 2 + t + 2 * Math.floor(t / 5))).toISOString().slice(0, 10),
  )
  const keys = 'close open high low pre_close vol amount adj_factor total_share float_share free_share main_inflow margin_balance'.split(
    ' ',
  )
  const columns = Object.fromEntries(keys.map((key) => [key, new Float64Array(days * count).fill(Number.NaN)])) as Record<
    string,
    Float64Array
  >
  const listed = new Uint8Array(days * count)
  const traded = new Uint8Array(days * count)
  const firstDay = (i: number) => (i === 1 ? 300 : 0)
  for (let i = 0; i < count; i++) {
    const total = round(1 + luck.next() * 20)
    let close = i === 2 ? 3 : round(15 + luck.next() * 30)
    let factor = 1
    for (let t = firstDay(i); t < days; t++) {
      const at = t * count + i
      const put = (key: string, value: number) => {
        ;(columns[key] as Float64Array)[at] = value
      }
      listed[at] = 1
      put('total_share', total)
      put('float_share', round(total * 0.8))
      put('free_share', round(total * 0.5))
      put('margin_balance', round(total * 0.3))
      const isTraded = t === firstDay(i) || i !== 3 || t % 31 > 1
      if (isTraded) {
        traded[at] = 1
        const isSplit = luck.next() < 0.004
        if (isSplit) factor *= 2
        const previous = isSplit ? round(close / 2) : close
        const step = luck.next()
        const open = luck.next() < 0.1 ? previous : round(previous * (0.98 + luck.next() * 0.04))
        close =
          step < 0.04
            ? round(previous * 1.1)
            : step < 0.08
              ? round(previous * 0.9)
              : step < 0.14
                ? previous
                : round(previous * (0.97 + luck.next() * 0.06))
        put('pre_close', previous)
        put('open', open)
        put('high', Math.max(open, close, round(previous * (1 + luck.next() * 0.02))))
        put('low', Math.min(open, close, round(previous * (1 - luck.next() * 0.02))))
        put('main_inflow', luck.below(2_000) - 1_000)
      } else put('main_inflow', 0)
      const vol = isTraded ? 100 * (1 + luck.below(40_000)) : 0
      put('vol', vol)
      put('amount', (vol * close) / 10_000)
      put('close', close)
      put('adj_factor', factor)
    }
  }
  return {
    kind: 'stk',
    dates,
    securities: Array.from({ length: count }, (_, i) =>
      security({ code: `60000${i}.SH`, board: 'SSE_MAIN', listed: i === 1 ? (dates[300] as string) : '2010-01-04' }),
    ),
    stride: count,
    columns: new Map(Object.entries(columns)),
    listed,
    traded,
    benchmarks: new Map([
      ['000300', Float64Array.from(dates, () => round(3_500 + luck.next() * 400))],
      ['stk_ew', equalWeight(columns['close'] as Float64Array, traded, listed, days, count)],
    ]),
    reports: statementHistoryOf(statements, dayNumber),
    dataMode: 'demo',
    dataVersion: 'definitions',
  }
}

const flows = stk.reportItems!.filter(({ kind }) => kind === 'flow').map(({ key }) => key)
const levels = stk.reportItems!.filter(({ kind }) => kind === 'level').map(({ key }) => key)
const ends = ['03-31', '06-30', '09-30', '12-31']

/** Ten years of quarters of each company, the newest another for each: cumulated flows, losses and negative equity among them. */
const statements: Statement[][] = Array.from({ length: count }, (_, i) => {
  const luck = chance(7_000 + i)
  const size = 1 + luck.below(40)
  const year = new Map<string, number>()
  return Array.from({ length: 44 - (i % 4) }, (_, k): Statement => {
    const quarter = k % 4
    if (quarter === 0) year.clear()
    const period = `${2014 + Math.floor(k / 4)}-${ends[quarter]}`
    const items: Record<string, number> = {}
    for (const key of flows) {
      const isEarned = ['operate_profit', 'total_profit', 'n_income', 'np_parent', 'np_dt', 'ocf'].includes(key)
      const add = size * (isEarned ? luck.next() - (i % 3 === 0 ? 0.6 : 0.3) : key === 'revenue' ? 3 + luck.next() : luck.next())
      year.set(key, (year.get(key) ?? 0) + add)
      items[key] = year.get(key) as number
    }
    for (const key of levels) items[key] = size * (1 + luck.next())
    items['total_assets'] = size * (8 + luck.next())
    items['equity_parent'] = size * (i === 4 ? -1 : 2 + luck.next())
    items['audit_opinion'] = Number(luck.next() < 0.8)
    items['share_capital'] = luck.next() < 0.5 ? size : size * 1.1
    return { period, published: period, items }
  })
})

const panel = shares()
const last = days - 1
const looked = [280, 430, last]

function booksOf(i: number, of: Past): Books {
  const told = statements[i] as Statement[]
  const newest = told.length - 1
  return {
    item: (key, ago = 0) => told[newest - ago]?.items[key] ?? Number.NaN,
    sinceAnnual: (quarterOf((told[newest] as Statement).period) + 1) % 4,
    close: today(of('close')),
    totalMv: today(of('close')) * today(of('total_share')),
  }
}

/** 1 where a share closed at its limit: 10 % of the previous close, to the cent. */
function limitDays(of: Past, side: 1 | -1) {
  const before = of('pre_close')
  return of('close').map((close, t) => Number(close === Math.round((before[t] as number) * (side > 0 ? 110 : 90) + 1e-6) / 100))
}

const sections = new Map(
  looked.map((day) => {
    const all = panel.securities.flatMap((_, i) => {
      const of = pastOf(panel, i, day)
      if (!of) return []
      const series = (code: string) => [...(panel.benchmarks.get(code) as Float64Array)].slice(day + 1 - of('close').length, day + 1)
      const more = { index: series('000300'), market: series('stk_ew'), up: limitDays(of, 1), down: limitDays(of, -1) }
      return [{ i, of, shares: sharesOf(of, more) }]
    })
    return [day, all] as const
  }),
)

function compare(key: string, definition: (section: NonNullable<ReturnType<typeof sections.get>>) => number[], on: readonly number[]) {
  let present = 0
  for (const day of on) {
    const told = crossSection(panel, stk, [key], day)
    if (!told.ok) throw new Error(told.problem.message)
    const section = sections.get(day)!
    const slow = definition(section)
    section.forEach(({ i }, place) => {
      const value = told.values[0]![place] as number | null
      const other = slow[place] as number
      const isEqual = Number.isFinite(other)
        ? value !== null && Math.abs(value - other) <= 1e-9 * Math.max(1, Math.abs(other))
        : value === null
      if (value !== null) present++
      if (!isEqual) expect.fail(`${key} of security ${i} on day ${day}: ${value} instead of ${other}`)
    })
  }
  expect(present, `${key}: values`).toBeGreaterThan(0)
}

describe('factors of prices and trades', () => {
  it.each(Object.entries(stockPriceDefinitions))('%s', (key, definition) => {
    compare(key, (section) => section.map(({ shares }) => definition(shares)), looked)
  })
  it.each(Object.entries(stockSectionDefinitions))('%s', (key, definition) => {
    compare(key, (section) => definition(section.map(({ shares }) => shares)), looked)
  })
})

describe('factors of statements', () => {
  it.each(Object.entries(statementDefinitions))('%s', (key, definition) => {
    compare(key, (section) => section.map(({ i, of }) => definition(booksOf(i, of))), [last])
  })
})

it('no factor is without a definition', () => {
  const defined = new Set([stockPriceDefinitions, stockSectionDefinitions, statementDefinitions].flatMap((table) => Object.keys(table)))
  // Shown elsewhere: ts_rank of a golden vector, days of the calendar.
  const elsewhere = ['pb_pctile_N', 'pe_pctile_N', 'list_days']
  const patterns = new Set([...defined].map((key) => key.replace(/_\d+$/, '_N')))
  const left = stk.factors.map(({ key }) => key).filter((key) => !defined.has(key) && !patterns.has(key) && !elsewhere.includes(key))
  expect(left).toEqual([])
})
