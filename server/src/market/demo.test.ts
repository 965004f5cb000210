import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callStatuses, crossSection, markets, type Panel, redeemCounts } from '@convexa/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { tradingDays } from './calendar.ts'
import { params } from './demo/params.ts'
import { demoAssumptions, demoTables, makeDemo, simulateDemo } from './demo.ts'
import { loadPanel } from './panels.ts'
import { indexSnapshotFor, newestSnapshot, snapshotBenchmarks, snapshotPath } from './snapshot.ts'
import type { MarketTable } from './store.ts'

const through = '2026-11-20'
/** Fields of bonds that the demo market has nothing of. */
const notModelled = 'money_funds yy_rating fund_hold_ratio popularity_ranking theory_zl theory_mc'.split(' ')

describe('a demo market', () => {
  it('is the same to the last byte whenever it is made', () => {
    const make = (seed?: number) => tables({ through, size: 'small', ...(seed === undefined ? {} : { seed }) }).map(hashOf)
    expect(make()).toEqual(make())
    expect(make(8)).not.toEqual(make(9))
  })

  it('ends on the last trading day on or before the day given', () => {
    expect(tables({ through: '2026-10-05', size: 'small' })[0]!.dates.at(-1)).toBe('2026-09-30')
  })

  it('keeps the past as it was when the end moves on within a year', () => {
    const early = tables({ through: '2026-08-31', size: 'small' })
    const late = tables({ through, size: 'small' })
    early.forEach((table, k) => {
      const other = late[k]!
      for (const key of ['close', 'conv_price', 'call_status', 'roe_ttm']) {
        const [before, after] = [table.columns.get(key)?.cells, other.columns.get(key)?.cells]
        if (before === undefined || after === undefined) continue
        for (let t = 0; t < table.dates.length; t++) {
          for (let i = 0; i < table.securities.length; i++) {
            if (!Object.is(before[t * table.stride + i], after[t * other.stride + i]))
              expect.fail(`${table.kind} ${key} ${i} ${table.dates[t]}`)
          }
        }
      }
      expect(table.securities.map(({ code }) => code)).toEqual(other.securities.slice(0, table.securities.length).map(({ code }) => code))
    })
  })
})

