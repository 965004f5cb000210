import { Settings as RunSettings, type Settings } from '@convexa/contract/backtest'
import { type Parameters, Parameters as StrategyParameters } from '@convexa/contract/strategy'
import { expect, it } from 'vitest'
import { differences, remarkOf } from './backtest-run-difference.ts'
import { rebalanceWords } from './rule-text.ts'

const rank = (factor_key: string, weight: number): Parameters['rank_factors'][number] => ({
  factor_key,
  prefer: 'small',
  weight,
  missing_process: 'exclude',
  neutralization: null,
  enable: true,
})
const parameters: Parameters = {
  version: 1,
  universe: { markets: [], exclude_codes: [] },
  exclude: { st: true, list_days: 3, suspended: true, org_types: [], areas: [], industries: [] },
  filter_factors: [],
  rank_factors: [rank('dblow', 1)],
  rank_method: 'rank',
  hold_method: {
    hold_range_type: 1,
    hold_range_start: 1,
    hold_range_end: 20,
    hold_weight_type: 1,
    hold_max_weight: 1,
    hold_threshold: 0,
    empty_slot: 'next',
  },
  rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
  stop_method: { stop_type: 0 },
  hold_days: 0,
}
const settings: Settings = {
  start_date: '2022-08-01',
  end_date: '2026-11-19',
  benchmark: 'cb_ew',
  capital: 10,
  cost: { buy_rate: 0.001, sell_rate: 0.001 },
  execution: 'realistic',
  fill: 'close',
  call_handling: 't_minus_1_close',
  delisting: 'last_price',
  adjust: 'raw',
}
const before = { parameters, settings }
const nameOf = (ref: string) => ({ dblow: '双低', premium: '转股溢价率' })[ref] ?? ref
const close = (value: number): Parameters['filter_factors'][number] => ({
  factor_key: 'premium',
  action: 'exclude',
  operation: 'gt',
  value,
  enable: true,
})

it('the same rule is no different', () => expect(differences(before, before, nameOf)).toEqual([]))

it('each change is named as the builder names it', () => {
  const after = {
    parameters: {
      ...parameters,
      hold_method: { ...parameters.hold_method, hold_range_end: 10, hold_threshold: 5 },
      rank_factors: [rank('dblow', 1), rank('premium', 0.5)],
      filter_factors: [close(150)],
    },
    settings: { ...settings, capital: 50 },
  }
  const changed = differences(before, after, nameOf)
  expect(changed.map(({ label, before, after }) => [label, before, after])).toEqual([
    ['持有', '1–20', '1–10'],
    ['缓冲名次', '0', '5'],
    ['本金', '10 万元', '50 万元'],
    ['转股溢价率 权重', '未使用', '越小越好 0.5'],
    ['条件 转股溢价率', '无', '大于 150'],
  ])
  expect(remarkOf(changed.slice(0, 2))).toBe('持有 1–20→1–10；缓冲名次 0→5')
})

it('values are named by the labels of the builder, in the words of their market', () => {
  const { universe, hold_method, stop_method } = parameters
  const changed = (kind: 'cb' | 'stk', over: Partial<Parameters>) =>
    differences({ kind, ...before }, { kind, settings, parameters: { ...parameters, ...over } }, nameOf).map(
      ({ label, before, after }) => `${label} ${before}→${after}`,
    )
  const bySize = { hold_method: { ...hold_method, hold_weight_type: 3 as const } }
  expect(changed('cb', bySize)).toEqual(['权重 等权→按规模'])
  expect(changed('stk', bySize)).toEqual(['权重 等权→按市值'])
  expect(changed('stk', { universe: { ...universe, markets: ['SSE_MAIN', 'STAR'] } })).toEqual(['板块 全部→沪市主板、科创板'])
  expect(changed('cb', { stop_method: { ...stop_method, stop_type: 1, take_profit: 0.1, base: 'cost' } })).toEqual([
    ...['止盈止损 不启用→盘中止盈', '止盈比例 —→10.00%', '止盈止损对比 不启用→成本价'],
  ])
})

it('a factor that was only switched off is not used', () => {
  const after = { settings, parameters: { ...parameters, rank_factors: [{ ...rank('dblow', 1), enable: false }] } }
  expect(differences(before, after, nameOf)).toEqual([{ label: '双低 权重', before: '越小越好 1', after: '未使用' }])
})

