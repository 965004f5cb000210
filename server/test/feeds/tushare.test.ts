import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FeedFault } from '../../src/feeds/feed.ts'
import { transport } from '../../src/feeds/source/transport.ts'
import { tushare } from '../../src/feeds/tushare/tushare.ts'
import { conforms } from './feed.conformance.ts'
import { groundAt, recorded, rowsOf, whyNoRecords } from './ground.ts'
import { type Asked, type StandIn, standIn } from './stand-in.ts'

const token = 'tok-5f0c-canary'
const signal = new AbortController().signal

type Cell = string | number | null
interface Call {
  readonly api_name: string
  readonly token: string
  readonly fields: string
  readonly params: Readonly<Record<string, string>>
}
const callOf = ({ body }: Asked) => JSON.parse(body) as Call
const answered = (fields: readonly string[], items: readonly (readonly Cell[])[], hasMore = false) =>
  JSON.stringify({ request_id: '1', code: 0, msg: '', data: { fields, items, has_more: hasMore, count: -1 } })
const refused = (msg: string, code = 40203) => JSON.stringify({ request_id: '1', code, msg, data: null })

/** Tables by api; what is asked of them is answered in another order than asked. */
function scripted(tables: Readonly<Record<string, readonly Readonly<Record<string, Cell>>[] | string>>) {
  return (asked: Asked): string => {
    const { api_name, fields } = callOf(asked)
    const table = tables[api_name]
    if (typeof table === 'string') return table
    const columns = fields.split(',').toReversed()
    return answered(
      columns,
      (table ?? []).map((row) => columns.map((column) => row[column] ?? null)),
    )
  }
}

const bar = { open: 10, high: 11, low: 9.5, close: 10.5, pre_close: 10, vol: 1_234.5, amount: 1_290.25 }
const bondBar = { open: 104, high: 106, low: 103, close: 105, pre_close: 104, vol: 1_234.5, amount: 129.6 }
const made = {
  daily: [
    { ts_code: '600519.SH', trade_date: '20240618', ...bar },
    { ts_code: '000001.SZ', trade_date: '20240618', ...bar, close: 10.08 },
    // A fund, which is no stock of ours.
    { ts_code: '510300.SH', trade_date: '20240618', ...bar },
  ],
  adj_factor: [
    { ts_code: '000001.SZ', trade_date: '20240618', adj_factor: 125.0496 },
    { ts_code: '000029.SZ', trade_date: '20240618', adj_factor: 7 },
  ],
  daily_basic: [
    {
      ...{ ts_code: '000001.SZ', trade_date: '20240618', turnover_rate: 0.361, turnover_rate_f: 0.8, pe: -3, pe_ttm: -3.5, pb: 0.5 },
      ...{ ps_ttm: 1.2, dv_ratio: 7.13, dv_ttm: 7.2, total_share: 1_940_591.8, float_share: 1_940_554.7, free_share: 800_000 },
      ...{ total_mv: 19_561_165.5, circ_mv: 19_560_791.8 },
    },
  ],
  suspend_d: [
    { ts_code: '000029.SZ', suspend_timing: null, suspend_type: 'S' },
    { ts_code: '000001.SZ', suspend_timing: '09:30-10:00', suspend_type: 'S' },
  ],
}

const settings = (url: string) => ({ url, token, perMinute: 200 })
conforms('tushare', {
  make: (url, ask) => tushare(settings(url), ask),
  need: 'bond-day',
  ask: { date: '2024-06-18' },
  answer: scripted({
    cb_daily: [{ ts_code: '113050.SH', trade_date: '20240618', ...bondBar, bond_value: 90, cb_value: 95, cb_over_rate: 10.5 }],
  }),
  secret: token,
})