describe('the demo market in full', () => {
  let database: TestDatabase
  let dataDir: string
  let bonds: Panel
  let stocks: Panel
  beforeAll(async () => {
    database = await testDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'convexa-demo-'))
    const percents: number[] = []
    const made = await makeDemo({ db: database.db, dataDir, through, onProgress: ({ percent }) => percents.push(percent) })
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    expect(percents.at(-1)).toBe(100)
    const index = await indexSnapshotFor(database.db, made.cb)
    bonds = await loadPanel(snapshotPath(dataDir, made.cb), snapshotPath(dataDir, index!), 'all')
    stocks = await loadPanel(snapshotPath(dataDir, made.stk), snapshotPath(dataDir, index!), 'all')
  })
  afterAll(async () => {
    await database.drop()
    await rm(dataDir, { recursive: true })
  })

  it('says that it is one: in its mode, its versions, its names and codes', async () => {
    const snapshot = (await newestSnapshot(database.db, 'cb'))!
    expect(snapshot).toMatchObject({ dataMode: 'demo', dataVersion: expect.stringMatching(/^demo-cb-20261120-/) })
    expect(snapshot.quality.notes).toEqual(demoAssumptions)
    for (const panel of [bonds, stocks]) {
      expect(panel.dataMode).toBe('demo')
      for (const { code, name } of panel.securities) expect(`${code} ${name}`).toMatch(/^9\d{5}\.DM 演示(转债|股份)\d{2,4}$/)
    }
    const codes = new Set([...bonds.securities, ...stocks.securities].map((security) => security.code))
    expect(codes.size).toBe(bonds.securities.length + stocks.securities.length)
    const index = await newestSnapshot(database.db, 'index')
    const benchmarks = await snapshotBenchmarks(snapshotPath(dataDir, snapshot), snapshotPath(dataDir, index!))
    expect(benchmarks.map(({ code }) => code)).toEqual(['cb_ew', '000300', '000832', '000852', '000905', '932000'])
    for (const { name } of benchmarks.slice(1)) expect(name).toMatch(/演示/)
  })

  it('has about 300 bonds of about 250 companies, 1,000 stocks and more than six years', () => {
    const last = (panel: Panel) => panel.securities.filter((_, i) => panel.listed[(panel.dates.length - 1) * panel.stride + i] === 1)
    expect(last(bonds).length).toBeGreaterThan(270)
    expect(last(bonds).length).toBeLessThan(330)
    const issuers = new Set(last(bonds).map((bond) => bond.issuer)).size
    expect(issuers).toBeGreaterThan(215)
    expect(issuers).toBeLessThan(285)
    expect(last(stocks).length).toBeGreaterThan(950)
    expect(last(stocks).length).toBeLessThan(1_050)
    expect(bonds.dates).toEqual(tradingDays('2020-01-01', through))
    expect(stocks.dates).toEqual(bonds.dates)
    // Bonds are of the demo's own stocks, with their price.
    const places = new Map(stocks.securities.map((security, i) => [security.code, i]))
    const t = 1_000
    bonds.securities.forEach((bond, i) => {
      const at = t * bonds.stride + i
      if (bonds.listed[at] === 0) return
      expect(bonds.columns.get('close_stk')![at]).toBe(stocks.columns.get('close')![t * stocks.stride + places.get(bond.issuer)!])
    })
  })

  /** Facts with dates, what formulas give, and what no feed of ours has. */
  const otherwise = new Set([
    ...['total_share', 'float_share', 'free_share', 'index_member_000300', 'index_member_000905', 'index_member_000852'],
    ...['forecast_np_yoy', 'next_report_date', 'pledge_ratio', 'unlock_ratio_30d', 'buyback_flag', 'reduce_flag', 'inquiry_flag'],
    ...['pe', 'dv_ttm', 'turnover_free', 'main_inflow', 'margin_balance', 'north_hold_ratio'],
  ])

  it('has every field of both markets that can be stored', () => {
    for (const panel of [bonds, stocks]) {
      const stored = markets[panel.kind].fields
        .filter(({ derived, fact, series }) => derived !== true && !fact && !series)
        .map((field) => field.key)
        .filter((key) => !otherwise.has(key))
      expect(stored.filter((key) => !panel.columns.has(key))).toEqual(panel.kind === 'cb' ? notModelled : [])
      expect([...panel.columns.keys()].filter((key) => !stored.includes(key))).toEqual([])
    }
  })

  it('keeps the price limits, the order of prices and the identities', () => {
    for (const panel of [bonds, stocks]) {
      const market = markets[panel.kind]
      const column = (key: string) => panel.columns.get(key)!
      const [open, high, low, close, previous, st] = [
        column('open'),
        column('high'),
        column('low'),
        column('close'),
        column('pre_close'),
        panel.columns.get('is_st'),
      ]
      panel.securities.forEach((security, i) => {
        let days = panel.listed[i] === 1 ? 1_000 : 0
        for (let t = 0; t < panel.dates.length; t++) {
          const at = t * panel.stride + i
          if (panel.listed[at] === 0) continue
          days++
          if (panel.traded[at] === 0) continue
          if (!(low[at]! <= Math.min(open[at]!, close[at]!) && high[at]! >= Math.max(open[at]!, close[at]!) && low[at]! > 0)) {
            expect.fail(`${security.code} ${panel.dates[t]}: open, high, low, close out of order`)
          }
          if (t === 0) continue
          const { up, down } = market.limits(security, panel.dates[t]!, days, previous[at]!, st?.[at] === 1)
          if ((up !== null && high[at]! > up + 1e-9) || (down !== null && low[at]! < Math.max(0.01, down) - 1e-9)) {
            expect.fail(`${security.code} ${panel.dates[t]}: ${low[at]}–${high[at]} outside ${down}–${up}`)
          }
        }
      })
    }
    const [close, value, premium] = [bonds.columns.get('close')!, bonds.columns.get('conv_value')!, bonds.columns.get('conv_prem')!]
    for (let at = 0; at < close.length; at++) {
      if (bonds.traded[at] === 1 && Math.abs(close[at]! / value[at]! - 1 - premium[at]!) > 1e-12) expect.fail('premium identity')
    }
  })

  it('calls bonds as the clause says: counted, announced, executed, gone', () => {
    // The engine's own count; a trigger of half a cent more or less may part the two by a day.
    const [status, count] = [bonds.columns.get('call_status')!, redeemCounts(bonds)!.counts]
    const place = (key: (typeof callStatuses)[number]) => callStatuses.indexOf(key)
    let called = 0
    bonds.securities.forEach((bond, i) => {
      let before = place('none')
      for (let t = 0; t < bonds.dates.length; t++) {
        const at = t * bonds.stride + i
        if (bonds.listed[at] === 0) continue
        const now = status[at]!
        if (now === place('met') && before === place('none') && count[at] === count[at])
          expect(count[at], bond.code).toBeGreaterThanOrEqual(14)
        // Forward only, but for a waiver, which returns to none.
        if (now < before) expect([now, before], `${bond.code} ${bonds.dates[t]}`).toEqual([place('none'), place('met')])
        if (bonds.dates[t] === bond.lastDay && now === place('executing')) called++
        if (bond.lastDay !== null && bonds.dates[t]! > bond.lastDay) expect(bonds.traded[at], bond.code).toBe(0)
        before = now
      }
      if (bond.lastDay === null || bond.lastDay > through) return
      expect(bond.lastDayKnown! <= bond.lastDay, bond.code).toBe(true)
      expect(bonds.traded[bonds.dates.indexOf(bond.lastDay) * bonds.stride + i], bond.code).toBe(1)
      expect(bond.delisted === null || bond.delisted > bond.lastDay).toBe(true)
    })
    expect(called).toBeGreaterThan(200)
  })

  it('publishes what its bonds do: statuses worked out from terms and announcements are those of the lives', () => {
    const own = bonds.columns.get('call_status')!
    const without = { ...bonds, columns: new Map([...bonds.columns].filter(([key]) => key !== 'call_status')) }
    let [same, other] = [0, 0]
    for (const day of [40, 300, 700, 1_100, 1_500, bonds.dates.length - 1]) {
      const told = crossSection(without, markets.cb, ['call_status'], day)
      if (!told.ok) throw new Error(told.problem.message)
      told.codes.forEach((code, k) => {
        const i = bonds.securities.findIndex((security) => security.code === code)
        if (told.values[0]![k] === own[day * bonds.stride + i]) same++
        else other++
      })
    }
    expect(same).toBeGreaterThan(1_000)
    expect(other).toBeLessThanOrEqual(2)
  })

  it('shows accounts from the trading day after their announcement only', () => {
    // A company's accounts change in spring, late summer and autumn, when they are announced, and on no other days.
    const roe = stocks.columns.get('roe_ttm')!
    const months = new Map<string, number>()
    for (let t = 1; t < stocks.dates.length; t++) {
      for (let i = 0; i < stocks.securities.length; i++) {
        const at = t * stocks.stride + i
        if (stocks.listed[at - stocks.stride] === 1 && roe[at] !== roe[at - stocks.stride] && roe[at] === roe[at]) {
          const month = stocks.dates[t]!.slice(5, 7)
          months.set(month, (months.get(month) ?? 0) + 1)
        }
      }
    }
    expect([...months.keys()].sort()).toEqual(['03', '04', '05', '08', '09', '10', '11'])
  })

  /** Coarse: the model is to resemble the real market's tables (data.md 4), not to copy a year of it. */
  describe('resembles the real market', () => {
    const pooled = (panel: Panel, key: string, from = 250): number[] => {
      const values: number[] = []
      const column = panel.columns.get(key)!
      for (let t = from; t < panel.dates.length; t += 40) {
        for (let i = 0; i < panel.securities.length; i++) {
          const at = t * panel.stride + i
          if (panel.listed[at] === 1 && column[at] === column[at]) values.push(column[at]!)
        }
      }
      return values.sort((a, b) => a - b)
    }
    const quantile = (values: readonly number[], p: number) => values[Math.floor(p * (values.length - 1))]!

    it.each<['cb' | 'stk', string, [p: number, low: number, high: number][]]>([
      [
        'cb',
        'close',
        [
          [0.05, 85, 108],
          [0.25, 98, 118],
          [0.5, 106, 128],
          [0.75, 114, 142],
          [0.95, 135, 260],
        ],
      ],
      [
        'cb',
        'conv_prem',
        [
          [0.05, -0.03, 0.06],
          [0.25, 0.02, 0.2],
          [0.5, 0.09, 0.38],
          [0.75, 0.24, 0.65],
          [0.95, 0.6, 1.9],
        ],
      ],
      [
        'cb',
        'conv_value',
        [
          [0.05, 35, 68],
          [0.5, 78, 112],
          [0.95, 130, 230],
        ],
      ],
      [
        'cb',
        'pure_value',
        [
          [0.05, 74, 92],
          [0.5, 88, 100],
          [0.95, 100, 113],
        ],
      ],
      [
        'cb',
        'left_years',
        [
          [0.05, 0.3, 3],
          [0.5, 3, 5.3],
          [0.95, 5, 6],
        ],
      ],
      [
        'cb',
        'remain_size',
        [
          [0.05, 1, 3.2],
          [0.5, 5.5, 8.5],
          [0.95, 28, 65],
        ],
      ],
      [
        'cb',
        'turnover',
        [
          [0.05, 0.002, 0.012],
          [0.5, 0.012, 0.045],
          [0.95, 0.1, 2],
        ],
      ],
      [
        'cb',
        'ytm',
        [
          [0.05, -0.6, -0.05],
          [0.5, -0.04, 0.03],
          [0.95, 0.015, 0.06],
        ],
      ],
      [
        'stk',
        'close',
        [
          [0.05, 1.8, 4.5],
          [0.5, 9, 18],
          [0.95, 60, 120],
        ],
      ],
      [
        'stk',
        'pb',
        [
          [0.05, 0.25, 0.8],
          [0.5, 1.3, 3],
          [0.95, 6, 16],
        ],
      ],
      [
        'stk',
        'pe_ttm',
        [
          [0.25, 8, 22],
          [0.5, 16, 42],
        ],
      ],
      [
        'stk',
        'turnover',
        [
          [0.05, 0.002, 0.012],
          [0.5, 0.011, 0.035],
          [0.95, 0.045, 0.14],
        ],
      ],
      [
        'stk',
        'amount',
        [
          [0.05, 600, 2_800],
          [0.5, 4_500, 18_000],
          [0.95, 50_000, 190_000],
        ],
      ],
    ])('%s %s', (kind, key, bounds) => {
      const values = pooled(kind === 'cb' ? bonds : stocks, key)
      for (const [p, low, high] of bounds) {
        expect(quantile(values, p), `quantile ${p}`).toBeGreaterThan(low)
        expect(quantile(values, p), `quantile ${p}`).toBeLessThan(high)
      }
    })

    it('the premium by conversion value', () => {
      const [value, premium] = [bonds.columns.get('conv_value')!, bonds.columns.get('conv_prem')!]
      const bands = new Map<string, number[]>(Object.keys(params.cb.median_premium_by_conv_value).map((band) => [band, []]))
      for (let at = 0; at < value.length; at++) {
        if (bonds.traded[at] === 0) continue
        const v = value[at]!
        const band =
          v < 60 ? '<60' : v >= 150 ? '>150' : v >= 130 ? '130-150' : `${Math.floor(v / 10) * 10}-${Math.floor(v / 10) * 10 + 10}`
        bands.get(band)!.push(premium[at]! * 100)
      }
      for (const [band, values] of bands) {
        const median = quantile(
          values.sort((a, b) => a - b),
          0.5,
        )
        const real = params.cb.median_premium_by_conv_value[band]!
        expect(Math.abs(median - real), `${band}: ${median} against ${real}`).toBeLessThan(4 + 0.3 * real)
      }
    })

    it('volatility of bonds and stocks, limit days, suspensions', () => {
      expect(yearlyDeviation(bonds.benchmarks.get('cb_ew')!)).toBeGreaterThan(0.08)
      expect(yearlyDeviation(bonds.benchmarks.get('cb_ew')!)).toBeLessThan(0.19)
      expect(yearlyDeviation(stocks.benchmarks.get('stk_ew')!)).toBeGreaterThan(0.16)
      expect(yearlyDeviation(stocks.benchmarks.get('stk_ew')!)).toBeLessThan(0.3)
      let [listed, traded] = [0, 0]
      for (let at = 0; at < stocks.listed.length; at++) {
        listed += stocks.listed[at]!
        traded += stocks.traded[at]!
      }
      expect(1 - traded / listed).toBeGreaterThan(0.001)
      expect(1 - traded / listed).toBeLessThan(0.006)
    })
  })
})

const yearlyDeviation = (series: Float64Array): number => {
  const changes = Array.from(series.slice(1), (value, t) => Math.log(value / series[t]!))
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length
  return Math.sqrt((changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / changes.length) * 242)
}

function tables(request: Parameters<typeof simulateDemo>[0]): MarketTable[] {
  const { dates, stocks, bonds } = simulateDemo(request)
  return demoTables(dates, stocks, bonds)
}

function hashOf(table: MarketTable): string {
  const hash = createHash('sha256').update(JSON.stringify([table.dates, table.securities, table.stride]))
  for (const [key, { cells }] of table.columns) hash.update(key).update(new Uint8Array(cells.buffer))
  for (const mask of [table.listed, table.traded]) hash.update(mask)
  for (const [code, series] of table.benchmarks) hash.update(code).update(new Uint8Array(series.buffer))
  return hash.digest('hex')
}
