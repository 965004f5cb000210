import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FeedError } from '../../src/feeds/feed.ts'
import { nameOn } from '../../src/feeds/ingest/names.ts'
import { tushare } from '../../src/feeds/tushare/tushare.ts'
import { conforms } from './feed.conformance.ts'
import { rowsOf } from './ground.ts'
import type { Asked } from './stand-in.ts'
import { answered, bar, type Cell, callOf, refused, scripted, token, tushareStage } from './tushare-script.ts'

const signal = new AbortController().signal

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
  const stage = tushareStage()
  beforeAll(stage.open)
  afterAll(stage.close)
  const { fresh } = stage

  test('a day of stocks: bars in shares and 万元, factor and valuation beside them (a loss as 0), who is suspended all day', async () => {
    const { offers } = fresh(scripted(made))
    const day = await offers['stock-day']!({ date: '2024-06-18' }, { signal })
    expect(day.suspended).toEqual(['000029.SZ'])
    expect(day.notes).toBeUndefined()
    expect(rowsOf(day)).toMatchObject({
      '000001.SZ': {
        ...{ open: 10, high: 11, low: 9.5, close: 10.08, pre_close: 10, vol: 123_450, amount: 129.025, adj_factor: 125.0496 },
        ...{ turnover: 0.00361, pe_ttm: 0, pb: 0.5, dv_ratio: 0.0713, total_share: 194.05918, total_mv: 1956.11655 },
      },
      '600519.SH': { vol: 123_450, adj_factor: null, turnover: null },
    })
    expect(Object.keys(rowsOf(day))).toEqual(['000001.SZ', '600519.SH'])
    for (const asked of stage.asked) expect(callOf(asked)).toMatchObject({ token, params: { trade_date: '20240618' } })
  })

  test('a part that the token may not ask for is left out and told; a day that is not there is empty', async () => {
    const { offers } = fresh(scripted({ ...made, daily_basic: refused('抱歉，您没有接口访问权限'), adj_factor: [] }))
    const day = await offers['stock-day']!({ date: '2024-06-18' }, { signal })
    expect(day.notes).toEqual([
      'adj_factor 还没有这一天的数据，缺少复权因子',
      '所用的 Tushare 账号没有 daily_basic 的权限（积分不足或需单独开通）：“抱歉，您没有接口访问权限”',
      '缺少换手率、估值与股本',
    ])
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
    ['抱歉，您访问接口(fina_audit)频率超限(400次/分钟)，具体频次详情：https://…', 'wait'],
    ['频率超限(10次/小时)', 'wait'],
    ['抱歉，您访问接口(daily)频率超限(2次/天)', 'tomorrow'],
    ['您的IP数量超限，最大数量为5个！', 'blocked'],
    ['抱歉，检测到您存在恶意行为，现已被系统禁用！437617', 'banned'],
    ['接口cb_basic不包含字段newest_rating', 'refused'],
    ['必填参数', 'refused'],
  ])('“%s” is %s, whatever its number; the words are told without the token', async (message, kind) => {
    const { offers } = fresh(() => refused(`${message} ${token}`, 2002))
    const error = await offers['bond-day']!({ date: '2024-06-18' }, { signal }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(FeedError)
    expect(error).toMatchObject({ kind })
    expect((error as Error).message).not.toContain(token)
    expect((error as Error).message).toContain(message)
    // Only a limit by the minute is waited for, and none is asked again at once.
    expect(stage.asked).toHaveLength(message.includes('每分钟') || message.includes('次/分钟') ? 4 : 1)
    await offers['bond-day']!({ date: '2024-06-18' }, { signal }).catch((again: unknown) => expect(again).toMatchObject({ kind }))
  })

  test('an api that was refused rests for its time, others are asked; a limit that it names is kept', async () => {
    const answers: Record<string, string> = { cb_daily: refused('频率超限(3次/小时)') }
    const { deps, offers } = fresh((call) => answers[callOf(call).api_name] ?? scripted({})(call))
    const ask = () => offers['bond-day']!({ date: '2024-06-18' }, { signal })
    await expect(ask()).rejects.toMatchObject({ kind: 'wait', waitMs: 3_600_000 })
    await expect(ask()).rejects.toMatchObject({ kind: 'wait' })
    await offers.calendar!({ from: '2024-06-18', to: '2024-06-18' }, { signal })
    expect(stage.asked.map((each) => callOf(each).api_name)).toEqual(['cb_daily', 'trade_cal', 'trade_cal'])
    await deps.sleep(3_600_001, signal)
    answers['cb_daily'] = refused('抱歉，您每分钟最多访问该接口2次')
    await expect(ask()).rejects.toMatchObject({ kind: 'wait' })
    await deps.sleep(61_001, signal)
    delete answers['cb_daily']
    deps.waits.length = 0
    for (let i = 0; i < 4; i++) await ask()
    expect(deps.waits.some((wait) => wait > 50_000)).toBe(true)
  })

  test('asked too often it is asked again after 61 seconds, and answers', async () => {
    let asked = 0
    const rows = scripted({ cb_daily: [{ ts_code: '113050.SH', trade_date: '20240618', ...bondBar }] })
    const { deps, offers } = fresh((call) => (asked++ === 0 ? refused('抱歉，您每分钟最多访问该接口2次') : rows(call)))
    await offers['bond-day']!({ date: '2024-06-18' }, { signal })
    expect(deps.waits).toEqual([61_000])
  })

  test('calls of one api keep to the limit of a minute, those of another have their own', async () => {
    const { deps, offers } = fresh(scripted({ cb_daily: [], trade_cal: [] }), 2)
    for (let i = 0; i < 5; i++) await offers['bond-day']!({ date: '2024-06-18' }, { signal })
    await offers.calendar!({ from: '2024-06-18', to: '2024-06-18' }, { signal })
    expect(deps.waits).toEqual([60_000, 60_000])
  })

  test('the calendar is what both exchanges have; where they differ there is none', async () => {
    const days = (exchanges: Readonly<Record<string, readonly [string, number][]>>) => (asked: Asked) =>
      answered(['cal_date', 'is_open'], exchanges[callOf(asked).params['exchange'] ?? ''] ?? [])
    const ask = { from: '2024-12-30', to: '2025-01-02' }
    const shanghai: [string, number][] = [
      ['20250101', 0],
      ['20241231', 1],
      ['20241230', 1],
    ]
    const lagging = fresh(days({ SSE: shanghai, SZSE: shanghai.slice(1) }))
    expect(await lagging.offers.calendar!(ask, { signal })).toEqual([
      { date: '2024-12-30', open: true },
      { date: '2024-12-31', open: true },
    ])
    const other = fresh(days({ SSE: shanghai, SZSE: shanghai.with(1, ['20241231', 0]) }))
    await expect(other.offers.calendar!(ask, { signal })).rejects.toMatchObject({
      kind: 'shape',
      message: 'Tushare 给出的沪深交易日历在 2024-12-31 不一致',
    })
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
          { ts_code: '110059.SH', trade_date: '20240618', ...bondBar, vol: 0, amount: null, close: null },
          // Not made yet: neither a price nor a volume is no suspension.
          { ts_code: '110062.SH', trade_date: '20240618', ...bondBar, vol: null, amount: null, close: null },
          { ts_code: '132018.SH', trade_date: '20240618', ...bondBar },
        ],
      }),
    )
    const day = await offers['bond-day']!({ date: '2024-06-18' }, { signal })
    expect(rowsOf(day)).toMatchObject({ '113050.SH': { conv_prem: 0.125, vol: 1_234.5, amount: 129.6 } })
    expect(day).toMatchObject({ codes: ['113050.SH'], suspended: ['110059.SH'] })
  })

  test('bars of some bonds are taken out of the whole day: asked by its code a bond has its prices to the cent alone', async () => {
    const { offers } = fresh(
      scripted({ cb_daily: ['113050.SH', '113052.SH'].map((ts_code) => ({ ts_code, trade_date: '20240618', ...bondBar })) }),
    )
    expect((await offers['bond-day']!({ date: '2024-06-18', codes: ['113052.SH'] }, { signal })).codes).toEqual(['113052.SH'])
    expect(stage.asked.map((asked) => callOf(asked).params)).toEqual([{ trade_date: '20240618', limit: '2000', offset: '0' }])
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
    stage.asked.length = 0
    const day = await offers['index-day']!({ date: '2024-06-18', codes: ['399006', '000300', '000832'] }, { signal })
    expect(day.codes).toEqual(['000300', '000832', '399006'])
    expect(stage.asked.map((asked) => callOf(asked).params['ts_code'])).toEqual(['399006.SZ', '000300.SH', '000832.CSI'])
  })

  test('of a security that a list has twice holds what its rows agree on, in any order; the rest is told', async () => {
    const bond = { ts_code: '113050.SH', bond_short_name: '南银转债', cb_type: 'CB', stk_code: '601009.SH', list_date: '20210701' }
    const rates = '20210615-20220614,票面利率:0.30%;20220615-20230614,票面利率:0.50%'
    const rows = [
      { ...bond, maturity_date: '20270615', issue_size: 200e8, call_clause: '甲', value_date: '20210615', maturity: 2, rate_clause: rates },
      { ...bond, list_date: '20210702', delist_date: '20250718', issue_size: 200e8, remain_size: 1e8, call_clause: '乙' },
    ]
    for (const told of [rows, rows.toReversed()]) {
      const notes: string[] = []
      const { offers } = fresh(scripted({ cb_basic: told }))
      const found = await offers['bond-list']!({}, { signal, tell: (note) => notes.push(note) })
      expect(found).toMatchObject([
        {
          ...{ code: '113050.SH', name: '南银转债', stockCode: '601009.SH', listed: null, delisted: '2025-07-18' },
          ...{ maturityDate: '2027-06-15', issueSize: 200, remainSize: 1, clauses: { redeem: null } },
          coupons: [0.003, 0.005],
        },
      ])
      expect(notes).toEqual(['同一代码的几行说法不同，2 项未采用：113050.SH 上市日 2021-07-01、2021-07-02'])
    }
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
    const items = { revenue: 1_231, np_parent: 608, total_assets: 2_800, np_dt: 600 }
    const expected = [
      { code: '600519.SH', announced: '2024-10-26', period: '2024-09-30', items },
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
        stage.asked.map((asked) => [callOf(asked).api_name, callOf(asked).params['f_ann_date'] ?? callOf(asked).params['ann_date']]),
      ).toEqual(['20241026', '20241027'].flatMap((day) => Object.keys(vip).map((api) => [api, day])))
    })

    test('without them: the companies that disclosed in those days, each by itself', async () => {
      const refusals = Object.fromEntries(Object.keys(vip).map((api) => [api, refused('抱歉，您没有接口访问权限')]))
      const disclosed = [{ ts_code: '600519.SH', actual_date: '20241026' }]
      const { offers } = fresh(scripted({ ...tables, ...refusals, disclosure_date: disclosed }))
      expect(await offers.statements!(ask, { signal })).toEqual(expected)
      const single = stage.asked.map(callOf).filter(({ api_name }) => Object.keys(tables).includes(api_name))
      expect(single.map(({ params }) => params['ts_code'])).toEqual(Array(4).fill('600519.SH'))
    })

    test('of the rows of a publication the correction holds, never what stood before an adjustment; those of other days are left out', async () => {
      const rows = [
        { ...about, update_flag: '1', revenue: 3e8 },
        { ...about, revenue: 2e8 },
        { ...about, report_type: '5', update_flag: '1', revenue: 1e8 },
        { ...about, f_ann_date: '20241030', revenue: 9e8 },
        // What cannot be read loses no other.
        { ...about, revenue: '九亿' },
      ]
      for (const told of [rows, rows.toReversed()]) {
        const { offers } = fresh(byDay(scripted({ income_vip: told })))
        expect((await offers.statements!(ask, { signal })).map(({ items: of }) => of)).toEqual([{ revenue: 3 }])
      }
    })

    test('numbers that contradict each other without an order, and rows that cannot be read, are left out and told', async () => {
      const rows = [
        { ...about, revenue: 2e8, n_income_attr_p: 1e8 },
        { ...about, revenue: 4e8, n_income_attr_p: 1e8 },
        { ...about, ts_code: '000001.SZ', revenue: '更正' },
        { ...about, ts_code: '000002.SZ', report_type: 1.0, update_flag: null, revenue: 5e8 },
      ]
      const { offers } = fresh(byDay(scripted({ income_vip: rows })))
      const told: string[] = []
      const found = await offers.statements!(ask, { signal, tell: (note) => told.push(note) })
      expect(found.map(({ code, items: of }) => [code, of])).toEqual([
        ['000002.SZ', { revenue: 5 }],
        ['600519.SH', { np_parent: 1 }],
      ])
      expect(told).toEqual([
        expect.stringContaining('1 行无法识别，未采用：000001.SZ 的 revenue'),
        '1 项数字在同一次公告里有不同的写法，分不出先后，未采用：600519.SH 2024-09-30（2024-10-26 公告）revenue：2、4',
      ])
    })
  })

  test('names: of all times, or as announced between two days; a change that is told twice is one', async () => {
    const name = { ts_code: '000001.SZ', name: 'ST甲', start_date: '20240618', end_date: null, ann_date: '20240617' }
    const { offers } = fresh(scripted({ namechange: [name, name] }))
    expect(await offers.names!({}, { signal })).toEqual([
      { code: '000001.SZ', name: 'ST甲', from: '2024-06-18', to: null, announced: '2024-06-17' },
    ])
    await offers.names!({ from: '2024-06-01', to: '2024-06-18' }, { signal })
    expect(stage.asked.map((asked) => callOf(asked).params)).toEqual([
      { limit: '2000', offset: '0' },
      { start_date: '20240601', end_date: '20240618', limit: '2000', offset: '0' },
    ])
  })

  test('of two names that a share got on one day the one that lasts holds, and blanks and full width are no part of a name', async () => {
    const change = { ts_code: '000918.SZ', ann_date: '20090428' }
    const rows = [
      { ...change, name: 'S*ST亚华', start_date: '20090429', end_date: '20091019' },
      { ...change, name: 'SST亚华', start_date: '20090429', end_date: '20090429' },
      { ...change, name: 'Ｓ 亚 华', start_date: '20061009', end_date: '20090428' },
    ]
    for (const told of [rows, rows.toReversed()]) {
      const names = await fresh(scripted({ namechange: told })).offers.names!({}, { signal })
      expect(names.map(({ name }) => name)).toEqual(['S亚华', 'SST亚华', 'S*ST亚华'])
      expect(nameOn(names, '2009-04-29')).toBe('S*ST亚华')
    }
  })

  test('what is paid at maturity, in words', async () => {
    const clause = '20210615-20220614,票面利率:0.20%;20220615-20230614,票面利率:0.40%'
    const priceIn = async (words: Cell, rate_clause: Cell = clause) => {
      const bond = { ts_code: '113050.SH', cb_type: 'CB', maturity: 2, value_date: '20210615', rate_clause, maturity_call_price: words }
      return (await fresh(scripted({ cb_basic: [bond] })).offers['bond-list']!({}, { signal }))[0]!.maturityPrice
    }
    for (const [words, price] of [
      ['107', 107],
      [107, 107],
      ['到期赎回价为111元/张', 111],
      ['票面面值的110%（含最后一期利息）', 110],
      ['期满后五个交易日内，按债券面值的112.5%(含最后一期年度利息)赎回', 112.5],
      ['108元（不含最后一期利息）', 108.4],
      ['108（不含最后一年利息）', 108.4],
      ['面值加当期利息', Number.NaN],
    ] as const)
      expect([words, await priceIn(words)]).toEqual([words, price])
    // The last coupon is not known.
    expect(await priceIn('108元（不含最后一期利息）', clause.slice(0, 30))).toBeNaN()
  })

  test('of calls and lists every readable row counts; what could not be read is told', async () => {
    const call = {
      ts_code: '113050.SH',
      is_call: '公告实施强赎',
      ann_date: '20240618',
      call_date: '20240715',
      call_price: 100.5,
      call_reg_date: '20240712',
    }
    const { offers } = fresh(scripted({ cb_call: [call, { ...call, ts_code: '123075.SZ', is_call: '公告预计满足强赎' }] }))
    const told: string[] = []
    const calls = await offers.calls!({ from: '2024-06-01', to: '2024-06-30' }, { signal, tell: (note) => told.push(note) })
    expect(calls.map(({ code, status }) => [code, status])).toEqual([['113050.SH', 'called']])
    expect(told).toEqual([expect.stringContaining('公告预计满足强赎')])
  })

  test('of prices one malformed row is left out and told: a word for a number, trades without a price, two rows that differ; more are no answer', async () => {
    const rows = (odd: number, how: 'word' | 'priceless' | 'twice') =>
      Array.from({ length: 40 }, (_, i) => `1130${String(i).padStart(2, '0')}.SH`).flatMap((ts_code, i): Record<string, Cell>[] => {
        const row = { ts_code, trade_date: '20240618', ...bondBar }
        if (i >= odd) return [row]
        if (how === 'priceless') return [{ ...row, open: null, high: null, low: null, close: null }]
        return how === 'word' ? [{ ...row, close: '更正' }] : [row, { ...row, close: 105.5 }]
      })
    for (const how of ['word', 'priceless', 'twice'] as const) {
      const { offers } = fresh(scripted({ cb_daily: rows(1, how) }))
      const day = await offers['bond-day']!({ date: '2024-06-18' }, { signal })
      expect(day).toMatchObject({ unread: ['113000.SH'], suspended: [], notes: [expect.stringContaining('1 行无法识别')] })
      expect(day.codes).toHaveLength(39)
      const more = fresh(scripted({ cb_daily: rows(2, how) }))
      await expect(more.offers['bond-day']!({ date: '2024-06-18' }, { signal })).rejects.toMatchObject({ kind: 'shape' })
    }
  })

  test('whose ex-day it is comes of one call; of a share without a row nothing is said', async () => {
    const row = { ts_code: '600519.SH', ex_date: '20240618' }
    const { offers } = fresh(
      scripted({ dividend: [row, row, { ...row, ts_code: '000002.SZ' }, { ...row, ts_code: '000001.SZ', ex_date: null }] }),
    )
    const ask = { date: '2024-06-18', codes: ['000001.SZ', '600519.SH', '600000.SH'] }
    expect(await offers['ex-days']!(ask, { signal })).toEqual([{ code: '600519.SH', date: '2024-06-18' }])
    expect(stage.asked.map(callOf)).toEqual([
      expect.objectContaining({ api_name: 'dividend', params: expect.objectContaining({ ex_date: '20240618' }) }),
    ])
  })

  test('sizes and share counts of 0 are absent', async () => {
    const zero = { ...made.daily_basic[0]!, total_mv: 0, circ_mv: 0, total_share: 0, float_share: 0, free_share: 0 }
    const { offers } = fresh(
      scripted({
        ...made,
        daily_basic: [zero],
        cb_share: [{ ts_code: '113050.SH', publish_date: '20240403', end_date: '20240331', convert_price: 8.5, remain_size: 0 }],
      }),
    )
    const day = await offers['stock-day']!({ date: '2024-06-18' }, { signal })
    expect(rowsOf(day)['000001.SZ']).toMatchObject({
      total_mv: null,
      circ_mv: null,
      total_share: null,
      float_share: null,
      free_share: null,
      pb: 0.5,
    })
    expect(await offers['remaining-sizes']!({ codes: ['113050.SH'] }, { signal })).toEqual([])
  })

  test('a word for a call that nobody has seen is refused', async () => {
    const { offers } = fresh(scripted({ cb_call: [{ ts_code: '113050.SH', is_call: '公告再议', ann_date: '20240618' }] }))
    const asked = offers.calls!({ from: '2024-06-01', to: '2024-06-30' }, { signal })
    await expect(asked).rejects.toThrow('Tushare 的赎回状态“公告再议”不是已知的（113050.SH）')
  })
})
