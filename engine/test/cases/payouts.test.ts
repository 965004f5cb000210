import { describe, expect, it } from 'vitest'
import { grid, markets, quickBacktest } from '../../src/index.ts'
import { unknownTerms } from '../../src/panel/bond-terms.ts'
import { filterBy, parameters, settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

// Interest runs from 5 January: 0.4, then 0.8, 1.2 … a year; the payment of 2024 falls on a Friday, that of 2025 on a Sunday.
const terms = {
  ...unknownTerms,
  valueDate: '2022-01-05',
  maturityDate: '2028-01-05',
  coupons: [0.4, 0.8, 1.2, 1.6, 2, 2.4],
  maturityPrice: 108,
}
const prices = (date: (day: number) => string) =>
  table(
    `
          AAA    BBB
    ${date(0)}  100  110
    ${date(1)}  100  110
    ${date(2)}  99.2 110
    ${date(3)}  99.2 110
  `,
    { securities: { AAA: { terms } } },
  )
const days2024 = (day: number) => ['2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'][day] as string
const days2025 = (day: number) => ['2025-01-02', '2025-01-03', '2025-01-06', '2025-01-07'][day] as string
const once = parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 250 } })
const run = (date: (day: number) => string, over: Parameters<typeof settings>[2] = {}) =>
  reportOf(prices(date), markets.cb, {
    parameters: once,
    settings: settings(date(0), date(3), { execution: 'realistic', capital: 1, adjust: 'raw', ...over }),
  })

describe('interest of bonds', () => {
  it.each([
    { date: days2024, paid: 80 },
    // Due on a Sunday: paid on Monday.
    { date: days2025, paid: 120 },
  ])('is paid in cash on its day, and told', ({ date, paid }) => {
    const { days, report } = run(date)
    expect(days.map(({ cash }) => cash)).toEqual([0, 0, paid, paid])
    expect(days.map(({ positions }) => positions[0]?.cash_div)).toEqual([0, 0, paid, 0])
    expect(report.curves.nav[3]).toBeCloseTo(0.992 + paid / 10_000, 12)
    expect(report.contributions[0]?.share).toBeCloseTo(-0.008 + paid / 10_000, 12)
    const told = report.daily_contribution?.days.flatMap(({ value }) => value).reduce((sum, value) => sum + value, 0)
    expect(told).toBeCloseTo(-0.008 + paid / 10_000, 8)
    expect(report.assumptions.find(({ key }) => key === 'adjust')?.text).toContain('票息在付息日计入现金')
  })

  it.each([
    ['on a Saturday', '2022-01-06', ['2024-01-04', '2024-01-05', '2024-01-08', '2024-01-09'], '99.2'],
    ['in a week of holidays', '2022-10-03', ['2024-09-27', '2024-09-30', '2024-10-08', '2024-10-09'], '99.2'],
    ['during a suspension', '2022-01-05', ['2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'], '-'],
  ] as const)('that falls due %s is paid once, on the next trading day, for positions from before it', (_, valueDate, days, close) => {
    const panel = table(` AAA BBB\n${days.map((date, t) => `${date} ${t === 2 ? close : 100} 110`).join('\n')}`, {
      securities: { AAA: { terms: { ...terms, valueDate } } },
    })
    const paid = (from: number) =>
      reportOf(panel, markets.cb, {
        parameters: once,
        settings: settings(days[from] as string, days[3], { execution: 'realistic', capital: 1, adjust: 'raw' }),
      }).days.map(({ positions }) => positions.find(({ code }) => code === 'AAA')?.cash_div ?? 0)
    expect(paid(0)).toEqual([0, 0, 80, 0])
    // A position bought on the day of the payment, or later, gets none.
    expect(paid(2)).toEqual([0, 0])
  })

  it('is paid only for positions from before the day of payment', () => {
    const late = reportOf(prices(days2024), markets.cb, {
      parameters: once,
      settings: settings('2024-01-05', '2024-01-08', { execution: 'realistic', capital: 1, adjust: 'raw' }),
    })
    expect(late.days.map(({ positions }) => positions[0]?.cash_div)).toEqual([0, 0])
  })

  it('textbook runs and adjusted prices know no interest', () => {
    expect(run(days2024, { execution: 'ideal' }).days[3]?.cash).toBe(0)
    expect(run(days2024, { adjust: 'hfq' }).days[3]?.cash).toBe(0)
  })
})

