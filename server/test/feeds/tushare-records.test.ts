import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recorded, rowsOf, whyNoRecords } from './ground.ts'
import type { Asked } from './stand-in.ts'
import { answered, bar, type Cell, callOf, scripted, tushareStage } from './tushare-script.ts'

const signal = new AbortController().signal
const { open, close, fresh } = tushareStage()
beforeAll(open)
afterAll(close)

const records = { skip: recorded('tushare_daily.json') === null }
describe(`recorded answers${records.skip ? ` (skipped: ${whyNoRecords})` : ''}`, records, () => {
  const replay = (files: Readonly<Record<string, string>>) => (asked: Asked) => {
    const { api_name, params, fields } = callOf(asked)
    const file = files[api_name]
    if (file === undefined) return answered(fields.split(','), [])
    const { data } = JSON.parse(recorded(file)!.toString('utf8')) as { data: { fields: string[]; items: Cell[][] } }
    // A record holds several days and fewer columns than are asked for today: what is asked of it is cut out, the rest is null.
    const day = data.fields.indexOf('trade_date')
    const items = data.items.filter((item) => day < 0 || item[day] === params['trade_date'])
    const columns = [...new Set([...data.fields, ...fields.split(',')])]
    return answered(
      columns,
      items.map((item) => columns.map((_, i) => item[i] ?? null)),
    )
  }

  test('the ex-day of 000001: its factor, and a close before that is adjusted', async () => {
    const { offers } = fresh(replay({ daily: 'tushare_daily.json', adj_factor: 'tushare_adj_factor.json' }))
    const [before, after] = [
      await offers['stock-day']!({ date: '2024-06-13' }, { signal }),
      await offers['stock-day']!({ date: '2024-06-14' }, { signal }),
    ]
    const [was, is] = [rowsOf(before)['000001.SZ']!, rowsOf(after)['000001.SZ']!]
    expect(is).toMatchObject({ close: 10.18, pre_close: 10.08, vol: 163_799_047, amount: 165_743.396, adj_factor: 125.0496 })
    // A cash dividend of a tenth of a yuan: the factor contains it, and the previous close is stated without it.
    expect((was['close']! * was['adj_factor']!) / is['adj_factor']!).toBeCloseTo(is['pre_close']!, 2)
  })

  test('valuation in our units', async () => {
    const { offers } = fresh(replay({ daily: 'tushare_daily.json', daily_basic: 'tushare_daily_basic.json' }))
    expect((await offers['stock-day']!({ date: '2025-10-23' }, { signal })).codes).toEqual([])
    const basics = fresh((asked) => {
      const { api_name, params } = callOf(asked)
      if (api_name !== 'daily') return replay({ daily_basic: 'tushare_daily_basic.json' })(asked)
      return scripted({ daily: [{ ts_code: '600519.SH', trade_date: params['trade_date']!, ...bar }] })(asked)
    })
    const day = await basics.offers['stock-day']!({ date: '2025-10-23' }, { signal })
    const row = rowsOf(day)['600519.SH']!
    expect(row).toMatchObject({ turnover: 0.002342, pe_ttm: 20.4403, dv_ttm: 3.518 / 100, float_share: 12.52270215 })
    expect(row['total_mv']).toBeCloseTo(18_383.0763, 4)
    // The market value is the close times the shares: units agree.
    expect(1_467.98 * row['total_share']!).toBeCloseTo(row['total_mv']!, 0)
  })

  test('bonds: the premium that is told is the one that follows from price and value', async () => {
    const { offers } = fresh(replay({ cb_daily: 'tushare_cb_daily.json' }))
    const rows = rowsOf(await offers['bond-day']!({ date: '2022-03-01' }, { signal }))
    expect(Object.keys(rows).length).toBeGreaterThan(2)
    for (const row of Object.values(rows)) {
      expect(row['close']! / row['conv_value']! - 1).toBeCloseTo(row['conv_prem']!, 3)
      // 手 of ten bonds, 万元: what was paid for one lies between the day's prices.
      const paid = (row['amount']! * 10_000) / (row['vol']! * 10)
      expect(paid).toBeGreaterThan(row['low']! * 0.99)
      expect(paid).toBeLessThan(row['high']! * 1.01)
    }
  })

  test('terms of bonds', async () => {
    const { offers } = fresh(replay({ cb_basic: 'tushare_cb_basic.json' }))
    const bonds = await offers['bond-list']!({}, { signal })
    expect(bonds.map(({ code }) => code)).toEqual(['110070.SH', '113050.SH', '118055.SH', '123075.SZ', '127024.SZ'])
    expect(bonds[3]).toMatchObject({
      ...{ name: '贝斯转债', stockCode: '300580.SZ', listed: '2020-11-23', delisted: '2023-08-07', maturityDate: '2026-11-02' },
      ...{ conversionStart: '2021-05-06', issueSize: 6, remainSize: Number.NaN, conversionPrice: 15.44, firstConversionPrice: 23.99 },
      // Only what was said: the years after its end are nobody's.
      coupons: [0.004, 0.006, 0.01],
      rating: null,
    })
    expect(bonds[4]?.remainSize).toBeCloseTo(5.285124, 9)
  })

  test('calls, conversion prices, sizes, names, the calendar, limits, suspensions, indices, statements', async () => {
    const { offers } = fresh(
      replay({
        ...{ cb_call: 'tushare_cb_call.json', cb_price_chg: 'tushare_cb_price_chg.json', cb_share: 'tushare_cb_share.json' },
        ...{ namechange: 'tushare_namechange.json', trade_cal: 'tushare_trade_cal.json', stk_limit: 'tushare_stk_limit.json' },
        ...{ index_daily: 'tushare_index_daily.json', fina_indicator: 'tushare_fina_indicator.json' },
        stock_basic: 'tushare_stock_basic.json',
      }),
    )
    expect(await offers.calls!({ from: '2021-01-01', to: '2021-12-31' }, { signal })).toEqual([
      { code: '113012.SH', announced: '2021-08-18', status: 'called', callDate: '2021-09-03', price: 100.67, registerDate: null },
      { code: '123069.SZ', announced: '2021-08-21', status: 'will_not_call', callDate: null, price: Number.NaN, registerDate: null },
    ])
    expect(await offers['conversion-prices']!({ codes: ['113556.SH', '128110.SZ'] }, { signal })).toEqual([
      { code: '113556.SH', announced: null, effective: '2019-12-20', price: 29.47 },
      { code: '113556.SH', announced: null, effective: '2020-06-29', price: 29.38 },
      { code: '128110.SZ', announced: null, effective: '2020-06-09', price: 17.16 },
    ])
    expect(await offers['remaining-sizes']!({ codes: ['110027.SH'] }, { signal })).toEqual([])
    const names = await offers.names!({}, { signal })
    expect(names.filter(({ name }) => name.includes('ST')).map(({ from, to }) => [from, to])).toEqual([
      ['2006-10-09', '2006-10-25'],
      ['2006-10-26', '2007-05-13'],
    ])
    const days = await offers.calendar!({ from: '2026-10-01', to: '2026-10-12' }, { signal })
    expect(days.filter(({ open }) => open).map(({ date }) => date)).toEqual(['2026-10-08', '2026-10-09', '2026-10-12'])
    expect(rowsOf(await offers['stock-limits']!({ date: '2024-06-14' }, { signal }))).toEqual({
      '000001.SZ': { up_limit: 11.09, down_limit: 9.07 },
      '000858.SZ': { up_limit: 148.02, down_limit: 121.1 },
    })
    expect(rowsOf(await offers['index-day']!({ date: '2023-09-25', codes: ['000300'] }, { signal }))).toMatchObject({
      '000300': { close: 3714.6037 },
    })
    const [statement] = await offers.statements!({ from: '2000-01-01', to: '2030-01-01', codes: ['600519.SH'] }, { signal })
    expect(statement).toMatchObject({ code: '600519.SH', items: { np_dt: expect.any(Number) } })
    const stocks = await offers['stock-list']!({}, { signal })
    expect(new Set(stocks.map(({ code }) => code)).size).toBe(stocks.length)
  })

  test.each([
    ['tushare_error_token.json', 'credentials'],
    ['tushare_error_permission.json', 'permission'],
    ['tushare_error_rate_minute.json', 'wait'],
    ['tushare_error_rate_day.json', 'tomorrow'],
    ['tushare_error_params.json', 'refused'],
  ])('%s is %s', async (file, kind) => {
    const { offers } = fresh(() => recorded(file)!)
    await expect(offers['bond-day']!({ date: '2024-06-18' }, { signal })).rejects.toMatchObject({ kind })
  })
})
