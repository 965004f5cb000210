/** Runs over beginnings and ends that an import has found: what a share was worth that left, was suspended first, or changed its code. */

import { rm, writeFile } from 'node:fs/promises'
import type { Parameters, Settings } from '@convexa/contract'
import { backtest, markets, type Panel, screen } from '@convexa/engine'
import { describe, expect, it } from 'vitest'
import { importing } from '../../test/fixtures/market/importing.ts'
import type { FileRow } from '../../test/fixtures/market/market-file.ts'
import { panelDifferences } from '../../test/fixtures/market/panel-differences.ts'
import { parameters } from '../../test/fixtures/requests.ts'
import { tradingDays } from './calendar.ts'
import type { ImportReport } from './import.ts'
import { loadPanel } from './panels.ts'
import { snapshotPath } from './snapshot.ts'

const here = importing()
const { file, importRows } = here
const cheapest = parameters('stk', 'close', 1, 1)

async function panelOf({ snapshot, text }: ImportReport): Promise<Panel> {
  expect(text).toMatch(/已导入|相同/)
  return loadPanel(snapshotPath(here.dataDir, snapshot!), null, 'all')
}

function ranOn(panel: Panel, rule: Partial<Parameters>, over: Partial<Settings>) {
  const steps = backtest(panel, markets[panel.kind], {
    parameters: { ...cheapest, ...rule },
    settings: {
      ...{ start_date: panel.dates[0]!, end_date: panel.dates.at(-1)!, benchmark: `${panel.kind}_ew`, capital: 10, adjust: 'raw' },
      ...{
        cost: { buy_rate: 0, sell_rate: 0 },
        execution: 'realistic',
        fill: 'close',
        call_handling: 'last_day_close',
        delisting: 'last_price',
      },
      ...over,
    },
  })
  let step = steps.next()
  while (!step.done) step = steps.next()
  if (!step.value.ok) throw new Error(step.value.problem.message)
  return step.value.report
}

const row = (ts_code: string, trade_date: string, close: number, before: number): FileRow => ({
  ...{ ts_code, trade_date, open: close, high: close, low: close, close, pre_close: before },
  ...{ vol: 1_000_000, amount: close * 100_000, adj_factor: 1 },
})
const fields = Object.fromEntries(['open', 'high', 'low', 'close', 'pre_close', 'adj_factor'].map((key) => [key, key]))
const mapping = async (more: object = {}): Promise<string> => {
  await writeFile(
    file('mapping.json'),
    JSON.stringify({ code: 'ts_code', date: 'trade_date', ...more, fields: { ...fields, amount: { column: 'amount', unit: '千元' } } }),
  )
  return file('mapping.json')
}

it('a share that is suspended on the first days of a file is bought under its limits, not as a new one', async () => {
  const days = tradingDays('2024-01-02', '2024-02-08')
  const closes = [11, 12.1, 13.31]
  const rows = days.flatMap((date, t) => [
    row('600002.SH', date, 20, 20),
    row('600003.SH', date, 20, 20),
    // 11.00, 12.10 and 13.31 are its upper limits.
    ...(t < 10 ? [] : [row('600001.SH', date, closes[t - 10] ?? 13.31, t === 10 ? 10 : (closes[t - 11] ?? 13.31))]),
  ])
  const panel = await panelOf(await importRows('stk', rows, { mapping: await mapping() }))
  expect(panel.securities[0]).toMatchObject({ code: '600001.SH', listed: null })
  const { trades } = ranOn(panel, { universe: { markets: [], exclude_codes: [], include_codes: ['600001.SH'] } }, { start_date: days[8]! })
  expect(trades[0]).toMatchObject({ date: days[13], price: 13.31 })
})

it('a first row that is no listing and has no previous close is not for sale on its day', async () => {
  const days = tradingDays('2024-01-02', '2024-02-08')
  const rows = days.flatMap((date, t) => [row('600002.SH', date, 20, 20), ...(t < 10 ? [] : [row('600001.SH', date, 10, 10)])])
  const { pre_close: _, ...plain } = fields
  await writeFile(file('mapping.json'), JSON.stringify({ code: 'ts_code', date: 'trade_date', fields: plain }))
  const panel = await panelOf(await importRows('stk', rows, { mapping: file('mapping.json') }))
  const { trades } = ranOn(panel, { universe: { markets: [], exclude_codes: [], include_codes: ['600001.SH'] } }, { start_date: days[8]! })
  expect(trades[0]).toMatchObject({ date: days[11], price: 10 })
})