describe('interest that a run leaves out', () => {
  /** 250 weekdays of two bonds at 100 and 110, of which AAA pays 0.8 on 5 January and BBB nothing that is known. */
  const dates = Array.from({ length: 350 }, (_, k) => new Date(Date.UTC(2023, 6, 3 + k)))
    .filter((date) => date.getUTCDay() % 6 !== 0)
    .map((date) => date.toISOString().slice(0, 10))
    .slice(0, 250)
  const panelOf = (bbb: typeof terms | undefined) =>
    table(['AAA BBB', ...dates.map((date) => `${date} 100 110`)].join('\n'), {
      securities: { AAA: { terms }, ...(bbb && { BBB: { terms: bbb } }) },
    })
  const request = (over: Parameters<typeof settings>[2], more: Parameters<typeof parameters>[0] = {}, days = 250) => ({
    parameters: parameters({ hold_method: { hold_range_end: 2 }, rebalance_method: { rebalance_type: 0, rebalance_value: 20 }, ...more }),
    settings: settings(dates[0] as string, dates[days - 1] as string, { capital: 1, adjust: 'raw', ...over }),
  })
  const quickly = (panel: ReturnType<typeof panelOf>, ...asked: Parameters<typeof request>) => {
    const outcome = quickBacktest(panel, markets.cb, request(...asked))
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return outcome.result.left_out_interest
  }
  const paid = { ...terms, coupons: [0.4, 0.8, 1.1, 1.6, 2, 2.4], valueDate: '2022-02-05' }

  it('is what positions would have been paid, a year', () => {
    const panel = panelOf(paid)
    // Half of the money in each: 0.8 of 100 and 0.8 of 110.
    const expected = ((0.008 + 0.8 / 110) / 2) * (242 / 250)
    for (const told of [
      reportOf(panel, markets.cb, request({ execution: 'ideal' })).report.left_out_interest,
      quickly(panel, { execution: 'realistic' }),
      // A rule with least holding days is lived day by day.
      quickly(panel, { execution: 'ideal' }, { hold_days: 1 }),
    ])
      expect(told).toBeCloseTo(expected, 4)
    // And that much the realistic run has more.
    const [ideal, realistic] = (['ideal', 'realistic'] as const).map(
      (execution) => reportOf(panel, markets.cb, request({ execution, capital: 1_000 })).report.metrics.total_return as number,
    ) as [number, number]
    expect((realistic - ideal) * (242 / 250)).toBeCloseTo(expected, 4)
  })

  it('is told by a grid of its best cell', () => {
    const moving = ['AAA BBB', ...dates.map((date, day) => `${date} ${100 + (day % 3)} 110`)].join('\n')
    const panel = table(moving, { securities: { AAA: { terms: paid }, BBB: { terms: paid } } })
    const axis = { label: '持有数量', path: 'parameters.hold_method.hold_range_end', values: [1, 2] }
    const told = (execution: 'ideal' | 'realistic') => {
      const cells = grid(panel, markets.cb, request({ execution }), [axis])
      let step = cells.next()
      while (!step.done) step = cells.next()
      if (!step.value.ok) throw new Error(step.value.problem.message)
      return step.value.result
    }
    const { best, left_out_interest } = told('ideal')
    const hold = { hold_method: { hold_range_end: axis.values[best?.index[0] as number] as number } }
    expect(left_out_interest).toBe(quickly(panel, { execution: 'ideal' }, hold))
    expect(left_out_interest).toBeGreaterThan(0)
    expect(told('realistic')).not.toHaveProperty('left_out_interest')
  })

  it('is not known where coupons are not, or the run is short; nothing is left out that is paid, and of shares nothing at all', () => {
    expect(quickly(panelOf(undefined), { execution: 'ideal' })).toBeNull()
    expect(quickly(panelOf(paid), { execution: 'ideal' }, {}, 100)).toBeNull()
    expect(reportOf(panelOf(paid), markets.cb, request({ execution: 'realistic' })).report).not.toHaveProperty('left_out_interest')
    const shares = table(['AAA', ...dates.map((date) => `${date} 10`)].join('\n'), { kind: 'stk' })
    const asked = request({ execution: 'ideal', adjust: 'qfq', benchmark: 'stk_ew' })
    expect(reportOf(shares, markets.stk, asked).report).not.toHaveProperty('left_out_interest')
  })
})