describe('what it says', () => {
  let provider: StandIn
  let script: (asked: Asked) => string | Buffer
  beforeAll(async () => {
    provider = await standIn((asked) => script(asked))
  })
  afterAll(() => provider.close())
  const fresh = (answer: typeof script, perMinute = 200) => {
    script = answer
    provider.asked.length = 0
    const ground = groundAt()
    return { ground, offers: tushare({ url: provider.url, token, perMinute }, transport(ground)).offers }
  }

  test('a day of stocks: bars in shares and 万元, factor and valuation beside them, who is suspended all day', async () => {
    const { offers } = fresh(scripted(made))
    const day = await offers['stock-day']!({ date: '2024-06-18' }, { signal })
    expect(day.suspended).toEqual(['000029.SZ'])
    expect(day.notes).toBeUndefined()
    expect(rowsOf(day)).toMatchObject({
      '000001.SZ': {
        ...{ open: 10, high: 11, low: 9.5, close: 10.08, pre_close: 10, vol: 123_450, amount: 129.025, adj_factor: 125.0496 },
        ...{ turnover: 0.00361, pe_ttm: null, pb: 0.5, dv_ratio: 0.0713, total_share: 194.05918, total_mv: 1956.11655 },
      },
      '600519.SH': { vol: 123_450, adj_factor: null, turnover: null },
    })
    expect(Object.keys(rowsOf(day))).toEqual(['000001.SZ', '600519.SH'])
    for (const asked of provider.asked) expect(callOf(asked)).toMatchObject({ token, params: { trade_date: '20240618' } })
  })

  test('a part that the token may not ask for is left out and told; a day that is not there is empty', async () => {
    const { offers } = fresh(scripted({ ...made, daily_basic: refused('抱歉，您没有接口访问权限'), adj_factor: [] }))
    const day = await offers['stock-day']!({ date: '2024-06-18' }, { signal })
    expect(day.notes).toEqual(['adj_factor 还没有这一天的数据，缺少复权因子', '没有 daily_basic 的权限，缺少换手率、估值与股本'])
    expect([...day.columns.keys()]).not.toContain('turnover')
    const before = fresh(scripted({ daily: [] }))
    expect((await before.offers['stock-day']!({ date: '2024-06-18' }, { signal })).codes).toEqual([])
  })

  test.each([
    ['抱歉，您每分钟最多访问该接口500次，权限的具体详情访问：https://…', 'wait'],
    ['抱歉，您每天最多访问该接口100000次，权限的具体详情访问：https://…', 'tomorrow'],
    ['抱歉，您没有接口访问权限，权限的具体详情访问：https://…', 'permission'],
    ['抱歉，您没有访问该接口的权限', 'permission'],
    ['您的积分不足', 'permission'],
    ['您的token不对，请确认。', 'credentials'],
    ['必填参数', 'shape'],
  ])('“%s” is %s, whatever its number', async (message, kind) => {
    const { offers } = fresh(() => refused(message, 2002))
    const error = await offers['bond-day']!({ date: '2024-06-18' }, { signal }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(FeedFault)
    expect(error).toMatchObject({ kind })
    expect((error as Error).message).not.toContain('http')
  })

  test('asked too often it is asked again after 61 seconds, and answers', async () => {
    let asked = 0
    const rows = scripted({ cb_daily: [{ ts_code: '113050.SH', trade_date: '20240618', ...bondBar }] })
    const { ground, offers } = fresh((call) => (asked++ === 0 ? refused('抱歉，您每分钟最多访问该接口2次') : rows(call)))
    await offers['bond-day']!({ date: '2024-06-18' }, { signal })
    expect(ground.waits).toEqual([61_000])
  })

  test('calls of one api keep to the limit of a minute, those of another have their own', async () => {
    const { ground, offers } = fresh(scripted({ cb_daily: [], trade_cal: [] }), 2)
    for (let i = 0; i < 5; i++) await offers['bond-day']!({ date: '2024-06-18' }, { signal })
    await offers.calendar!({ from: '2024-06-18', to: '2024-06-18' }, { signal })
    expect(ground.waits).toEqual([60_000, 60_000])
  })

  test('pages are read to the end', async () => {
    const item = (i: number) => ({ ts_code: `1130${String(i).padStart(2, '0')}.SH`, trade_date: '20240618', ...bondBar })
    const { offers } = fresh((asked) => {
      const { fields, params } = callOf(asked)
      const columns = fields.split(',')
      const start = Number(params['offset'])
      const items = [start, start + 1].map((i) => columns.map((column) => (item(i) as Record<string, Cell>)[column] ?? null))
      return answered(columns, items, start < 4)
    })
    const day = await offers['bond-day']!({ date: '2024-06-18' }, { signal })
    expect(day.codes).toEqual(['113000.SH', '113001.SH', '113002.SH', '113003.SH', '113004.SH', '113005.SH'])
  })

  test.each<[string, (asked: Asked) => string]>([
    ['another day than asked', scripted({ cb_daily: [{ ts_code: '113050.SH', trade_date: '20240617', ...bondBar }] })],
    ['a column less', () => answered(['ts_code', 'trade_date'], [['113050.SH', '20240618']])],
    ['a row that is short', (asked) => answered(callOf(asked).fields.split(','), [['113050.SH']])],
    ['a word for a number', scripted({ cb_daily: [{ ts_code: '113050.SH', trade_date: '20240618', ...bondBar, close: '涨' }] })],
    [
      'two different rows of one bond',
      scripted({ cb_daily: [1, 2].map((close) => ({ ts_code: '113050.SH', trade_date: '20240618', ...bondBar, close })) }),
    ],
  ])('%s is refused', async (_, answer) => {
    const { offers } = fresh(answer)
    await expect(offers['bond-day']!({ date: '2024-06-18' }, { signal })).rejects.toMatchObject({ kind: 'shape' })
  })

  test('bonds without a trade have no row; exchangeable ones are none of ours', async () => {
    const { offers } = fresh(
      scripted({
        cb_daily: [
          { ts_code: '113050.SH', trade_date: '20240618', ...bondBar, cb_over_rate: '12.5' },
          { ts_code: '110059.SH', trade_date: '20240618', ...bondBar, vol: 0, close: null },
          { ts_code: '132018.SH', trade_date: '20240618', ...bondBar },
        ],
      }),
    )
    const day = await offers['bond-day']!({ date: '2024-06-18' }, { signal })
    expect(rowsOf(day)).toMatchObject({ '113050.SH': { conv_prem: 0.125, vol: 1_234.5, amount: 129.6 } })
    expect(day).toMatchObject({ codes: ['113050.SH'], suspended: ['110059.SH'] })
  })

  test('a bond volume that is counted one by one is told in hands; one that fits neither is nothing', async () => {
    const row = { ts_code: '113050.SH', trade_date: '20240618', ...bondBar }
    const { offers } = fresh(
      scripted({ cb_daily: [row, { ...row, ts_code: '123075.SZ', vol: 12_345 }, { ...row, ts_code: '127024.SZ', vol: 123 }] }),
    )
    const day = await offers['bond-day']!({ date: '2024-06-18' }, { signal })
    expect([...day.columns.get('vol')!]).toEqual([1_234.5, 1_234.5, Number.NaN])
  })

  test('stocks of every status are asked for; indices have names of their own', async () => {
    const { offers } = fresh((asked) => {
      const { api_name, params, fields } = callOf(asked)
      if (api_name === 'index_daily')
        return scripted({ index_daily: [{ ts_code: params['ts_code']!, trade_date: '20240618', open: 1, high: 3, low: 1, close: 2 }] })(
          asked,
        )
      const rows: Record<string, Cell[]> = {
        L: ['000001.SZ', '平安银行', '银行', '19910403', null, 'L'],
        D: ['600001.SH', '邯郸钢铁', null, '19980122', '20091229', 'D'],
        P: [],
      }
      const row = rows[params['list_status']!]!
      return answered(fields.split(','), row.length > 0 ? [row] : [])
    })
    expect(await offers['stock-list']!({}, { signal })).toEqual([
      { code: '000001.SZ', name: '平安银行', industry: '银行', listed: '1991-04-03', delisted: null },
      { code: '600001.SH', name: '邯郸钢铁', industry: null, listed: '1998-01-22', delisted: '2009-12-29' },
    ])
    provider.asked.length = 0
    const day = await offers['index-day']!({ date: '2024-06-18', codes: ['399006', '000300', '000832'] }, { signal })
    expect(day.codes).toEqual(['000300', '000832', '399006'])
    expect(provider.asked.map((asked) => callOf(asked).params['ts_code'])).toEqual(['399006.SZ', '000300.SH', '000832.CSI'])
  })

  test('conversion prices without their right come from the reports of conversions', async () => {
    const share = { ts_code: '113050.SH', publish_date: '20240403', remain_size: 1_650_000_000 }
    const { offers } = fresh(
      scripted({
        cb_price_chg: refused('抱歉，您没有接口访问权限'),
        cb_share: [
          { ...share, end_date: '20240331', convert_price: 8.5 },
          { ...share, end_date: '20231231', convert_price: 9.1, publish_date: null },
          { ...share, end_date: '20240630', convert_price: '8.50', publish_date: '20240702' },
        ],
      }),
    )
    expect(await offers['conversion-prices']!({ codes: ['113050.SH'] }, { signal })).toEqual([
      { code: '113050.SH', announced: null, effective: '2023-12-31', price: 9.1 },
      { code: '113050.SH', announced: '2024-04-03', effective: '2024-03-31', price: 8.5 },
    ])
    // A size without a day of publication was known on no day.
    expect(await offers['remaining-sizes']!({ codes: ['113050.SH'] }, { signal })).toEqual([
      { code: '113050.SH', announced: '2024-04-03', asOf: '2024-03-31', size: 16.5 },
      { code: '113050.SH', announced: '2024-07-02', asOf: '2024-06-30', size: 16.5 },
    ])
  })

  describe('statements', () => {
    const about = {
      ts_code: '600519.SH',
      ann_date: '20241026',
      f_ann_date: '20241026',
      end_date: '20240930',
      report_type: '1',
      update_flag: '0',
    }
    const tables = {
      income: [
        { ...about, revenue: 1_231e8, n_income_attr_p: 608e8 },
        // A quarter alone is none of ours.
        { ...about, report_type: '2', revenue: 396e8 },
      ],
      balancesheet: [{ ...about, total_assets: 2_800e8 }],
      cashflow: [{ ...about, end_date: null, n_cashflow_act: 440e8 }],
      fina_indicator: [{ ...about, profit_dedt: 600e8 }],
    }
    const vip = Object.fromEntries(Object.entries(tables).map(([api, rows]) => [`${api}_vip`, rows]))
    const ask = { from: '2024-10-26', to: '2024-10-27' }
    const expected = [
      { code: '600519.SH', announced: '2024-10-26', period: '2024-09-30', items: { revenue: 1_231, np_parent: 608 } },
      { code: '600519.SH', announced: '2024-10-26', period: '2024-09-30', items: { total_assets: 2_800 } },
      { code: '600519.SH', announced: '2024-10-26', period: '2024-09-30', items: { np_dt: 600 } },
      { code: '600519.SH', announced: '2024-10-26', period: null, items: { ocf: 440 } },
    ]
    const byDay = (script: ReturnType<typeof scripted>) => (asked: Asked) => {
      const { f_ann_date, ann_date } = callOf(asked).params
      return [undefined, '20241026'].includes(f_ann_date ?? ann_date) ? script(asked) : answered(callOf(asked).fields.split(','), [])
    }

    test('with the points: all companies of a day at once, four tables, in 亿元', async () => {
      const { offers } = fresh(byDay(scripted(vip)))
      expect(await offers.statements!(ask, { signal })).toEqual(expected)
      expect(
        provider.asked.map((asked) => [callOf(asked).api_name, callOf(asked).params['f_ann_date'] ?? callOf(asked).params['ann_date']]),
      ).toEqual(['20241026', '20241027'].flatMap((day) => Object.keys(vip).map((api) => [api, day])))
    })

    test('without them: the companies that disclosed in those days, each by itself', async () => {
      const refusals = Object.fromEntries(Object.keys(vip).map((api) => [api, refused('抱歉，您没有接口访问权限')]))
      const disclosed = [{ ts_code: '600519.SH', actual_date: '20241026' }]
      const { offers } = fresh(scripted({ ...tables, ...refusals, disclosure_date: disclosed }))
      expect(await offers.statements!(ask, { signal })).toEqual(expected)
      const single = provider.asked.map(callOf).filter(({ api_name }) => Object.keys(tables).includes(api_name))
      expect(single.map(({ params }) => params['ts_code'])).toEqual(Array(4).fill('600519.SH'))
    })

    test('of two rows of a day the corrected one comes last; what stood before an adjustment first; others are not of those days', async () => {
      const rows = [
        { ...about, update_flag: '1', revenue: 3e8 },
        { ...about, revenue: 2e8 },
        { ...about, report_type: '5', update_flag: '1', revenue: 1e8 },
        { ...about, f_ann_date: '20241030', revenue: 9e8 },
      ]
      const { offers } = fresh(byDay(scripted({ income_vip: rows })))
      expect((await offers.statements!(ask, { signal })).map(({ items }) => items['revenue'])).toEqual([1, 2, 3])
    })
  })

  test('names: of all times, or as announced between two days; a change that is told twice is one', async () => {
    const name = { ts_code: '000001.SZ', name: 'ST甲', start_date: '20240618', end_date: null, ann_date: '20240617' }
    const { offers } = fresh(scripted({ namechange: [name, name] }))
    expect(await offers.names!({}, { signal })).toEqual([
      { code: '000001.SZ', name: 'ST甲', from: '2024-06-18', to: null, announced: '2024-06-17' },
    ])
    await offers.names!({ from: '2024-06-01', to: '2024-06-18' }, { signal })
    expect(provider.asked.map((asked) => callOf(asked).params)).toEqual([
      { limit: '2000', offset: '0' },
      { start_date: '20240601', end_date: '20240618', limit: '2000', offset: '0' },
    ])
  })

  test('a word for a call that nobody has seen is refused', async () => {
    const { offers } = fresh(scripted({ cb_call: [{ ts_code: '113050.SH', is_call: '公告再议', ann_date: '20240618' }] }))
    const asked = offers.calls!({ from: '2024-06-01', to: '2024-06-30' }, { signal })
    await expect(asked).rejects.toThrow('Tushare 的赎回状态“公告再议”不是已知的（113050.SH）')
  })

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
      // A tenth of money went out: the factor says so, and the close before is told without it.
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
        ...{ conversionStart: '2021-05-06', issueSize: 6, remainSize: 0, conversionPrice: 15.44, firstConversionPrice: 23.99 },
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
      ['tushare_error_params.json', 'shape'],
    ])('%s is %s', async (file, kind) => {
      const { offers } = fresh(() => recorded(file)!)
      await expect(offers['bond-day']!({ date: '2024-06-18' }, { signal })).rejects.toMatchObject({ kind })
    })
  })
})