describe('a share whose rows end before the file does', () => {
  const days = tradingDays('2024-01-02', '2024-06-28')
  const last = days.indexOf('2024-03-06')
  const rows = days.flatMap((date, t) => [
    ...[1, 3, 4, 5, 6].map((k) => row(`60000${k}.SH`, date, 5 + k, 5 + k)),
    ...(t > last ? [] : [row('600002.SH', date, 3, 3)]),
  ])
  const every = { rebalance_method: { rebalance_type: 0, rebalance_value: 5 } } as const

  it.each([
    { delisting: 'zero', nav: 0.00099, digits: 6 },
    { delisting: 'last_price', nav: 1, digits: 2 },
  ] as const)('is out on the day after it: $delisting', async ({ delisting, nav, digits }) => {
    const report = await importRows('stk', rows, { mapping: await mapping({ ends_after: 40 }) })
    expect(report.text).toContain('600002.SH 2024-03-06')
    const { trades, warnings, assumptions, curves } = ranOn(await panelOf(report), every, { start_date: '2024-01-30', delisting })
    const sale = trades.find(({ code, side }) => code === '600002.SH' && side === 'sell')
    expect(sale).toMatchObject({ date: days[last + 1], price: delisting === 'zero' ? 0 : 3, reason: 'delisted' })
    expect(warnings.some((text) => text.includes('600002') && text.includes(days[last + 1]!))).toBe(true)
    expect(assumptions.find(({ key }) => key === 'universe')?.text).toContain('包含区间内已退出交易的证券 1 只')
    // The money comes back and buys the next cheapest, as far as there is any.
    const bought = trades.filter(({ code, side }) => code === '600001.SH' && side === 'buy')
    expect(bought.length).toBe(delisting === 'zero' ? 0 : 1)
    expect(curves.nav.at(-1)).toBeCloseTo(nav, digits)
  })

  it('is out when a list beside the file says so, whatever the days', async () => {
    await writeFile(file('stock_basic.csv'), 'ts_code,list_date,delist_date\n600002.SH,20010305,20240311\n600003.SH,2010/1/4,\n')
    const panel = await panelOf(await importRows('stk', rows, { mapping: await mapping() }))
    const of = (code: string) => panel.securities.find((one) => one.code === code)
    expect(of('600002.SH')).toMatchObject({ listed: '2001-03-05', lastDay: '2024-03-06', exitReason: 'delisted' })
    expect(of('600003.SH')).toMatchObject({ listed: '2010-01-04', lastDay: null })
  })

  it('is held and named where fewer days are missing than the rule says', async () => {
    // A rule of the command overrides the mapping's.
    const report = await importRows('stk', rows, { mapping: await mapping({ ends_after: 40 }), endsAfter: 90 })
    expect(report.text).toContain('600002.SH 自 2024-03-06 之后')
    expect(report.text).toContain('连续 90 个交易日没有行才按退出处理')
    const { trades, warnings, assumptions } = ranOn(await panelOf(report), every, { start_date: '2024-01-30', delisting: 'zero' })
    expect(trades.filter(({ side }) => side === 'sell')).toEqual([])
    expect(warnings).toContainEqual(
      expect.stringContaining('600002.SH（600002.SH）自 2024-03-06 之后没有成交，按停牌持有，占期末权益 99.9%'),
    )
    expect(assumptions.find(({ key }) => key === 'universe')?.text).toContain('1 只到期末已有 20 个交易日以上没有成交')
  })
})

