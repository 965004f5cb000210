import { BacktestEvent, DayDetail, Report, ScreenResult } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { factorList, markets, needsOf, screen, securityFactors } from '../../src/index.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

const stored = { backtest_id: 'x', name: 'x', note: '', params_hash: 'x', created_at: 'x', partial: false }

describe.each(['cb', 'stk'] as const)('a report adds up, %s', (kind) => {
  const panel = randomMarket(kind, { seed: 11, days: 300, securities: 40, from: '2022-01-04' })
  const request = {
    parameters: parameters({
      rank_factors: [rankBy(kind === 'cb' ? 'dblow' : 'total_mv')],
      hold_method: { hold_range_end: 6, hold_threshold: 2 },
      rebalance_method: { rebalance_type: 0, rebalance_value: 4 },
    }),
    settings: settings(panel.dates[10] as string, panel.dates[290] as string, {
      benchmark: `${kind}_ew`,
      execution: 'realistic',
      capital: 30,
      adjust: 'raw',
      call_handling: 't_minus_1_close',
      cost: { buy_rate: 0.001, sell_rate: 0.001, slippage: 0.001 },
      oos_start: panel.dates[200] as string,
    }),
  }
  const { report, days, told } = reportOf(panel, markets[kind], request)
  const nav = report.curves.nav as number[]
  const total = report.metrics.total_return as number

  it('has the shape of the contract', () => {
    expect(Report.safeParse({ ...report, ...stored }).error?.issues ?? []).toEqual([])
    for (const day of days) expect(DayDetail.safeParse(day).error?.issues ?? []).toEqual([])
    const outcome = screen(panel, markets[kind], { parameters: request.parameters, day: 100, previous: [] })
    const whole = outcome.ok ? { ...outcome.result, data_time: 'x', realtime: false } : null
    expect(ScreenResult.safeParse(whole).error?.issues ?? []).toEqual([])
  })

  it('contributions sum to the total return, periods multiply to it', () => {
    expect(report.contributions.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(total, 10)
    for (const rows of [report.yearly, report.monthly]) {
      expect(rows.reduce((value, row) => value * (1 + (row.nav_return as number)), 1) - 1).toBeCloseTo(total, 10)
      expect(rows.reduce((sum, row) => sum + (row.turnover as number), 0)).toBeCloseTo(
        (report.metrics.turnover as number) * report.metrics.days,
        9,
      )
    }
    expect(nav[nav.length - 1]).toBeCloseTo(1 + total, 12)
  })

  it('money is neither made nor lost between the days', () => {
    for (const [k, day] of days.entries()) {
      const value = day.positions.reduce((sum, row) => sum + row.market_value, day.cash)
      expect(value / 300_000).toBeCloseTo(day.nav, 8)
      const cashBefore = k === 0 ? 300_000 : (days[k - 1]?.cash as number)
      const flows = [...day.sold.map((row) => row.amount - row.fee), ...day.bought.map((row) => -row.amount - row.fee)]
      expect(flows.reduce((sum, flow) => sum + flow, cashBefore)).toBeCloseTo(day.cash, 4)
      expect(day.cash).toBeGreaterThanOrEqual(-1e-6)
    }
  })

  it('holdings, trades and curves tell the same', () => {
    expect(report.trades_total).toBe(report.trades.length)
    expect(days.flatMap((day) => [...day.sold, ...day.bought]).length).toBe(report.trades.length)
    report.holdings.days.forEach((day, k) => {
      expect(day.code_index.map((index) => report.holdings.codes[index]).sort()).toEqual(days[k]?.positions.map((row) => row.code).sort())
      // A claim is worth something and takes no place.
      const claims = days[k]?.positions.filter(({ reason }) => reason === 'claim' || reason === 'unpaid').length ?? 0
      expect(report.curves.hold_count[k]).toBe(day.code_index.length - claims)
      expect(day.weight.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(report.curves.exposure[k] as number, 4)
    })
  })

  it('without its costs it would be worth more', () => {
    expect(report.gross_nav.at(-1) as number).toBeGreaterThan(nav.at(-1) as number)
    const lost = report.curves.cost.reduce((sum: number, cost) => sum + (cost as number), 0)
    expect(lost).toBeGreaterThan(report.metrics.fees as number)
  })

  it('metrics of the part out of the sample stand beside the whole', () => {
    expect(report.metrics.oos).toMatchObject({ start_date: panel.dates[200], days: 91 })
    expect(1 + (report.metrics.oos?.total_return as number)).toBeCloseTo((nav.at(-1) as number) / (nav[189] as number), 10)
  })

  it('tells its progress, each day once, without going back', () => {
    const steps = told.flatMap((each) => ('percent' in each ? [each] : []))
    expect(steps.flatMap((each) => each.curve.dates)).toEqual(report.curves.dates)
    expect(steps.flatMap((each) => each.curve.nav)).toEqual(nav)
    expect(steps.map((each) => each.percent)).toEqual([...steps.map((each) => each.percent)].sort((a, b) => a - b))
    expect(steps.at(-1)?.percent).toBe(100)
    const event = { type: 'progress', run_id: 'x', seq: 1, ...steps[0] }
    expect(BacktestEvent.safeParse(event).success).toBe(true)
  })

  it('is the same to the byte each time', () => {
    const again = reportOf(panel, markets[kind], request)
    expect(JSON.stringify([again.report, again.days])).toBe(JSON.stringify([report, days]))
  })

  it('reads only what it says it needs', () => {
    const available = new Set(panel.columns.keys())
    const needs = needsOf(markets[kind], available, request.parameters, request.settings)
    if (!needs.ok) throw new Error(needs.problem.message)
    const columns = new Map([...panel.columns].filter(([key]) => needs.needs.fields.has(key)))
    expect(columns.size).toBeLessThan(panel.columns.size)
    expect(reportOf({ ...panel, columns }, markets[kind], request).report.curves).toEqual(report.curves)
  })
})

describe.each(['cb', 'stk'] as const)('factors of a market, %s', (kind) => {
  const panel = randomMarket(kind, { seed: 3, days: 80, securities: 20 })
  const available = new Set(panel.columns.keys())

  it('every built-in factor compiles when all fields are there', () => {
    const { fields, reportItems = [] } = markets[kind]
    const all = new Set([...fields, ...reportItems].map(({ key }) => key))
    expect(
      factorList(markets[kind], all, 'all')
        .filter((meta) => !meta.available)
        .map((meta) => [meta.factor_key, meta.reason]),
    ).toEqual([])
  })

  it('lists each key once, and names the field that a factor lacks', () => {
    const metas = factorList(markets[kind], available, 'all', () => 0.5)
    expect(new Set(metas.map((meta) => meta.factor_key)).size).toBe(metas.length)
    const lacking = metas.find((meta) => meta.factor_key === (kind === 'cb' ? 'cap_mv_rate' : 'roe_ttm'))
    expect(lacking).toMatchObject({
      available: false,
      reason: kind === 'cb' ? '当前数据没有「正股总市值」' : '当前数据没有「净资产收益率」，也没有计算它所需的「归母净资产」',
    })
    expect(metas.find((meta) => meta.factor_key === 'close')).toMatchObject({ available: true, coverage: 0.5 })
    const scopes = { base: 0, history: 2, call: 3 } as const
    for (const [scope, type] of Object.entries(scopes))
      expect(factorList(markets[kind], available, scope as keyof typeof scopes)).toEqual(
        factorList(markets[kind], available, 'all').filter(({ factor_type }) => factor_type === type),
      )
    const ofStocks = factorList(markets[kind], available, 'stock').map(({ factor_key }) => factor_key)
    expect([ofStocks.includes('close_stk'), ofStocks.includes('close')]).toEqual([kind === 'cb', false])
    expect(factorList(markets[kind], available, 'custom')).toEqual([])
  })

  it('tells one security among all', () => {
    const code = panel.securities[2]?.code as string
    const last = (panel.dates.length - 1) * panel.stride
    const one = securityFactors({ recent: panel, whole: panel }, markets[kind], code)
    const close = one?.values.find((value) => value.factor_key === 'close')
    const closes = [...(panel.columns.get('close') as Float64Array).subarray(last, last + 20)]
    expect(close).toMatchObject({ value: closes[2], population: closes.filter((value) => value === value).length })
    expect(close?.rank).toBe(closes.filter((value) => value < (closes[2] as number)).length + 1)
    expect(securityFactors({ recent: panel, whole: panel }, markets[kind], 'no such')).toBeNull()
  })
})

describe('a benchmark that lacks days', () => {
  const days = Array.from({ length: 90 }, (_, t) => new Date(Date.UTC(2024, 3, 1 + t)).toISOString().slice(0, 10))
  const level = (t: number) => Math.round(400_000 * (1 + 0.03 * Math.sin(1.3 * t) + 0.02 * Math.sin(0.7 * t * t))) / 100
  const lines = (of: (t: number) => number) => days.map((day, t) => `${day} ${of(t)}`).join('\n')
  const gapped = (from: number, to: number) => days.map((_, t) => (t >= from && t <= to ? Number.NaN : level(t)))
  const told = (from: number, to: number, first = 0) => {
    const panel = table(` AAA\n${lines((t) => level(t) / 100)}`, { kind: 'stk', benchmarks: { '000300': gapped(from, to) } })
    return reportOf(panel, markets.stk, {
      parameters: parameters(),
      settings: settings(days[first] as string, days[89] as string, { benchmark: '000300', execution: 'ideal', adjust: 'qfq' }),
    }).report
  }

  it('what it lacks is in no statistic of pairs', () => {
    const { metrics, rolling, monthly, warnings } = told(40, 55)
    expect(metrics.beta).toBeCloseTo(1, 6)
    expect(metrics.correlation).toBeCloseTo(1, 6)
    expect(metrics.tracking_error).toBeCloseTo(0, 4)
    expect(warnings.some((text) => text.startsWith('基准 000300 有 16 个交易日没有数据') && text.includes('成对统计不计这些日子'))).toBe(
      true,
    )
    // Windows with one of them have neither beta nor correlation, the others 1.
    const [sixty] = rolling
    expect(sixty?.beta.filter((beta) => beta !== null)).toEqual([])
    expect(told(0, -1).rolling[0]?.beta.every((beta) => Math.abs((beta as number) - 1) < 1e-4)).toBe(true)
    // A month that ends inside the gap has no return of it, nor has the next one.
    expect(monthly.map(({ period, bench_return }) => [period, bench_return === null])).toEqual([
      ['2024-04', false],
      ['2024-05', false],
      ['2024-06', false],
    ])
    expect(told(55, 65).monthly.map(({ excess }) => excess === null)).toEqual([false, true, true])
  })

  it('a run that begins in the gap measures it from its first known day, and says so', () => {
    const { curves, warnings } = told(40, 55, 50)
    expect(curves.bench.at(-1)).toBeCloseTo(level(89) / level(56), 12)
    expect(curves.bench.slice(0, 6)).toEqual(Array(6).fill(1))
    expect(warnings.some((text) => text.startsWith(`基准 000300 在 ${days[56]} 之前没有数据，自该日起计算`))).toBe(true)
  })

  it('a price index says that dividends are not in it', () => {
    const panel = table(` AAA\n${lines((t) => level(t) / 100)}`, {
      kind: 'stk',
      benchmarks: { '000300': gapped(0, -1), H00300: gapped(0, -1) },
    })
    const text = (benchmark: string) =>
      reportOf(panel, markets.stk, {
        parameters: parameters(),
        settings: settings(days[0] as string, days[89] as string, { benchmark, execution: 'ideal', adjust: 'qfq' }),
      }).report.assumptions.find(({ key }) => key === 'benchmark')?.text
    expect(text('000300')).toContain('它是价格指数，不含成分股分红')
    expect(text('H00300')).toMatch(/^沪深300全收益/)
    for (const code of ['H00300', 'stk_ew']) expect(text(code)).not.toContain('价格指数')
  })
})