describe('dividends of shares', () => {
  // 0.5 yuan and three new shares for ten on the fourth: (10 − 0.5) / 1.3 is 7.31 by the exchange's rounding.
  const prices = (suspended: string) => `
                AAA  BBB
    2024-01-02  10   20
    2024-01-03  10   20
    2024-01-04  ${suspended} 20
    2024-01-05  7.4  20
  `
  const adj_factor = `
                AAA      BBB
    2024-01-02  1        1
    2024-01-03  1        1
    2024-01-04  1.367989 1
    2024-01-05  1.367989 1
  `
  const exDays = [{ date: '2024-01-04', cash: 0.5, ratio: 0.3 }]
  const hold = (suspended: string, over: Parameters<typeof settings>[2] = {}, adjust: 'raw' | 'qfq' = 'raw', factors = adj_factor) =>
    reportOf(
      table(prices(suspended), { kind: 'stk', adjust, fields: { adj_factor: factors }, securities: { AAA: { exDays } } }),
      markets.stk,
      {
        parameters: once,
        settings: settings('2024-01-02', '2024-01-05', { benchmark: 'stk_ew', execution: 'realistic', capital: 1, adjust: 'raw', ...over }),
      },
    )

  it('go into cash and into shares on the ex-day', () => {
    const { days, report } = hold('7.31')
    expect(days.map(({ positions }) => [positions[0]?.volume, positions[0]?.cash_div, positions[0]?.stk_div])).toEqual([
      [900, 0, 0],
      [900, 0, 0],
      [1170, 450, 270],
      [1170, 0, 0],
    ])
    // 900 shares, 1,000 yuan less the transfer fee, the dividend.
    expect(report.curves.nav[3]).toBeCloseTo((1170 * 7.4 + 1000 - 0.09 + 450) / 10_000, 12)
    expect(report.contributions[0]?.pnl).toBeCloseTo(1170 * 7.4 + 450 - 9000.09, 8)
    expect(report.assumptions.find(({ key }) => key === 'adjust')?.text).toContain('现金分红计入现金（税前）')
  })

  it('of a suspended share come when it trades again', () => {
    expect(hold('-').days.map(({ positions }) => positions[0]?.stk_div)).toEqual([0, 0, 0, 270])
  })

  it('of a share suspended over two ex-days come one after the other: the later dividend is of the new shares too', () => {
    const text = (a: readonly (number | '-')[]) =>
      `AAA BBB\n${['02', '03', '04', '05', '08'].map((day, k) => `2024-01-${day} ${a[k]} 20`).join('\n')}`
    const panel = table(text([10, 10, '-', '-', 4.5]), {
      kind: 'stk',
      fields: { adj_factor: text([1, 1, 2, 2.222222, 2.222222]) },
      securities: {
        AAA: {
          exDays: [
            { date: '2024-01-04', cash: 0, ratio: 1 },
            { date: '2024-01-05', cash: 0.5, ratio: 0 },
          ],
        },
      },
    })
    const over = { benchmark: 'stk_ew', execution: 'realistic', capital: 1, adjust: 'raw' } as const
    const { days } = reportOf(panel, markets.stk, { parameters: once, settings: settings('2024-01-02', '2024-01-08', over) })
    expect(days.map(({ positions }) => positions[0]?.volume)).toEqual([900, 900, 900, 900, 1800])
    expect([days[4]?.positions[0]?.cash_div, days[4]?.positions[0]?.stk_div]).toEqual([900, 900])
    expect(days[4]?.nav).toBeCloseTo((1800 * 4.5 + 900 + 1000 - 0.09) / 10_000, 12)
  })

  it('that no record tells of come by the adjustment factor, of a share that has a record too', () => {
    const text = (a: readonly number[]) => `AAA BBB\n${['02', '03', '04', '05'].map((day, k) => `2024-01-${day} ${a[k]} 20`).join('\n')}`
    // A split on the third day, told; one on the last, behind the record.
    const panel = table(text([10, 10, 5, 2.5]), {
      kind: 'stk',
      fields: { adj_factor: text([1, 1.00001, 2, 4]) },
      securities: { AAA: { exDays: [{ date: '2024-01-04', cash: 0, ratio: 1 }] } },
    })
    const over = { benchmark: 'stk_ew', execution: 'realistic', capital: 1, adjust: 'raw' } as const
    const { days } = reportOf(panel, markets.stk, { parameters: once, settings: settings('2024-01-02', '2024-01-05', over) })
    expect(days.map(({ positions }) => positions[0]?.volume)).toEqual([900, 900, 1800, 3600])
    expect(days.map(({ positions }) => positions[0]?.stk_div)).toEqual([0, 0, 900, 1800])
    expect(days[3]?.nav).toBeCloseTo((3600 * 2.5 + 1000 - 0.09) / 10_000, 12)
  })

  it.each([
    { told: 'ex-days', securities: { AAA: { exDays: [{ date: '2024-01-04', cash: 0.6, ratio: 0 }] } } },
    { told: 'the adjustment factor alone', securities: {} },
  ])('are no loss to a stop that is measured from the cost: $told', ({ securities }) => {
    const text = (a: readonly number[]) => `AAA BBB\n${['02', '03', '04', '05'].map((day, k) => `2024-01-${day} ${a[k]} 20`).join('\n')}`
    const run = (last: number) => {
      const fields = { pre_close: text([10, 10, 9.4, 9.45]), adj_factor: text([1, 1, 10 / 9.4, 10 / 9.4]) }
      const panel = table(text([10, 10, 9.45, last]), { kind: 'stk', fields, securities })
      const wanted = parameters({
        rebalance_method: { rebalance_type: 0, rebalance_value: 250 },
        stop_method: { stop_type: 4, take_profit: 0.5, stop_loss: 0.05, base: 'cost' },
      })
      const over = { benchmark: 'stk_ew', execution: 'realistic', capital: 1, adjust: 'raw' } as const
      return reportOf(panel, markets.stk, { parameters: wanted, settings: settings('2024-01-02', '2024-01-05', over) }).report.trades
    }
    // 10 less 0.6 is 9.4; 5 % below is 8.93.
    expect(run(8.94).map(({ reason }) => reason)).toEqual(['enter'])
    expect(run(8.92).map(({ reason }) => reason)).toEqual(['enter', 'stop_loss'])
  })

  it('leave an odd lot, which is sold in one order', () => {
    const panel = table(prices('7.31'), { kind: 'stk', fields: { adj_factor }, securities: { AAA: { exDays } } })
    const { report } = reportOf(panel, markets.stk, {
      parameters: parameters({
        filter_factors: [filterBy('close', 'lt', 7.4)],
        rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
      }),
      settings: settings('2024-01-03', '2024-01-04', { benchmark: 'stk_ew', execution: 'realistic', capital: 1, adjust: 'raw' }),
    })
    expect(report.trades.map(({ side, code, volume, reason }) => `${side} ${code} ${volume} ${reason}`).slice(0, 2)).toEqual([
      'buy AAA 900 enter',
      'sell AAA 1170 excluded',
    ])
  })

  it('textbook runs grow by the factor, adjusted prices by nothing', () => {
    expect(hold('7.31', { execution: 'ideal' }).days[3]?.positions[0]?.volume).toBeCloseTo(1000 * 1.367989, 6)
    expect(hold('7.31', { adjust: 'qfq' }, 'qfq').days[3]?.positions[0]?.volume).toBeCloseTo(999.99, 2)
  })

  it('are paid to a rule of adjusted prices that meets raw ones with their factor, and that is told', () => {
    const { days, report } = hold('7.31', { adjust: 'qfq' })
    expect(days.map(({ positions }) => positions[0]?.volume)).toEqual(hold('7.31').days.map(({ positions }) => positions[0]?.volume))
    expect(report.warnings).toContain('规则的价格口径是前复权，而现在的行情是未复权价加复权因子：本次按不复权计算，分红送转由复权因子计入')
    expect(hold('7.31').report.warnings.join()).not.toContain('价格口径')
  })

  it('of a share without a factor on days of trading wait for the next one, and that is told', () => {
    const lines = adj_factor.trim().split('\n')
    const gap = lines.map((line, k) => (k === 3 ? line.replace(/^(\s*\S+\s+)\S+/, '$1.') : line)).join('\n')
    const { report } = hold('7.31', {}, 'raw', gap)
    expect(report.warnings.join()).toMatch(/AAA（AAA）持有期间有交易日缺少复权因子/)
  })
})