describe('a share whose code changed', () => {
  const days = tradingDays('2025-08-01', '2025-11-28')
  const [change, last] = [days.indexOf('2025-10-09'), days.length - 1]
  const price = (t: number): number => (t < change ? 10 : Math.min(12, 10 + (t - change) / 10))
  const others = days.flatMap((_, t) => ['600001.SH', '600002.SH', '600003.SH'].map((code) => row(code, days[t]!, 5, 5)))
  const own = (code: string, from: number, to: number) =>
    days.flatMap((_, t) => (t >= from && t < to ? [row(code, days[t]!, price(t), price(Math.max(0, t - 1)))] : []))
  const both = [...others, ...own('430017.BJ', 0, change), ...own('920017.BJ', change, last + 1)]

  it('is one security under the new code, by one file and by an update', async () => {
    const whole = await panelOf(await importRows('stk', both))
    const at = whole.securities.findIndex(({ code }) => code === '920017.BJ')
    expect(whole.securities.map(({ code }) => code)).toEqual(['600001.SH', '600002.SH', '600003.SH', '920017.BJ'])
    expect(whole.securities[at]).toMatchObject({ formerCodes: ['430017.BJ'], listed: null, lastDay: null, issuer: '920017.BJ' })
    const close = days.map((_, t) => whole.columns.get('close')![t * whole.stride + at])
    expect([close[0], close[change - 1], close[last]]).toEqual([10, 10, 12])

    const until = await panelOf(
      await importRows(
        'stk',
        both.filter(({ trade_date: day }) => String(day) < '2025-10-09'),
      ),
    )
    // Before the day nobody knows the new code.
    expect(until.securities[0]).toMatchObject({ code: '430017.BJ' })
    expect(until.securities[0]?.formerCodes).toBeUndefined()
    const put = await importRows(
      'stk',
      both.filter(({ trade_date: day }) => String(day) >= '2025-10-09'),
      { onto: true },
    )
    expect(panelDifferences(whole, await panelOf(put))).toEqual([])
  })

  it('has the same rows under both codes once: sources fill the new one back', async () => {
    const filled = [...both, ...own('920017.BJ', 0, change)]
    const report = await importRows('stk', filled)
    expect(report.quality.quarantined).toBe(0)
    const panel = await panelOf(report)
    expect(panelDifferences(await panelOf(await importRows('stk', both)), panel)).toEqual([])
  })

  it('is meant by who names its old code', async () => {
    const panel = await panelOf(await importRows('stk', both))
    const wanted = { markets: [], exclude_codes: [], include_codes: ['430017.BJ'] }
    const found = screen(panel, markets.stk, { parameters: { ...cheapest, universe: wanted }, day: last, previous: ['430017.BJ'] })
    expect(found.ok && found.result.list_items.filter(({ selected }) => selected).map(({ code }) => code)).toEqual(['920017.BJ'])
    const report = ranOn(panel, { universe: wanted }, { start_date: days[change - 20]!, end_date: days[last]! })
    expect(report.metrics.total_return).toBeCloseTo(0.2, 4)
  })

  it('is told as possibly changed where the table does not know it', async () => {
    const report = await importRows('stk', [...others, ...own('439999.BJ', 0, change)])
    expect(report.quality.findings).toContainEqual(
      expect.objectContaining({ check: 'code_changed', count: 1, examples: [`439999.BJ 自 ${days[change - 1]} 之后`] }),
    )
  })
})

