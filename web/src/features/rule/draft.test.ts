import { markets } from '@convexa/contract/enums/market'
import type { StrategyOptions } from '@convexa/contract/reference'
import { Parameters } from '@convexa/contract/strategy'
import { describe, expect, it } from 'vitest'
import { someSettings as settings } from '../../../test/some-draft.ts'
import { mistakeAt } from '../builder/builder-part.ts'
import {
  blankParameters,
  datesOf,
  defaultSettings,
  followData,
  newFilter,
  newRank,
  sendable,
  unfilled,
  withExclusions,
  yearsBefore,
} from './draft.ts'
import { factorsOf, familyOf, refOf } from './factors.ts'
import { rangeChoices, rangeHint } from './range-choices.ts'
import { costWords } from './rule-text.ts'
import { filterText, summaryOf, textOf } from './summary.ts'
import { parameterMistakes, settingMistakes } from './validate.ts'

const data = { start: '2020-11-23', end: '2026-11-20' }

const meta = (factor_key: string, factor_name: string, unit: string | null, decimals: number) => ({
  factor_key,
  factor_name,
  unit,
  decimals,
  factor_type: 0 as const,
  category: '价格',
  prefer_default: 'small' as const,
  realtime: true,
  available: true,
  coverage: 1,
  description: '',
})
const factors = factorsOf([
  meta('dblow', '双低', null, 3),
  meta('conv_prem', '转股溢价率', null, 4),
  meta('bias_N', 'N日乖离率', null, 4),
  meta('close', '收盘价', '元', 3),
])

describe('dates of a draft', () => {
  it.each([
    ['default', 'cb', '2022-08-01'],
    ['default', 'stk', '2021-11-20'],
    ['1y', 'cb', '2025-11-20'],
    ['all', 'cb', '2020-11-23'],
    ['5y', 'cb', '2021-11-20'],
  ] as const)('%s of %s begins on %s', (range, kind, start) => {
    expect(datesOf(range, kind, data)).toEqual({ start_date: start, end_date: '2026-11-20' })
  })

  it('are offered where the data reach back so far', () => {
    const offered = (kind: 'cb' | 'stk', start: string) =>
      rangeChoices(markets[kind], { start, end: '2026-11-20' }).map(({ value }) => value)
    expect(offered('cb', '2018-01-02')).toEqual(['default', '1y', '3y', '5y', '2018', 'all'])
    expect(offered('stk', '2020-01-02')).toEqual(['1y', '3y', '5y', 'all'])
    expect(offered('cb', '2024-06-03')).toEqual(['1y', 'all'])
  })

  it('an old file that ends before price limits began is taken whole', () => {
    expect(datesOf('default', 'cb', { start: '2018-01-02', end: '2022-03-25' })).toEqual({
      start_date: '2018-01-02',
      end_date: '2022-03-25',
    })
  })

  it('follow the data, unless set by hand', () => {
    const draft = { name: '', edited: false, parameters: blankParameters('cb'), settings, range: 'default' as const }
    const moved = { start: data.start, end: '2026-11-23' }
    expect(followData(draft, 'cb', moved, factors).settings.end_date).toBe('2026-11-23')
    expect(followData({ ...draft, range: null }, 'cb', moved, factors).settings.end_date).toBe('2026-11-20')
    expect(followData(draft, 'cb', data, factors)).toBe(draft)
  })

  it('a stock file without adjustment factors is taken as forward adjusted', () => {
    const draft = { name: '', edited: false, parameters: blankParameters('stk'), settings, range: null }
    const raw = factorsOf([...factors.list, meta('adj_factor', '复权因子', null, 4)])
    expect(followData(draft, 'stk', data, factors).settings.adjust).toBe('qfq')
    expect(followData(draft, 'stk', data, raw).settings.adjust).toBe('raw')
    expect(followData(draft, 'stk', data, factorsOf([])).settings.adjust).toBe('raw')
  })

  it('29 February goes back to the 28th', () => expect(yearsBefore('2024-02-29', 1)).toBe('2023-02-28'))
})