describe('a record that the price denies', () => {
  const text = (a: readonly number[]) => `AAA BBB\n${['02', '03', '04', '05'].map((day, k) => `2024-01-${day} ${a[k]} 20`).join('\n')}`
  const held = (exDays: { date: string; cash: number; ratio: number }[]) => {
    // The exchange divided by 1.3, and so does the factor.
    const fields = { pre_close: text([36, 36, 27.69, 27.69]), adj_factor: text([1, 1, 1.3, 1.3]).replaceAll(' 20', ' 1') }
    const panel = table(text([36, 36, 27.69, 27.69]), { kind: 'stk', fields, securities: { AAA: { exDays } } })
    return reportOf(panel, markets.stk, {
      parameters: parameters({ universe: { exclude_codes: ['BBB'] }, rebalance_method: { rebalance_type: 0, rebalance_value: 250 } }),
      settings: settings('2024-01-02', '2024-01-05', { benchmark: 'stk_ew', execution: 'realistic', capital: 1, adjust: 'raw' }),
    }).report
  }
  const doubt = 'AAA（AAA，2024-01-04）的分红送转记录与前收盘价或复权因子不符，未采用，按复权因子折算'

  it.each([
    { what: 'new shares that went to creditors', exDays: [{ date: '2024-01-04', cash: 0, ratio: 0.45 }] },
    { what: 'a proposal beside the plan', exDays: [{ date: '2024-01-04', cash: 1, ratio: 0.3 }] },
  ])('is not paid, and told: $what', ({ exDays }) => {
    const { metrics, warnings } = held(exDays)
    expect(metrics.total_return).toBeCloseTo(0, 3)
    expect(warnings).toContain(doubt)
  })

  it('of a day outside the run is nothing to it; a true one is paid', () => {
    const told = (exDays: Parameters<typeof held>[0]) => held(exDays).warnings.filter((warning) => warning.includes('分红'))
    expect(told([{ date: '2024-01-10', cash: 9, ratio: 0 }])).toEqual([])
    expect(told([{ date: '2023-06-05', cash: 9, ratio: 0 }])).toEqual([])
    expect(told([{ date: '2024-01-04', cash: 0, ratio: 0.3 }])).toEqual([])
  })
})