/** Other values for all that a rule can say. */
const others: Readonly<Record<string, unknown>> = {
  'parameters.universe.markets': ['STAR'],
  'parameters.universe.index_codes': ['000300'],
  'parameters.universe.include_codes': ['113051.SH'],
  'parameters.universe.exclude_codes': ['113051.SH'],
  'parameters.universe.max_per_issuer': 2,
  'parameters.exclude.call_status': ['executing'],
  'parameters.exclude.call_remain_days': 3,
  'parameters.exclude.st': false,
  'parameters.exclude.list_days': 30,
  'parameters.exclude.suspended': false,
  'parameters.exclude.ratings_below': 'AA',
  'parameters.exclude.yy_ratings_above': '6',
  'parameters.exclude.org_types': ['民营企业'],
  'parameters.exclude.areas': ['江苏'],
  'parameters.exclude.industries': ['银行'],
  'parameters.filter_factors.0.factor_key': 'close',
  'parameters.filter_factors.0.action': 'keep',
  'parameters.filter_factors.0.operation': 'lt',
  'parameters.filter_factors.0.value': 140,
  'parameters.filter_factors.0.enable': false,
  'parameters.rank_factors.0.factor_key': 'premium',
  'parameters.rank_factors.0.prefer': 'large',
  'parameters.rank_factors.0.weight': 2,
  'parameters.rank_factors.0.missing_process': 'worst',
  'parameters.rank_factors.0.neutralization': 'industry',
  'parameters.rank_factors.0.enable': false,
  'parameters.rank_method': 'zscore',
  'parameters.hold_method.hold_range_type': 2,
  'parameters.hold_method.hold_range_start': 2,
  'parameters.hold_method.hold_range_end': 10,
  'parameters.hold_method.hold_weight_type': 3,
  'parameters.hold_method.hold_weight_factor': 'dblow',
  'parameters.hold_method.hold_max_weight': 0.125,
  'parameters.hold_method.hold_threshold': 5,
  'parameters.hold_method.empty_slot': 'cash',
  'parameters.rebalance_method.rebalance_type': 2,
  'parameters.rebalance_method.rebalance_value': 5,
  'parameters.stop_method.stop_type': 1,
  'parameters.stop_method.take_profit': 0.1,
  'parameters.stop_method.stop_loss': 0.1,
  'parameters.stop_method.activate': 0.1,
  'parameters.stop_method.drawdown': 0.05,
  'parameters.stop_method.base': 'cost',
  'parameters.timing': [{ rule: 'ma_cross', value: 20, exposure: 0 }],
  'parameters.hold_days': 5,
  'settings.start_date': '2023-01-03',
  'settings.end_date': '2025-12-31',
  'settings.benchmark': '000832',
  'settings.capital': 50,
  'settings.cost.buy_rate': 0,
  'settings.cost.sell_rate': 0,
  'settings.cost.slippage': 0.001,
  'settings.cost.stamp_tax': 0,
  'settings.cost.min_fee': 5,
  'settings.execution': 'ideal',
  'settings.fill': 'next_open',
  'settings.oos_start': '2026-01-05',
  'settings.call_handling': 'hold_to_redemption',
  'settings.delisting': 'zero',
  'settings.adjust': 'qfq',
}
const whole = {
  settings,
  parameters: {
    ...parameters,
    universe: { markets: [], exclude_codes: ['113050.SH'], include_codes: ['113050.SH'] },
    exclude: { ...parameters.exclude, call_status: ['announced' as const] },
    filter_factors: [close(150)],
    hold_method: { ...parameters.hold_method, hold_weight_type: 4 as const, hold_weight_factor: 'close' },
    stop_method: { stop_type: 5 as const, activate: 0.08, drawdown: 0.03 },
  },
}

it.each(Object.entries(others))('another %s is told', (path, value) =>
  expect(differences(whole, changedAt(whole, path.split('.'), value), nameOf)).not.toEqual([]),
)

it('nothing that a rule can say is left out above', () => {
  const said = leavesOf({ parameters: StrategyParameters, settings: RunSettings } as unknown as Record<string, Schema>).filter(
    (path) => path !== 'parameters.version',
  )
  expect(Object.keys(others).sort()).toEqual(said.sort())
})

it('two conditions of one kind are two, and a list of as many others is another', () => {
  const two = { settings, parameters: { ...parameters, filter_factors: [close(150), close(150)] } }
  const other = { settings, parameters: { ...parameters, filter_factors: [close(140), close(150)] } }
  expect(differences(two, other, nameOf)).toEqual([{ label: '条件 转股溢价率', before: '大于 150', after: '大于 140' }])
  const [listed] = differences(whole, changedAt(whole, ['parameters', 'universe', 'exclude_codes'], ['113051.SH']), nameOf)
  expect(listed).toEqual({ label: '黑名单', before: '1 只', after: '1 只（内容不同）' })
})

function changedAt<T>(rule: T, [step = '', ...rest]: readonly string[], value: unknown): T {
  const made = (Array.isArray(rule) ? [...rule] : { ...rule }) as Record<string, unknown>
  made[step] = rest.length === 0 ? value : changedAt(made[step], rest, value)
  return made as T
}

interface Schema {
  shape?: Readonly<Record<string, Schema>>
  element?: Schema
}

/** Paths of all that schemas hold; of rows those of the first. Lists of texts, and of timing, are one thing. */
function leavesOf(shape: Readonly<Record<string, Schema>>): string[] {
  return Object.entries(shape).flatMap(([key, { shape: inner, element }]) => {
    const [found, first] = element?.shape ? [element.shape, '0.'] : [inner, '']
    return found ? leavesOf(found).map((path) => `${key}.${first}${path}`) : [key]
  })
}

it('a remark is at most 200 characters', () => {
  const many = Array.from({ length: 40 }, (_, i) => ({ label: `第 ${i} 项`, before: '0', after: '1' }))
  expect(remarkOf(many)).toHaveLength(200)
})

it.each([
  [0, 5, '每 5 交易日'],
  [1, 1, '每周第 1 个交易日'],
  [2, -1, '每月倒数第 1 个交易日'],
] as const)('rebalance type %d with %d reads %s', (rebalance_type, rebalance_value, words) =>
  expect(rebalanceWords({ rebalance_type, rebalance_value })).toBe(words),
)