describe('what a form fills in where nothing is said (api.md 0.2)', () => {
  const options = {
    ranges: { cb: data, stk: data },
    benchmarks: [
      { value: 'cb_ew', label: '', kind: 'cb', available: true },
      { value: '000300', label: '', kind: 'stk', available: false },
      { value: 'stk_ew', label: '', kind: 'stk', available: true },
    ],
    cost_presets: [
      { label: '', kind: 'cb', buy_rate: 0.001, sell_rate: 0.001, slippage: 0, min_fee: 0 },
      { label: '', kind: 'cb', buy_rate: 0.002, sell_rate: 0.002, slippage: 0, min_fee: 0 },
      { label: '', kind: 'stk', buy_rate: 0.00025, sell_rate: 0.00025, slippage: 0.001, min_fee: 5 },
    ],
  } as unknown as StrategyOptions
  const common = { end_date: '2026-11-20', capital: 10, execution: 'realistic', fill: 'close', delisting: 'last_price', adjust: 'raw' }

  it('settings', () => {
    expect(defaultSettings('cb', options, factors)).toEqual({
      ...common,
      start_date: '2022-08-01',
      benchmark: 'cb_ew',
      cost: { buy_rate: 0.001, sell_rate: 0.001, slippage: 0, min_fee: 0 },
      oos_start: '2026-01-09',
      call_handling: 't_minus_1_close',
    })
    const raw = factorsOf([...factors.list, meta('adj_factor', '复权因子', null, 4)])
    expect(defaultSettings('stk', options, raw)).toMatchObject({
      ...common,
      start_date: '2021-11-20',
      benchmark: 'stk_ew',
      cost: { buy_rate: 0.00025, sell_rate: 0.00025, slippage: 0.001, min_fee: 5 },
    })
    const loaded = { ...options, benchmarks: options.benchmarks.map((one) => ({ ...one, available: true })) }
    expect(defaultSettings('stk', loaded, raw).benchmark).toBe('000300')
  })

  it.each(['cb', 'stk'] as const)('a rule of %s', (kind) => {
    expect(blankParameters(kind)).toMatchObject({
      universe: { markets: [], exclude_codes: [] },
      exclude: { st: true, list_days: 3, suspended: true },
      hold_method: { hold_range_start: 1, hold_range_end: 10, hold_max_weight: 1, hold_threshold: 0, empty_slot: 'next' },
      rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
      rank_factors: [{ missing_process: 'exclude', weight: 1 }],
    })
    const bonds = kind === 'cb'
    expect(blankParameters(kind).universe.max_per_issuer).toBe(bonds ? 1 : undefined)
    expect(blankParameters(kind).exclude.call_status).toEqual(bonds ? ['announced', 'executing', 'maturity'] : undefined)
  })

  it('a realistic run of bonds that begins before price limits did is told so', () => {
    const of = (kind: 'cb' | 'stk', start_date: string, execution: 'realistic' | 'ideal' = 'realistic') =>
      rangeHint(markets[kind], { start_date, execution })
    expect(of('cb', '2022-07-29')).toContain('2022-08-01 之前可转债没有涨跌幅限制')
    expect([of('cb', '2022-08-01'), of('stk', '2018-01-02'), of('cb', '2018-01-02', 'ideal')]).toEqual([null, null, null])
  })
})

describe('a strategy in one sentence', () => {
  it('one factor', () => {
    expect(textOf(summaryOf(blankParameters('cb'), settings, factors, 198, markets.cb))).toBe(
      '每个交易日收盘，在 198 只里按「双低」从小到大取 10 只等权持有；同一正股最多 1 只，单边成本 0.10%。',
    )
  })

  it('two factors, a buffer, the fifth trading day from the month’s end', () => {
    const parameters = {
      ...blankParameters('stk'),
      rank_factors: [newRank('dblow', 'small'), newRank('bias_20', 'large')],
      rebalance_method: { rebalance_type: 2 as const, rebalance_value: -5 },
    }
    parameters.hold_method = { ...parameters.hold_method, hold_threshold: 5, hold_max_weight: 0.2 }
    expect(textOf(summaryOf(parameters, null, factors, null, markets.cb))).toBe(
      '每月倒数第 5 个交易日收盘，在条件后的标的里按「双低」与「20日乖离率」加权排名取 10 只等权持有；跌出前 15 名才换，单只不超过 20%。',
    )
    parameters.hold_method = { ...parameters.hold_method, hold_max_weight: 0.005 }
    expect(textOf(summaryOf(parameters, null, factors, null, markets.cb))).toContain('单只不超过 0.5%，至少 95% 留作现金。')
  })

  it.each([
    [{ ...newFilter('close'), value: 150 }, '收盘价 大于 150元'],
    [{ ...newFilter('conv_prem'), operation: 'between' as const, value: [0.1, 0.35] as [number, number] }, '转股溢价率 介于 10%–35%'],
    [{ ...newFilter('close'), operation: 'lt_rank' as const, value: 0.03 }, '收盘价 分位低于 3%'],
    [{ ...newFilter('conv_prem'), operation: 'is_null' as const }, '转股溢价率 为空'],
  ])('a condition: %#', (row, text) => expect(filterText(row, factors)).toBe(text))
})