describe('what a trade earned', () => {
  const shares = (
    days: readonly (readonly [date: string, aaa: number, bbb: number])[],
    exDay: { cash: number; ratio: number; date: string },
  ) => {
    const before = days[days.findIndex(([date]) => date === exDay.date) - 1]?.[1] as number
    const step = before / ((before - exDay.cash) / (1 + exDay.ratio))
    const closes = days.map(([date, aaa, bbb]) => `${date} ${aaa} ${bbb}`)
    const factors = days.map(([date]) => `${date} ${date < exDay.date ? 1 : step} 1`)
    return table(['AAA BBB', ...closes].join('\n'), {
      kind: 'stk',
      securities: { AAA: { exDays: [exDay] } },
      fields: { adj_factor: ['AAA BBB', ...factors].join('\n') },
    })
  }
  const realistic = (panel: ReturnType<typeof shares>, wanted: Parameters<typeof parameters>[0], capital: number) =>
    reportOf(panel, markets.stk, {
      parameters: parameters(wanted),
      settings: settings(panel.dates[0] as string, panel.dates.at(-1) as string, {
        benchmark: 'stk_ew',
        execution: 'realistic',
        capital,
        adjust: 'raw',
      }),
    })
  const onlyAaa = { universe: { exclude_codes: ['BBB'] } }
  const everyThird = { rebalance_method: { rebalance_type: 0, rebalance_value: 3 } } as const

  it('holds the dividend that it was paid, and so does the profit of the day before it', () => {
    const panel = shares(
      [
        ['2024-01-02', 10, 20],
        ['2024-01-03', 9, 20],
        ['2024-01-04', 9, 20],
        ['2024-01-05', 8.9, 20],
      ],
      { date: '2024-01-03', cash: 1, ratio: 0 },
    )
    const { report, days } = realistic(panel, { ...onlyAaa, filter_factors: [filterBy('close', 'lt', 9)], ...everyThird }, 1)
    // 9,000.09 paid; 900 of dividend; 8,010 less the duty of 0.05 % and the transfer fee of 0.001 %.
    const earned = 8010 - 8010 * 0.00051 + 900 - 9000.09
    const [, sale] = report.trades
    expect(sale).toMatchObject({ side: 'sell', volume: 900, price: 8.9 })
    expect(sale?.pnl).toBeCloseTo(earned, 6)
    expect(sale?.return_).toBeCloseTo(earned / 9000.09, 6)
    expect(report.contributions[0]?.pnl).toBeCloseTo(earned, 6)
    expect(days.map(({ positions }) => positions[0]?.profit_loss)).toEqual([-0.09, -0.09, -0.09, undefined])
    expect(days[1]?.positions[0]?.profit_rate).toBeCloseTo(-0.09 / 9000.09, 6)
    expect(report.assumptions.find(({ key }) => key === 'profit')?.text).toContain('现金分红或利息')
  })

  it('of a part is that part of what was paid: all parts together are what the security earned', () => {
    // AAA doubles after it went ex, so that a half of it is sold to bring both to their weights; at last both leave.
    const panel = shares(
      [
        ['2024-01-02', 10, 20],
        ['2024-01-03', 9, 20],
        ['2024-01-04', 18, 20],
        ['2024-01-05', 18, 20],
        ['2024-01-08', 99, 99],
      ],
      { date: '2024-01-03', cash: 1, ratio: 0 },
    )
    const { report } = realistic(
      panel,
      { hold_method: { hold_range_end: 2 }, filter_factors: [filterBy('close', 'gt', 90)], rebalance_method: { rebalance_value: 2 } },
      10,
    )
    const of = (code: string) => report.trades.filter((trade) => trade.code === code && trade.side === 'sell')
    expect(of('AAA').length).toBe(2)
    for (const { code, pnl } of report.contributions) {
      expect(of(code).reduce((sum, trade) => sum + (trade.pnl as number), 0)).toBeCloseTo(pnl, 5)
    }
  })

  it('of a bond holds its interest', () => {
    const panel = prices(days2024)
    const { report } = reportOf(panel, markets.cb, {
      parameters: parameters({ filter_factors: [filterBy('close', 'lt', 99.5)] }),
      settings: settings('2024-01-03', '2024-01-05', { execution: 'realistic', capital: 1, adjust: 'raw' }),
    })
    expect(report.trades.map(({ code, pnl }) => [code, pnl])).toEqual([
      ['AAA', null],
      ['AAA', 0],
      ['BBB', null],
    ])
  })

  it('is of whole shares: what a bonus issue leaves of a share is lost', () => {
    const panel = shares(
      [
        ['2024-01-02', 13.33, 20],
        ['2024-01-03', 10, 20],
        ['2024-01-04', 10, 20],
        ['2024-01-05', 9.5, 20],
      ],
      { date: '2024-01-03', cash: 0, ratio: 0.333 },
    )
    const { report, days } = realistic(panel, { ...onlyAaa, filter_factors: [filterBy('close', 'lt', 10)], ...everyThird }, 1)
    // 700 · 1.333 is 933.1.
    expect(report.trades.map(({ side, volume }) => [side, volume])).toEqual([
      ['buy', 700],
      ['sell', 933],
    ])
    expect(days.map(({ positions }) => positions[0]?.stk_div)).toEqual([0, 233, 0, undefined])
    expect(report.trades[1]?.pnl).toBeCloseTo(report.contributions[0]?.pnl as number, 5)
  })
})
