import type { Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { parsed } from '../../src/expression/editing.ts'
import { namesOf } from '../../src/expression/names.ts'
import { rawPricesOf, withAdjusted } from '../../src/expression/raw-prices.ts'
import { crossSection, factsOnWire, markets, previewFactor, priceRemarks, quickBacktest, screen, sectionsOf } from '../../src/index.ts'
import { withOwn } from '../../src/market/index.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { IncrementalScreen, sectionOfWire } from '../../src/screen/index.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

const prices = `
              AAA  BBB
  2024-03-01  10   15
  2024-03-04  10   15
  2024-03-05  10   15
`
type Adjust = 'raw' | 'qfq' | 'hfq'
const panelOf = (adjust: Adjust, more: Parameters<typeof table>[1] = {}) => table(prices, { kind: 'stk', adjust, ...more })
const run = (panel: Panel, wanted = parameters(), over: Partial<Settings> = {}) =>
  reportOf(panel, markets.stk, {
    parameters: wanted,
    settings: settings('2024-03-01', '2024-03-05', { benchmark: 'stk_ew', execution: 'realistic', capital: 1, adjust: 'qfq', ...over }),
  }).report
const told = (panel: Panel, key: string, over: Partial<Settings> = {}) =>
  run(panel, parameters(), over).assumptions.find((one) => one.key === key)?.text ?? ''

/** The warnings of a rule on the last day and of a glance at the days, as the server tells them and as a browser does by what it was sent. */
function toldOf(panel: Panel, wanted: ReturnType<typeof parameters>, market = markets.stk) {
  const found = screen(panel, market, { parameters: wanted, day: 2 })
  if (!found.ok) throw new Error(found.problem.message)
  const quick = quickBacktest(panel, market, {
    parameters: wanted,
    settings: settings('2024-03-04', '2024-03-05', { benchmark: 'stk_ew', adjust: panel.adjust === 'hfq' ? 'hfq' : 'qfq' }),
  })
  if (!quick.ok) throw new Error(quick.problem.message)
  const section = sectionsOf(panel, 2)(market)
  const codes = section.facts.securities.map(({ code }) => code)
  const sent = sectionOfWire(markets.stk, { date: '2024-03-05', codes, facts: factsOnWire(market, section.facts) }, (ref) => {
    const factor = section.factor(ref)
    const [remark] = priceRemarks(panel, market, [ref])
    return factor.ok && remark ? { label: factor.factor.label, values: factor.factor.column(), remark } : null
  })
  const preview = new IncrementalScreen(markets.stk).screen(sent, wanted)
  if (!preview.ok) throw new Error(preview.problem.message)
  return { screen: found.result.warnings, quick: quick.result.warnings, preview: [...preview.parts.warnings] }
}

describe('a rule that reads prices as traded over days', () => {
  const factors = `
                AAA  BBB
    2024-03-01  1    1
    2024-03-04  1    1
    2024-03-05  1    1
  `
  const panel = panelOf('raw', { fields: { adj_factor: factors } })
  const market = withOwn(markets.stk, [{ key: 'custom_rise', label: '我的涨幅', formula: 'pct(close, 1)' }])
  const raw = (warnings: readonly string[]) => warnings.filter((text) => text.includes('跨日比较'))

  it.each(['screen', 'quick', 'preview'] as const)('is told in a %s, through own factors too', (where) => {
    const of = (ref: string) => raw(toldOf(panel, parameters({ rank_factors: [rankBy(ref)] }), market)[where])
    const text = '除权除息日会被当作涨跌；可改用复权价 adj_close'
    expect(of('formula: pct(close, 1)')).toEqual([`「pct(close, 1)」跨日比较未复权的收盘价，${text}`])
    expect(of('custom_rise')).toEqual([`「我的涨幅」跨日比较未复权的收盘价，${text}`])
    expect(of('formula: custom_rise * 2')).toEqual([`「custom_rise * 2」跨日比较未复权的收盘价（自定义因子「我的涨幅」），${text}`])
    expect(of('formula: pct(adj_close, 1)')).toEqual([])
  })

  it('is told when one looks at the factor', () => {
    const looked = previewFactor(panel, market, { factor: 'formula: custom_rise * 2' })
    expect(looked.ok && raw(looked.preview.warnings)).toEqual([expect.stringContaining('（自定义因子「我的涨幅」）')])
  })
})

describe('the formula that the press writes', () => {
  // AAA is split two for one on the last day, and else goes as BBB does.
  const of = (aaa: readonly number[], bbb: readonly number[]) =>
    ['AAA BBB', ...['2024-03-01', '2024-03-04', '2024-03-05', '2024-03-06'].map((date, t) => `${date} ${aaa[t]} ${bbb[t]}`)].join('\n')
  const both = (...values: readonly number[]) => of([...values.slice(0, 3), (values[3] as number) / 2], values)
  const fields = {
    ...{ open: both(10, 10, 12, 12), high: both(11, 12, 13, 14), low: both(9, 10, 11, 12), pre_close: both(10, 10, 11, 12) },
    adj_factor: of([1.5, 1.5, 1.5, 3], [1, 1, 1, 1]),
  }
  const panel = table(both(10, 11, 12, 13), { kind: 'stk', adjust: 'raw', fields })
  const names = namesOf(markets.stk, new Set(['close', ...Object.keys(fields)]))
  const rawIn = (text: string) => {
    const read = parsed(text)
    if (!read.ok) throw new Error(read.problem.message)
    return rawPricesOf(read.program, names)
  }
  const onSplit = (text: string) => {
    const told = crossSection(panel, markets.stk, [`formula: ${text}`], 3)
    if (!told.ok) throw new Error(told.problem.message)
    return told.values[0] as number[]
  }

  it.each([
    'close / ref(close, 1) - 1',
    'pct(close, 2)',
    'ma(close, 3) / close',
    'ts_max(high, 3) / ts_min(low, 3)',
    'close / ref(pre_close, 1)',
    'rsi(close, 2)',
    'm := ma(open, 2); close > m',
  ])('of %s sees no fall on an ex-day, and nothing more is said of it', (text) => {
    const pressed = withAdjusted(text, rawIn(text)) as string
    const [aaa, bbb] = onSplit(pressed)
    expect(aaa).toBeCloseTo(bbb as number, 12)
    expect(onSplit(text)[0]).not.toBeCloseTo(bbb as number, 6)
    expect(rawIn(pressed)).toEqual([])
  })
})

it('a quick run says that a share was held on days whose factor nobody tells', () => {
  const gap = `
                AAA  BBB
    2024-03-01  1    1
    2024-03-04  .    1
    2024-03-05  1    1
  `
  const outcome = quickBacktest(panelOf('raw', { fields: { adj_factor: gap } }), markets.stk, {
    parameters: parameters(),
    settings: settings('2024-03-01', '2024-03-05', { benchmark: 'stk_ew', adjust: 'raw' }),
  })
  expect(outcome.ok && outcome.result.warnings.join()).toMatch(/AAA（AAA）持有期间有交易日缺少复权因子/)
})

describe('a rule that reads how high adjusted prices are', () => {
  const byRise = parameters({ rank_factors: [rankBy('formula: close/ref(close,1)-1')] })
  const warningsOf = (adjust: Adjust, wanted = parameters()) => ({
    run: run(panelOf(adjust), wanted, { start_date: '2024-03-04', adjust: adjust === 'hfq' ? 'hfq' : 'qfq' }).warnings,
    ...toldOf(panelOf(adjust), wanted),
  })
  const named = (warnings: readonly string[]) => warnings.filter((text) => text.includes('用到价格的高低'))

  it.each(['run', 'quick', 'screen', 'preview'] as const)('is told in a %s, a rule that reads moves is not', (where) => {
    expect(named(warningsOf('qfq')[where])).toEqual([
      expect.stringMatching(/^「收盘价」用到价格的高低：行情是前复权价，历史价格受以后的分红送转影响/),
    ])
    expect(named(warningsOf('hfq')[where])).toEqual([expect.stringContaining('行情是后复权价，不是当时的成交价')])
    expect(named(warningsOf('raw')[where])).toEqual([])
    expect(named(warningsOf('qfq', byRise)[where])).toEqual([])
  })

  it('is told of a factor that is looked at by itself', () => {
    const said = (adjust: Adjust, factor: string) => {
      const looked = previewFactor(panelOf(adjust), markets.stk, { factor })
      return looked.ok ? named(looked.preview.warnings) : [looked.problem.message]
    }
    expect(said('qfq', 'close')).toEqual([expect.stringMatching(/^用到价格的高低：行情是前复权价/)])
    expect(said('hfq', 'formula: ma(close, 2) < 5')).toEqual([expect.stringContaining('行情是后复权价')])
    expect(said('raw', 'close')).toEqual([])
    expect(said('qfq', 'formula: close/ref(close,1)-1')).toEqual([])
  })

  it('is told once of all its factors: filters, timing, weights', () => {
    const wanted = parameters({
      filter_factors: [{ factor_key: 'formula: close < 3', action: 'exclude', operation: 'gt', value: 0, enable: true }],
      timing: [{ rule: 'threshold', factor_key: 'close', value: 100, exposure: 0 }],
    })
    expect(named(warningsOf('qfq', wanted).run)).toHaveLength(1)
    expect(named(warningsOf('qfq', wanted).run)[0]).toContain('「close < 3」「收盘价」')
  })

  it('sorts what it earned by adjusted bands of price', () => {
    const labels = (adjust: Adjust) =>
      run(panelOf(adjust))
        .by_group.filter(({ dimension }) => dimension === 'price')
        .map(({ label }) => label)
    expect(labels('qfq')).toEqual(['价格带（复权价）'])
    expect(labels('raw')).toEqual(['价格带'])
  })
})

describe('what is assumed is said as it is', () => {
  const usual = '每日只用当日收盘及以前的数据'

  it('of the knowledge in prices', () => {
    expect(told(panelOf('raw'), 'universe')).toMatch(new RegExp(`；${usual}$`))
    expect(told(panelOf('hfq'), 'universe', { adjust: 'hfq' })).toContain(`${usual}；后复权价不是当时的成交价`)
    expect(told(panelOf('qfq'), 'universe')).toContain(`除价格外，${usual}；前复权价从数据末日往前推算`)
    expect(told(panelOf('raw'), 'adjust')).toContain('除权日的价格缺口算作涨跌')
  })

  it('of lots and limits', () => {
    expect(told(panelOf('raw'), 'execution')).toContain('整手（最小单位按板块与日期）、涨停不买、跌停不卖并逐日顺延、')
    expect(told(panelOf('qfq'), 'execution')).toContain('不计整手，可以买卖零碎数量')
    expect(told(panelOf('qfq'), 'execution')).toContain('（复权价没有最小价位，涨跌幅离限制 0.25 个百分点以内，视为涨跌停）')
    expect(told(panelOf('qfq', { fields: { high: prices, low: prices } }), 'execution')).toContain(
      '（复权价没有最小价位，收盘价是当日最高价或最低价且涨跌幅离限制 0.3 个百分点以内，或其他价格离限制 0.25 个百分点以内，视为涨跌停）',
    )
  })

  it('of columns that are absent', () => {
    const text = told(panelOf('raw'), 'execution')
    expect(text).toContain('没有成交额，不限制单笔成交占比')
    expect(text).toContain('没有 ST 标记，主板涨跌停一律按 10% 判断')
    expect(text).toContain('有 2 只证券的上市日未知，不按新股的涨跌停判断')
    const known = {
      securities: { AAA: { listed: '2010-01-04' }, BBB: { listed: '2010-01-04' } },
      fields: { is_st: prices, amount: prices },
    }
    const full = told(panelOf('raw', known), 'execution')
    for (const absent of ['没有成交额', '没有 ST 标记', '上市日未知']) expect(full).not.toContain(absent)
  })

  it.each([
    { dates: ['2024-03-01', '2024-03-04', '2024-03-05'], from: '2026-07-06', text: '主板 ST 股涨跌幅 5%' },
    { dates: ['2026-07-02', '2026-07-03', '2026-07-06'], from: '2026-07-06', text: '主板 ST 股涨跌幅 5%，2026-07-06 起 10%' },
    { dates: ['2026-07-06', '2026-07-07', '2026-07-08'], from: '2026-07-06', text: '主板 ST 股涨跌幅 10%（2026-07-06 起）' },
    { dates: ['2026-07-06', '2026-07-07', '2026-07-08'], from: '2026-09-01', text: '主板 ST 股涨跌幅 5%（按设置 2026-09-01 起才为 10%）' },
    { dates: ['2026-07-06', '2026-07-07', '2026-07-08'], from: null, text: '主板 ST 股涨跌幅 5%（按设置不采用 2026-07-06 起的 10%）' },
  ])('of the limit of ST shares: $text', ({ dates, from, text }) => {
    const of = (cells: string) => ['AAA BBB', ...dates.map((date) => `${date} ${cells}`)].join('\n')
    const panel = table(of('10 15'), { kind: 'stk', fields: { is_st: of('0 1') }, securities: { AAA: { listed: '2010-01-04' } } })
    const { report } = reportOf({ ...panel, rules: { stLimitFrom: from } }, markets.stk, {
      parameters: parameters(),
      settings: settings(dates[0] as string, dates[2] as string, { benchmark: 'stk_ew', execution: 'realistic', capital: 1 }),
    })
    const told = report.assumptions.find(({ key }) => key === 'execution')?.text.split('；') ?? []
    expect(told).toContain(text)
  })

  it('a share of the main board that is ST is bought at +5 % from that day on, unless the operator says otherwise', () => {
    const of = (a: number, b: number) => `\n2026-07-${a} ${b}`
    const closes = `AAA${of(17, 4)}${of(20, 4.2)}${of(21, 4.2)}`
    const panel = table(closes, { kind: 'stk', fields: { is_st: closes }, securities: { AAA: { listed: '2010-01-04' } } })
    const bought = (rules: Panel['rules']) =>
      reportOf({ ...panel, ...(rules && { rules }) }, markets.stk, {
        parameters: parameters(),
        settings: settings('2026-07-20', '2026-07-21', { benchmark: 'stk_ew', execution: 'realistic', capital: 1 }),
      }).report.trades.map(({ date }) => date)
    expect(bought(undefined)).toEqual(['2026-07-20'])
    expect(bought({ stLimitFrom: null })).toEqual(['2026-07-21'])
  })
})
