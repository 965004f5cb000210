import type { MarketId, Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { compileRef, namesOf } from '../../src/expression/index.ts'
import { markets, screen } from '../../src/index.ts'
import { unknownTerms } from '../../src/panel/bond-terms.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket, seeded } from '../fixtures/random-market.ts'
import { reportOf, runToEnd } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

// Every row of the checklist (domain.md 5.8) is a part of this file, in its order; look-ahead as a whole comes first.

const rule = (kind: MarketId) =>
  parameters({
    exclude: { list_days: 3, st: true },
    rank_factors:
      kind === 'cb'
        ? [rankBy('dblow'), rankBy('pct_chg_5')]
        : [rankBy('pct_chg_5', { neutralization: 'industry' }), rankBy('total_mv'), rankBy('volatility_10')],
    hold_method: { hold_range_end: 5, hold_threshold: 2 },
    rebalance_method: { rebalance_type: 0, rebalance_value: 3 },
    stop_method: { stop_type: 3, take_profit: 0.04, stop_loss: 0.05, base: 'cost' },
    timing: [{ rule: 'ma_cross', value: 10, exposure: 0.5 }],
  })
const over = (kind: MarketId, panel: Panel, execution: Settings['execution']): Settings =>
  settings(panel.dates[25] as string, panel.dates[79] as string, {
    benchmark: `${kind}_ew`,
    execution,
    capital: 20,
    adjust: 'raw',
    cost: { buy_rate: 0.001, sell_rate: 0.001 },
  })

/** The panel as it was known at the close of day `last`: later cells are something else, or are not there. */
function futureScrambled(panel: Panel, last: number, seed: number): Panel {
  const next = seeded(seed)
  const from = (last + 1) * panel.stride
  const columns = new Map(
    [...panel.columns].map(([key, column]) => [key, column.map((value, at) => (at < from ? value : value * (0.5 + next())))]),
  )
  return { ...panel, columns, traded: panel.traded.map((value, at) => (at < from ? value : next() < 0.5 ? 1 : 0)) }
}

function futureCut(panel: Panel, last: number): Panel {
  const cells = (last + 1) * panel.stride
  return {
    ...panel,
    dates: panel.dates.slice(0, last + 1),
    columns: new Map([...panel.columns].map(([key, column]) => [key, column.slice(0, cells)])),
    listed: panel.listed.slice(0, cells),
    traded: panel.traded.slice(0, cells),
    benchmarks: new Map([...panel.benchmarks].map(([code, series]) => [code, series.slice(0, last + 1)])),
    // What ends later is not known to end.
    securities: panel.securities.map((security) =>
      security.lastDay !== null && security.lastDay > (panel.dates[last] as string)
        ? { ...security, lastDay: null, lastDayKnown: null, delisted: null }
        : security,
    ),
  }
}

describe.each(['cb', 'stk'] as const)('no look-ahead, %s', (kind) => {
  const panel = randomMarket(kind, { seed: 5, days: 90, securities: 40 })
  const request = (execution: Settings['execution']) => ({ parameters: rule(kind), settings: over(kind, panel, execution) })

  it.each(['ideal', 'realistic'] as const)('changing what comes later changes nothing before it, %s', (execution) => {
    const full = reportOf(panel, markets[kind], request(execution))
    for (const last of [40, 55, 70]) {
      const other = reportOf(futureScrambled(panel, last, last), markets[kind], request(execution))
      const days = last - 25 + 1
      expect(other.report.curves.nav.slice(0, days)).toEqual(full.report.curves.nav.slice(0, days))
      expect(other.days.slice(0, days)).toEqual(full.days.slice(0, days))
      expect(other.report.curves.nav[days + 5]).not.toEqual(full.report.curves.nav[days + 5])
    }
  })

  it('a realistic run that ends on a day is the same whether or not the data go on', () => {
    const last = 60
    const short = { parameters: rule(kind), settings: { ...over(kind, panel, 'realistic'), end_date: panel.dates[last] as string } }
    const withFuture = reportOf(panel, markets[kind], short)
    const without = reportOf(futureCut(panel, last), markets[kind], short)
    expect(without.report.curves).toEqual(withFuture.report.curves)
    expect(without.report.trades.map(({ reason_text: _, ...row }) => row)).toEqual(
      withFuture.report.trades.map(({ reason_text: _, ...row }) => row),
    )
  })

  it('a screen of a day is what a backtest that begins that day buys', () => {
    const day = 30
    const outcome = screen(panel, markets[kind], { parameters: rule(kind), day })
    const run = reportOf(panel, markets[kind], {
      parameters: rule(kind),
      settings: { ...over(kind, panel, 'ideal'), start_date: panel.dates[day] as string, call_handling: 't_minus_1_close', capital: 1 },
    })
    const chosen = outcome.ok ? outcome.result.list_items.filter((row) => row.selected).map((row) => row.code) : []
    expect(run.days[0]?.bought.map((row) => row.code).sort()).toEqual(chosen.sort())
    const scores = outcome.ok
      ? outcome.result.list_items.filter((row) => row.selected).map((row) => [row.code, Math.round((row.score as number) * 1e6) / 1e6])
      : []
    expect(run.days[0]?.positions.map((row) => [row.code, row.score])).toEqual(scores)
  })
})

const daily = parameters({ rebalance_method: { rebalance_type: 0, rebalance_value: 1 } })
const realistic = (panel: Panel, wanted: Parameters, over: Partial<Settings> = {}) =>
  reportOf(panel, markets[panel.kind], {
    parameters: wanted,
    settings: settings(panel.dates[0] as string, panel.dates[panel.dates.length - 1] as string, {
      benchmark: `${panel.kind}_ew`,
      execution: 'realistic',
      capital: 1,
      adjust: panel.kind === 'cb' ? 'raw' : 'qfq',
      ...over,
    }),
  })
const lines = ({ report }: ReturnType<typeof realistic>) =>
  report.trades.map(({ date, side, code, reason }) => `${date.slice(5)} ${side} ${code} ${reason}`)

describe('survivors are not preferred', () => {
  const panel = table(
    `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  90   110
    2024-01-04  80   110
    2024-01-05  .    110
  `,
    { securities: { AAA: { lastDay: '2024-01-04' } } },
  )
  it('what was delisted later is bought while it was the best, with its loss', () => {
    const { report } = reportOf(panel, markets.cb, {
      parameters: parameters(),
      settings: settings('2024-01-02', '2024-01-05'),
    })
    expect(report.trades.slice(0, 2).map(({ date, side, code }) => `${date} ${side} ${code}`)).toEqual([
      '2024-01-02 buy AAA',
      '2024-01-04 sell AAA',
    ])
    expect(report.curves.nav[2]).toBeCloseTo(0.8, 12)
    // Whether somebody imported it or a source told it, the engine cannot know and does not say.
    const real = reportOf({ ...panel, dataMode: 'imported', dataVersion: 'cb-1' }, markets.cb, {
      parameters: parameters(),
      settings: settings('2024-01-02', '2024-01-05'),
    })
    expect(real.report.assumptions[0]?.text).toMatch(/^可转债行情，版本 cb-1，2024-01-02 至 /)
    expect(report.assumptions.find(({ key }) => key === 'universe')?.text).toContain('退出交易的证券 1 只')
  })
})

describe('members of an index', () => {
  const panel = table(
    `
                AAA  BBB
    2024-01-02  10   11
    2024-01-03  10   11
    2024-01-04  10   11
  `,
    {
      kind: 'stk',
      securities: {
        AAA: { dated: { index_member_000300: [{ from: '2024-01-04', to: null, text: '1' }] } },
        BBB: { dated: { index_member_000300: [{ from: null, to: '2024-01-04', text: '1' }] } },
      },
    },
  )
  const of = (index_codes: string[]) => parameters({ universe: { index_codes } })

  it('are those of the day, not of today', () => {
    expect(lines(realistic(panel, of(['000300']), { capital: 2 }))).toEqual([
      '01-02 buy BBB enter',
      '01-04 sell BBB excluded',
      '01-04 buy AAA enter',
    ])
    expect(realistic(panel, of(['000300']), { capital: 2 }).report.trades[1]?.reason_text).toBe('剔除：不是沪深300成分')
  })

  it.each(['000905', '932000'])('an index whose members the data do not know (%s) is refused by name', (code) => {
    const { outcome } = runToEnd(panel, markets.stk, {
      parameters: of([code]),
      settings: settings('2024-01-02', '2024-01-04', { benchmark: 'stk_ew' }),
    })
    expect(outcome).toMatchObject({
      problem: { code: 23001, message: `回测参数有误：当前数据没有指数 ${code} 的历史成分，无法按成分选择范围` },
    })
  })
})

describe('look-ahead in announcements', () => {
  const prices = `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  100  110
    2024-01-04  100  110
    2024-01-05  100  110
    2024-01-08  .    110
  `
  it.each([
    ['2024-01-02', ['01-02 buy AAA enter', '01-04 sell AAA last_day', '01-04 buy BBB enter']],
    ['2024-01-05', ['01-02 buy AAA enter', '01-05 sell AAA last_day', '01-05 buy BBB enter']],
    [null, ['01-02 buy AAA enter', '01-08 sell AAA delisted', '01-08 buy BBB enter']],
  ])('a last day that is announced on %s is acted upon from then on', (lastDayKnown, expected) => {
    const panel = table(prices, { securities: { AAA: { lastDay: '2024-01-05', lastDayKnown } } })
    expect(lines(realistic(panel, daily, { call_handling: 't_minus_1_close' }))).toEqual(expected)
  })

  it('a call that is announced in the evening is excluded from the next day on', () => {
    const panel = table(prices.replace('.  ', '100'), {
      securities: {
        AAA: {
          terms: { ...unknownTerms, conversionStart: '2023-01-02', redeem: { days: 15, window: 30, trigger: 1.3 } },
          announcements: [{ date: '2024-01-03', kind: 'redeem' }],
        },
      },
      fields: { conv_price: prices.replace('.  ', '100'), close_stk: prices.replace('.  ', '100') },
    })
    const wanted = { ...daily, exclude: { ...daily.exclude, call_status: ['announced' as const] } }
    expect(lines(realistic(panel, wanted)).slice(0, 2)).toEqual(['01-02 buy AAA enter', '01-04 sell AAA excluded'])
  })
})

describe('look-ahead in factors of one’s own', () => {
  const names = namesOf(markets.cb, new Set(['close', 'vol']))
  it.each(['ref(close, -1)', 'ts_mean(close, -5)', 'ref(close, 0 - 1)', 'close / ref(close, -5) - 1'])('%s is refused', (formula) => {
    const compiled = compileRef(`formula: ${formula}`, names)
    expect(compiled).toMatchObject({ ok: false, problem: { code: 22008 } })
  })
})

describe('signal and fill at one close', () => {
  const prices = `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  115  110
    2024-01-04  115  110
  `
  const panel = table(prices, { fields: { open: prices } })
  it('is told as an assumption with what it takes; the next open is another price', () => {
    const said = (fill: Settings['fill']) => realistic(panel, daily, { fill }).report.assumptions.find(({ key }) => key === 'fill')?.text
    expect(said('close')).toBe('信号与成交都在当日收盘价；实盘需要在收盘前（约 14:57）取得近似信号')
    expect(said('next_open')).toBe('信号在当日收盘，次日开盘价成交')
    expect(realistic(panel, daily, { fill: 'close' }).report.trades[0]).toMatchObject({ date: '2024-01-02', price: 100 })
    expect(realistic(panel, daily, { fill: 'next_open' }).report.trades[0]).toMatchObject({ date: '2024-01-03', price: 115 })
  })
})

it('what a cap leaves in cash is an assumption too', () => {
  const prices = `
                AAA  BBB
    2024-01-02  100  110
    2024-01-03  115  110
  `
  const panel = table(prices, { fields: { open: prices } })
  const said = (hold: Partial<Parameters['hold_method']>) =>
    realistic(panel, parameters({ hold_method: hold })).report.assumptions.find(({ key }) => key === 'cash')?.text
  expect(said({ hold_range_end: 10, hold_max_weight: 0.01 })).toMatch(/；单只最多占 1%、至多 10 只，每次轮动后至少 90% 留作现金$/)
  expect(said({ hold_range_end: 10, hold_max_weight: 0.2 })).not.toContain('单只最多占')
  expect(said({ hold_range_type: 2, hold_range_start: 0, hold_range_end: 0.5, hold_max_weight: 0.3 })).toMatch(
    /名单少于 4 只时其余留作现金$/,
  )
})

describe('a conversion price', () => {
  // Lowered from 10 to 8 with effect on the fourth: only then the conversion value rises above that of BBB.
  const panel = table(
    `
                AAA  BBB
    2024-01-02  100  100
    2024-01-03  100  100
    2024-01-04  100  100
  `,
    {
      fields: {
        conv_price: `
                AAA  BBB
    2024-01-02  10   9
    2024-01-03  10   9
    2024-01-04  8    9
      `,
        close_stk: `
                AAA  BBB
    2024-01-02  9    9
    2024-01-03  9    9
    2024-01-04  9    9
      `,
      },
    },
  )
  it('counts from the day it is in force', () => {
    const wanted = parameters({ rank_factors: [rankBy('formula: 100 / conv_price * close_stk', { prefer: 'large' })] })
    expect(lines(realistic(panel, wanted))).toEqual(['01-02 buy BBB enter', '01-04 sell BBB rank_out', '01-04 buy AAA enter'])
  })
})

describe('restated financials', () => {
  // The year was 20 when it was published and 5 after it was restated on 28 April; BBB earned 10.
  const panel = table(
    `
                AAA  BBB
    2025-04-25  10   10
    2025-04-28  10   10
    2025-04-29  10   10
  `,
    {
      kind: 'stk',
      reports: {
        AAA: `
          2024-12-31  2025-04-01  np_parent=20
          2024-12-31  2025-04-28  np_parent=5`,
        BBB: '2024-12-31  2025-04-01  np_parent=10',
      },
    },
  )
  it('are what had been published: the new number counts the day after it came', () => {
    const wanted = parameters({ rank_factors: [rankBy('formula: np_parent', { prefer: 'large' })] })
    expect(lines(realistic(panel, wanted, { capital: 2 }))).toEqual([
      '04-25 buy AAA enter',
      '04-29 sell AAA rank_out',
      '04-29 buy BBB enter',
    ])
  })
})

describe('the benchmark', () => {
  const panel = randomMarket('cb', { seed: 3, days: 60, securities: 20 })
  it('pays no costs, whatever the strategy pays, and that is said', () => {
    const run = (rate: number) =>
      realistic(panel, daily, { start_date: panel.dates[10] as string, cost: { buy_rate: rate, sell_rate: rate } }).report
    expect(run(0.01).curves.bench).toEqual(run(0).curves.bench)
    expect(run(0.01).metrics.total_return).toBeLessThan(run(0).metrics.total_return as number)
    expect(run(0.01).assumptions.find(({ key }) => key === 'benchmark')?.text).toContain('不计交易成本')
  })
})

describe('a new listing', () => {
  it('does not put its first day into the benchmark, nor into a factor that looks back', () => {
    const panel = table(`
                AAA  BBB
    2024-01-02  100  .
    2024-01-03  100  50
    2024-01-04  100  60
  `)
    expect([...(panel.benchmarks.get('cb_ew') as Float64Array)]).toEqual([1000, 1000, 1100])
    const outcome = screen(panel, markets.cb, { parameters: parameters({ rank_factors: [rankBy('pct_chg_1')] }), day: 1 })
    expect(outcome.ok && outcome.result.list_items.map(({ code }) => code)).toEqual(['AAA'])
  })

  it('is left out for the days that the rule says, the first of which is the day of its listing', () => {
    const panel = table(
      `
                AAA  BBB
    2024-01-02  .    110
    2024-01-03  100  110
    2024-01-04  100  110
    2024-01-05  100  110
  `,
      { securities: { AAA: { listed: '2024-01-03' } } },
    )
    const first = (list_days: number) =>
      realistic(panel, { ...daily, exclude: { ...daily.exclude, list_days } }).report.trades.find(({ code }) => code === 'AAA')?.date
    expect([0, 1, 2].map(first)).toEqual(['2024-01-03', '2024-01-04', '2024-01-05'])
  })
})

describe('the limits of 1 August 2022', () => {
  // BBB rises by a fifth on the second day of each table.
  const bought = (before: string, day: string) => {
    const panel = table(`
               AAA  BBB
      ${before}  130  100
      ${day}     130  120
    `)
    return lines(realistic(panel, parameters(), { start_date: day }))
  }
  it('hold from that day on, not before', () => {
    expect(bought('2022-07-28', '2022-07-29')).toEqual(['07-29 buy BBB enter'])
    expect(bought('2022-07-29', '2022-08-01')).toEqual(['08-01 buy AAA enter'])
  })
})

describe('parameter mining', () => {
  const panel = randomMarket('cb', { seed: 4, days: 160, securities: 20 })
  it('the more often the like has been tried, the more luck it may have been', () => {
    const judged = (count: number) => {
      const request = { parameters: daily, settings: settings(panel.dates[5] as string, panel.dates[155] as string), trials: { count } }
      return reportOf(panel, markets.cb, request).report.robustness
    }
    const [one, many] = [judged(1), judged(500)]
    expect([one?.trials, many?.trials]).toEqual([1, 500])
    expect(many?.luck_threshold).toBeGreaterThan(one?.luck_threshold as number)
    expect(many?.dsr).toBeLessThan(one?.dsr as number)
  })
})