describe('a bond whose file and tables say how it ended', () => {
  const days = tradingDays('2021-01-04', '2021-12-31')
  const others = [110010, 110011, 110012, 110013].map((code, k) => ({
    code: `${code}.SH`,
    close: 110 + k,
    stock: 9,
    last: '2021-12-31',
    frozen: '',
  }))
  const redeemed = { code: '110022.SH', close: 150, stock: 15, last: '2021-06-30', frozen: '' }
  const frozen = { code: '110030.SH', close: 109.2, stock: 6, last: '2021-12-31', frozen: '2021-07-30' }
  type Bond = typeof redeemed
  const rowsOf = (bonds: readonly Bond[]) =>
    days.flatMap((trade_date) =>
      bonds
        .filter(({ last }) => trade_date <= last)
        .map(({ code, close, stock, frozen: until }): FileRow => {
          const isTraded = until === '' || trade_date <= until
          return {
            ...{
              trade_date,
              ts_code: code,
              bond_short_name: `测${code.slice(0, 6)}`,
              stk_cd: `60${code.slice(2, 6)}.SH`,
              open: close,
              close,
            },
            ...{ stock_price: stock, conv_price: 10, conv_value: 10 * stock, conv_prem_pct: (10 * close) / stock - 100, ytm_pct: 1 },
            ...{
              turnover_pct: isTraded ? 2 : 0,
              amount_wan: isTraded ? 1_000 : 0,
              remain_yi: 5,
              rating: 'AA',
              is_listed: true,
              is_traded: isTraded,
            },
            left_years: trade_date > '2021-08-16' && until !== '' ? -0.1 : 3,
          }
        }),
    )
  const steps = (from: number, day: string, before: string, rates: readonly number[]) =>
    rates.map((rate, k) => `${from + k}${day}-${from + k + 1}${before},票面利率:${rate.toFixed(2)}%`).join(';')
  const basics = `ts_code,bond_short_name,stk_short_name,list_date,value_date,conv_start_date,conv_end_date,maturity_date,maturity,maturity_price,issue_size,rate_clause,conv_stop_date
110022.SH,等赎转债,等赎,2020-02-03,2020-01-04,2020-07-10,2026-01-03,2026-01-04,6,110,500000000,"${steps(2020, '0104', '0103', [0.4, 0.6, 1, 1.5, 1.8, 2])}",2021-07-01
110030.SH,冻结转债,冻结,2015-09-03,2015-08-16,2016-02-18,2021-08-16,2021-08-16,6,110,500000000,"${steps(2015, '0816', '0815', [0.2, 0.5, 1, 1.5, 1.8, 2])}",
`
  const calls = 'ts_code,ann_date\n110022.SH,2021-06-01\n'
  const imported = async (bonds: readonly Bond[]) => {
    await writeFile(file('cb_basic.csv'), basics)
    await writeFile(file('cb_call_announcements.csv'), calls)
    return importRows('cb', rowsOf(bonds))
  }
  const held = (panel: Panel, code: string, over: Partial<Settings> = {}) =>
    ranOn(
      panel,
      { universe: { markets: [], exclude_codes: [], include_codes: [code] } },
      { start_date: '2021-05-06', end_date: '2021-12-31', call_handling: 'hold_to_redemption', ...over },
    )

  it('is paid 100 and its interest when it was called, not its last price', async () => {
    const panel = await panelOf(await imported([redeemed, ...others]))
    const { trades, metrics } = held(panel, '110022.SH')
    expect(trades[1]).toMatchObject({ date: '2021-07-01', reason: 'called', reason_text: '强制赎回，按赎回价兑付' })
    expect(trades[1]?.price).toBeCloseTo(100 + (0.6 * 178) / 365, 5)
    expect(metrics.total_return).toBeCloseTo((660 * (trades[1]!.price - 150)) / 100_000, 6)
    // Of the three ways the one that ruins is the worst.
    const [before, on] = (['t_minus_1_close', 'last_day_close'] as const).map((call_handling) =>
      held(panel, '110022.SH', { call_handling }),
    )
    expect([before, on].map((run) => [run?.trades[1]?.date, run?.metrics.total_return])).toEqual([
      ['2021-06-29', 0],
      ['2021-06-30', 0],
    ])
  })

  it('is paid what the list of calls states, on the day that it states, after an update too', async () => {
    const rows = rowsOf([redeemed, ...others])
    const early = (row: FileRow) => String(row['trade_date']) < '2021-11-01'
    await writeFile(file('cb_basic.csv'), basics)
    // The later notice reminds of the first, and states nothing; the other bond is not called.
    const told = `ts_code,ann_date,is_call,call_price,call_reg_date,payment_date
110022.SH,2021-06-01,公告实施强赎,100.3,2021-06-30,2021-07-05
110022.SH,2021-06-18,公告实施强赎,,,
110010.SH,2021-06-18,公告不强赎,,,
`
    await writeFile(file('cb_call_announcements.csv'), told)
    const paid = { date: '2021-07-05', price: 100.3, reason: 'called' }
    const first = await panelOf(await importRows('cb', rows.filter(early)))
    expect(first.securities.filter(({ announcements }) => announcements).map(({ code }) => code)).toEqual(['110022.SH'])
    expect(held(first, '110022.SH', { end_date: '2021-10-29' }).trades[1]).toMatchObject(paid)
    await rm(file('cb_call_announcements.csv'))
    const put = await importRows(
      'cb',
      rows.filter((row) => !early(row)),
      { onto: true },
    )
    expect(held(await panelOf(put), '110022.SH').trades[1]).toMatchObject(paid)
  })

  it('matures on its day, whatever the file repeats of it afterwards', async () => {
    const report = await imported([frozen, ...others])
    expect(report.text).toContain('参考资料载明已到期或退市之后的行，不作为行情，92 处，例如：\n  110030.SH 92 行')
    expect(report.quality.quarantined).toBe(0)
    const panel = await panelOf(report)
    const i = panel.securities.findIndex(({ code }) => code === '110030.SH')
    expect(panel.securities[i]).toMatchObject({ lastDay: '2021-07-30', exitReason: 'maturity' })
    expect(panel.listed[(panel.dates.length - 1) * panel.stride + i]).toBe(0)
    const { trades } = held(panel, '110030.SH')
    expect(trades[1]).toMatchObject({ date: '2021-08-17', price: 110, reason: 'matured' })
    expect(held(panel, '110030.SH', { call_handling: 't_minus_1_close' }).trades[1]).toMatchObject({ price: 109.2, reason: 'last_day' })
  })

  it('is over for an update too that repeats it', async () => {
    const rows = rowsOf([frozen, ...others])
    const early = (row: FileRow) => String(row['trade_date']) < '2021-11-01'
    await writeFile(file('cb_basic.csv'), basics)
    await importRows('cb', rows.filter(early))
    const panel = await panelOf(
      await importRows(
        'cb',
        rows.filter((row) => !early(row)),
        { onto: true },
      ),
    )
    expect(panel.securities.find(({ code }) => code === '110030.SH')).toMatchObject({ lastDay: '2021-07-30', exitReason: 'maturity' })
  })
})