describe('what trading costs', () => {
  const stock = { execution: 'realistic' as const, cost: { buy_rate: 0.00025, sell_rate: 0.00025, slippage: 0.001, min_fee: 5 } }
  it.each([
    [{ execution: 'realistic' as const, cost: { buy_rate: 0.001, sell_rate: 0.001, slippage: 0, min_fee: 0 } }, false, '单边成本 0.10%'],
    [stock, true, '佣金 0.025%（最低 5 元）· 滑点 0.1% · 另计印花税'],
    [{ ...stock, execution: 'ideal' as const }, true, '佣金 0.025%（最低 5 元）· 滑点 0.1%'],
    [{ ...stock, cost: { ...stock.cost, stamp_tax: 0, min_fee: 0 } }, true, '佣金 0.025% · 滑点 0.1%'],
    [
      { ...stock, execution: 'ideal' as const, cost: { buy_rate: 0.001, sell_rate: 0.001, stamp_tax: 0.0005 } },
      true,
      '佣金 0.10% · 另计印花税',
    ],
    [{ ...stock, cost: { buy_rate: 0.000085, sell_rate: 0.000125, stamp_tax: 0 } }, true, '成本 买 0.0085% 卖 0.0125%'],
    [{ execution: 'ideal' as const, cost: { buy_rate: 0.001, sell_rate: 0.002 } }, true, '成本 买 0.10% 卖 0.20%'],
  ])('%#', (given, dutied, words) => expect(costWords(given, dutied)).toBe(words))
})

describe('a set of exclusions', () => {
  const near = { ...newFilter('redeem_remain_days'), operation: 'le' as const, value: 3, enable: true }
  const pack = {
    ...blankParameters('cb'),
    exclude: { ...blankParameters('cb').exclude, call_status: ['met' as const, 'announced' as const] },
    filter_factors: [near],
    rank_factors: [],
  }

  it('is laid on a rule that keeps its ranking, and only once', () => {
    const rule = { ...blankParameters('cb'), filter_factors: [newFilter('close')] }
    const once = withExclusions(rule, pack)
    expect(once.exclude.call_status).toEqual(['announced', 'executing', 'maturity', 'met'])
    expect(once.filter_factors).toEqual([newFilter('close'), near])
    expect([once.rank_factors, once.hold_method]).toEqual([rule.rank_factors, rule.hold_method])
    expect(withExclusions(once, pack)).toEqual(once)
  })

  it('a condition that the rule has already keeps its number', () => {
    const own = { ...near, value: 5 }
    expect(withExclusions({ ...blankParameters('cb'), filter_factors: [own] }, pack).filter_factors).toEqual([own])
  })
})

describe('factors with a window', () => {
  it('the window has its place inside the key', () => {
    expect(refOf('pct_chg_N_stk', 20)).toBe('pct_chg_20_stk')
    expect(familyOf('pct_chg_20_stk')).toEqual({ key: 'pct_chg_N_stk', window: 20 })
    expect(familyOf('dblow')).toBeNull()
    expect(factors.nameOf('bias_60')).toBe('60日乖离率')
    expect(factors.nameOf('formula: close/ref(close,5)-1')).toBe('close/ref(close,5)-1')
  })

  it('while the factors are on their way no key is shown for a name', () => {
    const none = factorsOf([], true)
    expect([none.nameOf('dblow'), none.nameOf('pct_chg_20_stk'), none.nameOf('formula: close')]).toEqual(['—', '—', 'close'])
    // When they did not come at all, a key is better than nothing.
    expect(factorsOf([]).nameOf('dblow')).toBe('dblow')
  })
})

