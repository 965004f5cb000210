import type { Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { dayNumber } from '../../../src/base/calendar.ts'
import { type Redeemed, redemptionOf } from '../../../src/bond/redemption.ts'
import { markets } from '../../../src/index.ts'
import { unknownTerms } from '../../../src/panel/bond-terms.ts'
import type { Security } from '../../../src/panel/panel.ts'
import { prepare } from '../../../src/simulation/prepare.ts'
import { simulateEquity, totalsOf } from '../../../src/simulation/simulate.ts'
import { parameters, rankBy, settings } from '../../fixtures/parameters.ts'
import { reportOf, runToEnd } from '../../fixtures/run.ts'
import { table } from '../../fixtures/table.ts'

/** Trading days around an end: weekdays without the holidays named. */
function tradingDays(from: string, to: string, ...holidays: string[]): Float64Array {
  const days: number[] = []
  for (let day = dayNumber(from); day <= dayNumber(to); day++) {
    const date = dateOf(day)
    if (new Date(date).getUTCDay() % 6 !== 0 && !holidays.includes(date)) days.push(day)
  }
  return Float64Array.from(days)
}

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

function paid(over: Partial<Redeemed>, days: Float64Array): string {
  const bond: Redeemed = { board: 'SSE_MAIN', lastDay: null, redemptionPrice: null, ...over }
  const redemption = redemptionOf(bond, days)
  return redemption === null ? 'unknown' : `${redemption.reason} ${Number(redemption.price.toFixed(3))} ${dateOf(redemption.paymentDay)}`
}

describe('what a holder is paid', () => {
  // 2021-11-29 was its last trading day, 164 days into the second year at 1.5 %.
  const year = { ...unknownTerms, valueDate: '2020-06-19', coupons: [0.5, 1.5, 2] }
  const late2021 = tradingDays(
    '2021-10-08',
    '2022-03-31',
    '2022-01-03',
    '2022-01-31',
    '2022-02-01',
    '2022-02-02',
    '2022-02-03',
    '2022-02-04',
  )
  const called = { lastDay: '2021-11-29', exitReason: 'called', terms: year } as const
  const notice = (date: string, more: object = {}) => ({ date, kind: 'redeem', ...more }) as const

  it.each<[string, Partial<Redeemed>, string]>([
    ['Shenzhen, five trading days after the redemption', { ...called, board: 'CHINEXT' }, 'called 100.674 2021-12-07'],
    ['Shanghai, on the redemption day', called, 'called 100.674 2021-11-30'],
    ['a redemption day that a table states', { ...called, redemptionDay: '2021-12-02' }, 'called 100.682 2021-12-02'],
    ['the stated price', { ...called, announcements: [notice('2021-11-10', { price: 100.67 })] }, 'called 100.67 2021-11-30'],
    [
      'a reminder without a price takes none away',
      { ...called, announcements: [notice('2021-11-10', { price: 101.2, registration: '2021-12-01' }), notice('2021-11-24')] },
      'called 101.2 2021-12-02',
    ],
    [
      'the newest notice that states it wins',
      {
        ...called,
        announcements: [notice('2021-11-10', { price: 101.2 }), { ...notice('2021-11-15', { price: 101.25 }), kind: 'redeem_execution' }],
      },
      'called 101.25 2021-11-30',
    ],
    [
      'the stated day of payment',
      { ...called, announcements: [notice('2021-11-10', { payment: '2021-12-09' })] },
      'called 100.674 2021-12-09',
    ],
    [
      'never before trading has ended',
      { ...called, announcements: [notice('2021-11-10', { payment: '2021-11-20' })] },
      'called 100.674 2021-11-30',
    ],
    [
      'nothing that a call of years before stated',
      { ...called, announcements: [notice('2020-11-10', { price: 100.3, redemption: '2020-12-03' }), notice('2021-11-10')] },
      'called 100.674 2021-11-30',
    ],
    [
      'nothing of a notice 70 days before the last day',
      { ...called, announcements: [notice('2021-09-20', { price: 100.3 })] },
      'called 100.674 2021-11-30',
    ],
    ['one of 69 days before it', { ...called, announcements: [notice('2021-09-21', { price: 100.6 })] }, 'called 100.6 2021-11-30'],
    [
      'one of which later notices remind',
      { ...called, announcements: [notice('2021-08-20', { price: 100.6 }), notice('2021-10-12')] },
      'called 100.6 2021-11-30',
    ],
    ['a year whose coupon is unknown', { ...called, terms: { ...year, coupons: [0.5] } }, 'unknown'],
    ['no terms', { ...called, terms: unknownTerms }, 'unknown'],
    ['an end that was no call', { ...called, exitReason: 'unknown', redemptionPrice: 100.6 }, 'unknown'],
    ['a size too small', { ...called, exitReason: 'small' }, 'unknown'],
    [
      'nobody says why, and a notice was published',
      { lastDay: '2021-11-29', terms: year, announcements: [notice('2021-11-10')] },
      'called 100.674 2021-11-30',
    ],
    ['nobody says why', { lastDay: '2021-11-29', terms: year }, 'unknown'],
    ['it has not ended', { terms: year, announcements: [notice('2021-11-10', { price: 101 })] }, 'unknown'],
  ])('%s', (_, bond, expected) => {
    expect(paid(bond, late2021)).toBe(expected)
  })

  it.each([
    // The register day is the last trading day up to a day, and three trading days behind it from then on.
    ['SSE_MAIN', '2022-08-08', '2022-08-09'],
    ['SSE_MAIN', '2022-08-09', '2022-08-15'],
    ['SZSE_MAIN', '2022-08-25', '2022-09-02'],
    ['SZSE_MAIN', '2022-08-26', '2022-09-08'],
  ] as const)('%s, last traded on %s, is paid on %s where nobody states a day', (board, lastDay, expected) => {
    const days = tradingDays('2022-08-01', '2022-10-31')
    expect(paid({ board, lastDay, exitReason: 'called', redemptionPrice: 100.5 }, days)).toBe(`called 100.5 ${expected}`)
  })

  it('behind the known trading days weekdays count', () => {
    expect(paid({ ...called, board: 'SZSE_MAIN' }, tradingDays('2021-10-08', '2021-11-29'))).toBe('called 100.674 2021-12-07')
  })

  const bond = { ...unknownTerms, maturityPrice: 108, maturityDate: '2022-01-15', conversionEnd: '2022-01-14' }
  it.each<[string, Partial<Redeemed>, string]>([
    ['the trading day after the last conversion day', { exitReason: 'maturity', terms: bond }, 'matured 108 2022-01-17'],
    ['or from the maturity on', { exitReason: 'maturity', terms: { ...bond, conversionEnd: null } }, 'matured 108 2022-01-17'],
    ['that its term is over says it, too', { terms: bond }, 'matured 108 2022-01-17'],
    [
      'the price of the notice',
      { terms: bond, announcements: [{ date: '2021-12-20', kind: 'maturity', price: 108.1, payment: '2022-01-19' }] },
      'matured 108.1 2022-01-19',
    ],
    ['without a price', { exitReason: 'maturity', terms: { ...bond, maturityPrice: null } }, 'unknown'],
  ])('at maturity: %s', (_, over, expected) => {
    expect(paid({ lastDay: '2021-12-30', ...over }, late2021)).toBe(expected)
  })
})

describe('a bond held to its redemption', () => {
  const prices = `
                AAA  BBB
    2021-11-24  320  110
    2021-11-25  322  110
    2021-11-26  318  110
    2021-11-29  321  110
    2021-11-30  -    110
    2021-12-01  -    111
    2021-12-02  .    112
    2021-12-03  .    112
    2021-12-06  .    112
    2021-12-07  .    112
    2021-12-08  .    112
  `
  const terms = { ...unknownTerms, valueDate: '2020-06-19', coupons: [0.5, 1.5, 2] }
  const market = (over: Partial<Security> = {}) =>
    table(prices, {
      securities: {
        AAA: { board: 'CHINEXT', lastDay: '2021-11-29', lastDayKnown: '2021-11-25', exitReason: 'called', terms, ...over },
        BBB: { terms: { ...terms, valueDate: '2021-01-08' } },
      },
    })
  /** The dearest, so that AAA is held until its end. */
  const dearest = parameters({ rank_factors: [rankBy('close', { prefer: 'large' })] })
  const run = (panel = market(), end = '2021-12-08', over: Partial<Settings> = {}) =>
    reportOf(panel, markets.cb, {
      parameters: dearest,
      settings: settings('2021-11-24', end, {
        execution: 'realistic',
        capital: 10,
        adjust: 'raw',
        call_handling: 'hold_to_redemption',
        cost: { buy_rate: 0, sell_rate: 0 },
        ...over,
      }),
    })
  const lines = ({ report }: ReturnType<typeof run>) =>
    report.trades.map(
      ({ date, side, code, volume, price, reason }) => `${date.slice(5)} ${side} ${code} ${volume}@${Number(price.toFixed(3))} ${reason}`,
    )
  const price = 100 + (1.5 * 164) / 365

  it('is a claim until it is paid: worth its payment, no cash, in nobody’s place', () => {
    const told = run()
    expect(lines(told)).toEqual([
      '11-24 buy AAA 310@320 enter',
      // The place is free at once, the money is not.
      '12-07 sell AAA 310@100.674 called',
      '12-07 buy BBB 280@112 enter',
    ])
    const { report, days } = told
    const claims = days.slice(4, 9).map(({ positions }) => positions)
    for (const positions of claims) {
      expect(positions).toMatchObject([{ code: 'AAA', volume: 310, suspension: 0, reason: 'claim', rank: null }])
      expect(positions[0]?.last_price).toBeCloseTo(price, 12)
      expect(positions[0]?.reason_text).toBe('待兑付：最后交易日 2021-11-29，按赎回价 100.674 元计值，2021-12-07 兑付')
    }
    for (const day of [4, 5, 6, 7, 8]) {
      expect(days[day].cash).toBe(800)
      expect(report.curves.nav[day]).toBeCloseTo((310 * price + 800) / 100_000, 12)
      expect(report.curves.hold_count[day]).toBe(0)
    }
    expect(report.trades[1]?.reason_text).toBe('强制赎回，按赎回价兑付')
    expect(report.holdings.days.map(({ claims }) => claims?.map((i) => report.holdings.codes[i]).join() ?? '')).toEqual(
      report.holdings.days.map((_, day) => (day >= 4 && day < 9 ? 'AAA' : '')),
    )
    // A redemption is no trade: the fall to it is the market's, not the trade's.
    expect(report.contributions.map(({ code, pnl }) => [code, Number(pnl.toFixed(6))])).toEqual([
      ['BBB', 0],
      ['AAA', Number((310 * (price - 320)).toFixed(6))],
    ])
  })

  it('its place is another’s while it waits', () => {
    const told = run(market(), '2021-12-08', { capital: 10.55 })
    // 3,100 yuan are left over.
    expect(lines(told)).toEqual([
      '11-24 buy AAA 320@320 enter',
      // From its last day on the place is free.
      '11-29 buy BBB 20@110 enter',
      '12-07 sell AAA 320@100.674 called',
      '12-07 buy BBB 290@112 rebalance',
    ])
    expect(told.report.curves.hold_count.slice(2, 6)).toEqual([1, 2, 1, 1])
  })

  it('may still be a claim at the end of a run', () => {
    const { report, days } = run(market(), '2021-12-02')
    expect(report.trades).toHaveLength(1)
    expect(days.at(-1)?.positions[0]).toMatchObject({ code: 'AAA', reason: 'claim' })
    expect(report.warnings).toContain('AAA（AAA）期末待兑付，按赎回价 100.674 元计值，占期末权益 97.5%')
  })

  it('has the same days in a textbook run, one of a grid and one day by day', () => {
    const { report } = run(market(), '2021-12-08', { execution: 'ideal' })
    expect(report.trades.map(({ date, reason }) => `${date.slice(5)} ${reason}`)).toEqual(['11-24 enter', '12-07 called', '12-07 enter'])
    expect(report.curves.nav[4]).toBeCloseTo(price / 320, 12)
  })

  it('is worth each day what a run made later finds, though the days of its payment lie behind the data then', () => {
    const whole = run()
    const [head, ...lines] = prices.trim().split('\n')
    const days = whole.report.curves.dates
    const later = Array.from(tradingDays('2021-11-24', '2022-01-31'), dateOf)
    for (let last = 3; last < days.length; last++) {
      const panel = table([head, ...lines.slice(0, last + 1)].join('\n'), {
        securities: Object.fromEntries(market().securities.map((security) => [security.code, security])),
      })
      const behind = { ...panel, later: later.filter((day) => day > days[last]!) }
      const { report } = run(behind, days[last])
      expect(report.curves.nav.at(-1)).toBeCloseTo(whole.report.curves.nav[last] as number, 12)
    }
  })

  it('is worth what was known on each day: a price that is stated later counts from the day after its notice', () => {
    const announcements = [
      { date: '2021-11-24', kind: 'redeem' },
      { date: '2021-12-01', kind: 'redeem', price: 101.2 },
    ] as const
    const panel = market({ announcements })
    for (const execution of ['realistic', 'ideal'] as const) {
      const { report } = run(panel, '2021-12-08', { execution })
      expect(report.trades[1]).toMatchObject({ date: '2021-12-07', price: 101.2, reason: 'called' })
      const units = report.trades[1]!.volume
      const [on, before] = [report.curves.nav[6]!, report.curves.nav[5]!]
      expect((on - before) * 100_000).toBeCloseTo(units * (101.2 - price), 6)
    }
    // The run without a ledger says the same.
    const textbook = { execution: 'ideal', call_handling: 'hold_to_redemption' } as const
    const prepared = prepare(panel, markets.cb, { parameters: dearest, settings: settings('2021-11-24', '2021-12-08', textbook) })
    let step = prepared.next()
    while (!step.done) step = prepared.next()
    if (!step.value.ok) throw new Error(step.value.problem.message)
    const { equity } = simulateEquity(step.value.simulation)
    expect([...equity]).toEqual([...totalsOf(step.value.simulation).equity])
  })

  it('waits on its last day though only its notices say that it is the last', () => {
    const announcements = [{ date: '2021-11-24', kind: 'redeem' }] as const
    const whole = run(market({ announcements }))
    const lastDays = [{ known: '2021-11-25', day: '2021-11-29' }]
    const [head, ...rows] = prices.trim().split('\n')
    const panel = table([head, ...rows.slice(0, 4)].join('\n'), {
      securities: {
        AAA: { board: 'CHINEXT', terms, announcements, lastDayKnown: '2021-11-25', lastDays },
        BBB: { terms: { ...terms, valueDate: '2021-01-08' } },
      },
    })
    const then = run(panel, '2021-11-29')
    expect(then.report.trades).toHaveLength(1)
    expect(then.report.curves.nav).toEqual(whole.report.curves.nav.slice(0, 4))
  })

  it('is held until its end was known', () => {
    const told = run(market({ exitReason: 'unknown', lastDayKnown: '2021-12-01' }), '2021-12-08', { call_handling: 'last_day_close' })
    expect(lines(told)).toEqual(['11-24 buy AAA 310@320 enter'])
    expect(told.days.map(({ positions }) => positions[0]?.reason)).toEqual([
      ...['enter', 'hold', 'hold', 'hold', 'suspended'],
      ...Array(6).fill('unpaid'),
    ])
  })

  it('pays interest that falls due before its redemption, and none behind it', () => {
    // The second year ends on 12-03, the redemption is on 11-30.
    const before = { ...terms, valueDate: '2020-12-03', maturityDate: '2023-12-03', maturityPrice: 103 }
    expect(run(market({ terms: before })).days.map(({ positions }) => positions[0]?.cash_div ?? 0)).toEqual(Array(11).fill(0))
    const within = { ...before, valueDate: '2020-11-30' }
    const { report, days } = run(market({ terms: within }))
    expect(days[4]?.positions[0]?.cash_div).toBeCloseTo(310 * 0.5, 9)
    // What is paid that day is no part of the redemption.
    expect(report.trades[1]?.price).toBe(100)
  })

  it.each([
    ['the year’s interest in it', 100.5, 0],
    ['no interest in it', 100, 0.5],
  ])('is paid the coupon of its redemption day once, where the stated price has %s', (_, stated, coupon) => {
    const onItsDay = { ...terms, valueDate: '2020-11-30', maturityDate: '2023-11-30', maturityPrice: 103 }
    const { report, days } = run(market({ terms: onItsDay, announcements: [{ date: '2021-11-10', kind: 'redeem', price: stated }] }))
    expect(report.trades[1]?.price).toBe(stated)
    expect(days[4]?.positions[0]?.cash_div ?? 0).toBeCloseTo(310 * coupon, 9)
  })

  it('sold on its last trading day, by name, where its payment cannot be worked out', () => {
    const told = run(market({ terms: unknownTerms }))
    expect(lines(told)[1]).toBe('11-29 sell AAA 310@321 last_day')
    expect(told.report.trades[1]?.reason_text).toBe('最后交易日 2021-11-29，兑付金额无法推算，按收盘卖出')
    expect(told.report.warnings).toContain('AAA（AAA）的兑付金额无法推算，未持有到兑付，按最后交易日收盘卖出')
  })

  it('stays in the book at its last close, by name, where nobody could know its end', () => {
    const told = run(market({ exitReason: 'unknown', lastDayKnown: null }))
    expect(lines(told)).toEqual(['11-24 buy AAA 310@320 enter'])
    expect(told.days.at(-1)?.positions).toMatchObject([{ code: 'AAA', last_price: 321, reason: 'unpaid' }])
    expect(told.report.holdings.days.at(-1)).toMatchObject({ code_index: [0], unpaid: [0] })
    expect(told.days.at(-1)?.positions[0]?.reason_text).toBe('未兑付：最后交易日 2021-11-29，兑付金额无法推算，按最后收盘价计值')
    expect(told.report.warnings).toContain(
      'AAA（AAA）已无行情（退出原因不明），兑付金额无法推算，期末未兑付，按最后收盘价计值，占期末权益 99.2%',
    )
  })

  it('is named in the report’s assumptions', () => {
    expect(run().report.assumptions.find(({ key }) => key === 'call')?.text).toContain(
      '持有到赎回兑付，强赎按公告的赎回价、没有公告的按 100 元加至赎回日的应计利息',
    )
  })

  it.each([
    [{ ...terms, valueDate: null }, '起息日'],
    [{ ...terms, coupons: [] }, '票面利率'],
    [undefined, '起息日和票面利率'],
  ] as const)('is refused by a market that lacks what it takes, %#', (known, lacking) => {
    const panel = table(prices, { securities: known ? { AAA: { terms: known }, BBB: { terms: known } } : {} })
    const { outcome } = runToEnd(panel, markets.cb, {
      parameters: dearest,
      settings: settings('2021-11-24', '2021-12-08', { call_handling: 'hold_to_redemption' }),
    })
    expect(outcome).toMatchObject({
      ok: false,
      problem: {
        message: `回测参数有误：当前数据没有转债的${lacking}，无法推算赎回金额，不能使用「持有到赎回兑付」，请改用「最后交易日前一日收盘卖出」或「最后交易日收盘卖出」`,
      },
    })
  })
})
