import { describe, expect, it } from 'vitest'
import { markets, type Panel } from '../../src/index.ts'
import { unknownTerms } from '../../src/panel/bond-terms.ts'
import { parameters, settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'
import { trades } from '../fixtures/trades.ts'

/** Weekdays of 2024 as dates of a table. */
const tradingDays = (count: number): string[] =>
  Array.from({ length: 100 }, (_, k) => new Date(Date.UTC(2024, 0, 1 + k)))
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .slice(0, count)
    .map((day) => day.toISOString().slice(0, 10))

describe('bonds that end', () => {
  const prices = `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  101  110
    2024-01-04  102  110
    2024-01-05  103  110
    2024-01-08  -    110
    2024-01-09  .    110
  `
  const coupons = { ...unknownTerms, valueDate: '2022-01-10', coupons: [0.5, 0.6, 1] }
  const ends = (over: object) =>
    table(prices, { securities: { AAA: { lastDay: '2024-01-05', ...over }, BBB: { terms: { ...coupons, valueDate: '2023-06-01' } } } })
  /** In a market that has no terms at all. */
  const untold = (over: object = {}) => table(prices, { securities: { AAA: { lastDay: '2024-01-05', lastDayKnown: null, ...over } } })
  const hold = parameters({ hold_method: { hold_range_end: 1 }, rebalance_method: { rebalance_type: 0, rebalance_value: 250 } })

  it.each([
    { handling: 't_minus_1_close', known: '2024-01-03', expected: '01-04 sell AAA 100@102 last_day' },
    { handling: 'last_day_close', known: '2024-01-03', expected: '01-05 sell AAA 100@103 last_day' },
    { handling: 't_minus_1_close', known: '2024-01-05', expected: '01-05 sell AAA 100@103 last_day' },
    // Nobody knows what it pays.
    { handling: 'hold_to_redemption', known: '2024-01-03', expected: '01-05 sell AAA 100@103 last_day' },
  ] as const)('$handling, announced $known', ({ handling, known, expected }) => {
    expect(trades(ends({ lastDayKnown: known }), hold, { call_handling: handling })).toEqual(['01-02 buy AAA 100@100 enter', expected])
  })

  it('ideal runs read the last day from the data', () => {
    expect(trades(ends({ lastDayKnown: null }), hold, { execution: 'ideal', call_handling: 't_minus_1_close' })[1]).toBe(
      '01-04 sell AAA 100@102 last_day',
    )
  })

  it('what waits for its redemption is not sold on its last day, whatever the ranking says', () => {
    const daily = parameters({ hold_method: { hold_range_end: 1 } })
    const said = { lastDayKnown: '2024-01-03', redemptionPrice: 100.5, redemptionDay: '2024-01-08', board: 'SSE_MAIN' }
    expect(trades(ends(said), daily, { call_handling: 'hold_to_redemption' })).toEqual([
      '01-02 buy AAA 100@100 enter',
      '01-08 sell AAA 100@100.5 called',
      '01-08 buy BBB 90@110 enter',
    ])
  })

  it('a redemption is paid at its price, without a fee', () => {
    const panel = ends({ lastDayKnown: '2024-01-03', redemptionPrice: 100.5, redemptionDay: '2024-01-08', board: 'SSE_MAIN' })
    const { report } = reportOf(panel, markets.cb, {
      parameters: hold,
      settings: settings('2024-01-02', '2024-01-09', {
        execution: 'realistic',
        capital: 1,
        adjust: 'raw',
        call_handling: 'hold_to_redemption',
        cost: { buy_rate: 0, sell_rate: 0.01 },
      }),
    })
    expect(report.trades[1]).toMatchObject({
      date: '2024-01-08',
      price: 100.5,
      fee: 0,
      reason: 'called',
      reason_text: '强制赎回，按赎回价兑付',
    })
    expect(report.curves.nav[5]).toBeCloseTo(1.005, 12)
  })

  const handlings = ['t_minus_1_close', 'last_day_close', 'hold_to_redemption'] as const
  it.each(handlings)('a bond whose end nobody knew before is no cash at its last price: it stays in the book, by name (%s)', (handling) => {
    for (const execution of ['realistic', 'ideal'] as const) {
      // Textbook runs read the last day from the data: there it has no price on it.
      const panel = ends({ lastDayKnown: null, exitReason: 'unknown', ...(execution === 'ideal' && { lastDay: null }) })
      const { report, days } = reportOf(panel, markets.cb, {
        parameters: hold,
        settings: settings('2024-01-02', '2024-01-09', { execution, adjust: 'raw', capital: 1, call_handling: handling }),
      })
      expect(report.trades.map(({ date, code, side }) => `${date} ${side} ${code}`)).toEqual(['2024-01-02 buy AAA'])
      expect(days.at(-1)?.positions).toMatchObject([{ code: 'AAA', last_price: 103, reason: 'unpaid' }])
      expect(report.curves.hold_count.at(-1)).toBe(0)
      expect(report.warnings.join()).toContain(
        'AAA（AAA）已无行情（退出原因不明），兑付金额无法推算，期末未兑付，按最后收盘价计值，占期末权益',
      )
    }
  })

  it('without any terms in the data it is out at its last price', () => {
    expect(trades(untold(), hold, { call_handling: 't_minus_1_close' })[1]).toBe('01-08 sell AAA 100@103 delisted')
  })

  it('data that just stop are told', () => {
    const { report } = reportOf(untold(), markets.cb, {
      parameters: hold,
      settings: settings('2024-01-02', '2024-01-09', { execution: 'realistic', adjust: 'raw' }),
    })
    expect(report.warnings).toContain('2024-01-08 AAA（AAA）已无行情，按最后价格退出')
  })

  it('with the reason of its end, where the data say it', () => {
    const { report } = reportOf(untold({ exitReason: 'small' }), markets.cb, {
      parameters: hold,
      settings: settings('2024-01-02', '2024-01-09', { execution: 'realistic', adjust: 'raw' }),
    })
    expect(report.warnings).toContain('2024-01-08 AAA（AAA）已无行情（规模不足），按最后价格退出')
  })

  it('what is about to leave is not bought any more', () => {
    const panel = ends({ lastDayKnown: '2024-01-03' })
    const daily = parameters({ hold_method: { hold_range_end: 1 } })
    expect(trades(panel, daily, { start_date: '2024-01-04', call_handling: 't_minus_1_close' })[0]).toBe('01-04 buy BBB 90@110 enter')
    expect(trades(panel, daily, { start_date: '2024-01-04', call_handling: 'last_day_close' })[0]).toBe('01-04 buy AAA 90@102 enter')
  })

  it.each([
    { handling: 't_minus_1_close', fill: 'next_close', day: '01-04', end: '01-04' },
    { handling: 'last_day_close', fill: 'next_open', day: '01-05', end: '01-05' },
    { handling: 'hold_to_redemption', fill: 'next_close', day: '01-05', end: '01-08' },
  ] as const)('what is held is not topped up on $day any more: $handling, filled at $fill', ({ handling, fill, day, end }) => {
    // On each of its last days it is worth less than its half.
    const falling = prices.replace('102  110', '90   110').replace('103  110', '80   110')
    const said = { redemptionPrice: 100, redemptionDay: '2024-01-08', board: 'SSE_MAIN', terms: coupons } as const
    const panel = table(falling, {
      fields: { open: falling },
      securities: { AAA: { lastDay: '2024-01-05', lastDayKnown: '2024-01-03', ...said } },
    })
    const both = parameters({ hold_method: { hold_range_end: 2 } })
    for (const execution of ['ideal', 'realistic'] as const) {
      const lines = trades(panel, both, { execution, fill, call_handling: handling, capital: 100 }).filter((line) => line.includes('AAA'))
      expect(lines.filter((line) => line.startsWith(`${day} buy`))).toEqual([])
      expect(lines.at(-1)).toMatch(new RegExp(`^${end} sell`))
    }
  })

  describe('a share that has not traded at the end of a run', () => {
    const days = tradingDays(40)
    const quiet = (last: number) => {
      const text = days.map((date, t) => `${date} ${t <= last ? '3' : '-'} 4`).join('\n')
      return table(`AAA BBB\n${text}`, { kind: 'stk' })
    }
    const run = (last: number, execution: 'ideal' | 'realistic') => runOn(quiet(last), execution)
    const runOn = (panel: Panel, execution: 'ideal' | 'realistic') =>
      reportOf(panel, markets.stk, {
        parameters: hold,
        settings: settings(days[0], days[39], { benchmark: 'stk_ew', execution, capital: 10, adjust: 'qfq', delisting: 'zero' }),
      })

    it.each(['ideal', 'realistic'] as const)('is named after twenty days: %s', (execution) => {
      const { report, days: told } = run(19, execution)
      const warning = `AAA（AAA）自 ${days[19]} 之后没有成交，按停牌持有，占期末权益 ${execution === 'ideal' ? '100.0' : '99.9'}%；也可能已经退市而数据没有写明`
      expect(report.warnings).toContain(warning)
      // Nobody can say that nobody left.
      const universe = report.assumptions.find(({ key }) => key === 'universe')?.text
      expect(universe).toContain('区间内没有写明退出交易的证券，1 只到期末已有 20 个交易日以上没有成交，可能已经退市')
      expect(told[38].positions[0].reason_text).toBe('停牌，继续持有')
      expect(told[39].positions[0].reason_text).toBe(`自 ${days[19]} 之后没有成交，按停牌继续持有`)
      // Of one whose bar has not come nobody says that it is suspended.
      const lacking = { ...quiet(19), missingBars: new Map([[days[39]!, new Set(['AAA'])]]) }
      const of = (panel: Panel) => runOn(panel, execution).report.assumptions.find(({ key }) => key === 'universe')?.text
      expect(of(quiet(19))).not.toContain('缺行情')
      expect(of(lacking)).toContain('可能已经退市，按停牌处理，其中 1 只期末缺行情，按最近收盘价计值')
    })

    it.each(['ideal', 'realistic'] as const)('is no news before: %s', (execution) => {
      const { report } = run(20, execution)
      expect(report.warnings.filter((text) => text.includes('没有成交，'))).toEqual([])
      expect(report.assumptions.find(({ key }) => key === 'universe')?.text).toContain('区间内没有退出交易的证券')
    })
  })

  it('a delisted share is worth its last price, or nothing', () => {
    const panel = table(prices, { kind: 'stk', securities: { AAA: { lastDay: '2024-01-05' } } })
    expect(trades(panel, hold, { delisting: 'last_price', capital: 2 })[1]).toBe('01-08 sell AAA 100@103 delisted')
    expect(trades(panel, hold, { delisting: 'zero', capital: 2 })[1]).toBe('01-08 sell AAA 100@0 delisted')
  })
})