describe('what is wrong with a draft', () => {
  const blank = blankParameters('cb')
  const places = (change: object) => parameterMistakes({ ...blank, ...change }, markets.cb).map(({ place }) => place)

  it('nothing with a blank one', () => {
    expect(places({})).toEqual([])
    expect(settingMistakes(settings, data)).toEqual([])
  })

  it.each([
    [{ rank_factors: [] }, ['ranks']],
    [{ rank_factors: [{ ...newRank('dblow', 'small'), weight: 0 }] }, ['ranks.0']],
    [{ rank_factors: [newRank('dblow', 'small'), newRank('dblow', 'large')] }, ['ranks.1']],
    [{ filter_factors: [{ ...newFilter('close'), enable: true, operation: 'gt_rank', value: 1 }] }, ['filters.0']],
    [{ filter_factors: [{ ...newFilter('close'), operation: 'gt_rank', value: 1, enable: false }] }, []],
    [{ filter_factors: [{ ...newFilter('close'), enable: true, operation: 'between', value: [2, 1] }] }, ['filters.0']],
    [{ filter_factors: [{ ...newFilter('close'), enable: true, value: 1e13 }] }, ['filters.0']],
    [{ filter_factors: [{ ...newFilter('close'), enable: true, operation: 'between', value: [-1e13, 0] }] }, ['filters.0']],
    [{ filter_factors: [newFilter('close')] }, []],
    [{ filter_factors: [{ ...newFilter('close'), enable: true }] }, ['filters.0']],
    [{ hold_method: { ...blank.hold_method, hold_range_end: 0 } }, ['hold.range']],
    [{ hold_method: { ...blank.hold_method, hold_range_end: 101 } }, ['hold.range']],
    [{ rebalance_method: { rebalance_type: 1, rebalance_value: 6 } }, ['rebalance']],
    [{ hold_days: 1.5 }, ['hold.days']],
  ])('%#', (change, expected) => expect(places(change)).toEqual(expected))

  it.each([
    [{ hold_method: { ...blank.hold_method, hold_range_start: 20 } }, ['起始名次不能大于结束名次']],
    [{ hold_method: { ...blank.hold_method, hold_range_end: unfilled } }, ['请填写起止名次']],
    [{ rebalance_method: { rebalance_type: 0, rebalance_value: null } }, ['请填写轮动间隔']],
    [{ hold_days: unfilled, exclude: { ...blank.exclude, list_days: unfilled } }, ['请填写上市天数', '请填写最短持有天数']],
    [{ rank_factors: [newRank('dblow', 'small'), { ...newRank('dblow', 'small'), weight: unfilled }] }, ['请填写权重', '该因子已添加']],
  ])('in words: %#', (change, messages) => {
    expect(parameterMistakes({ ...blank, ...change } as typeof blank, markets.cb).map(({ message }) => message)).toEqual(messages)
  })

  it('a row with two mistakes tells both', () => {
    const mistakes = [
      { place: 'rebalance', message: '请填写轮动间隔' },
      { place: 'hold.threshold', message: '请填写缓冲名次' },
    ]
    expect(mistakeAt(mistakes, 'rebalance', 'hold.threshold')).toBe('请填写轮动间隔；请填写缓冲名次')
    expect(mistakeAt(mistakes, 'hold.days')).toBeUndefined()
  })

  it('rows that are off do not keep the rest from the server', () => {
    const off = {
      ...blank,
      filter_factors: [newFilter('close')],
      rank_factors: [{ ...newRank('dblow', 'small'), weight: unfilled, enable: false }],
    }
    const sent = sendable(off)
    expect(Parameters.safeParse(sent).success).toBe(true)
    expect(sent.filter_factors).toHaveLength(1)
  })

  it.each([
    [{ start_date: '2026-11-20' }, '开始日期须早于结束日期'],
    [{ start_date: '2019-01-01' }, '数据从 2020-11-23 开始'],
    [{ start_date: '2026-10-08' }, '区间少于 60 个交易日，统计指标没有意义'],
    [{ cost: { buy_rate: 0.03, sell_rate: 0 } }, '买入成本须在 0–2% 之间'],
    [{ capital: unfilled }, '请填写本金'],
    [{ cost: { buy_rate: 0.001, sell_rate: 0.001, min_fee: unfilled } }, '请填写最低佣金'],
    [{ oos_start: '2019-01-01' }, '样本外起点须在区间之内'],
    [{ capital: 0 }, '本金须在 0.1–100000 万元之间'],
  ])('settings: %s', (change, message) => {
    expect(settingMistakes({ ...settings, ...change }, data).map((one) => one.message)).toEqual([message])
  })
})
