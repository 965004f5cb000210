import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import { expect, it } from 'vitest'
import { rebalanceWords } from '../report/rule-words.ts'
import { differences, remarkOf } from './backtest-run-difference.ts'

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
    ['排名差', '0', '5'],
    ['本金', '10 万元', '50 万元'],
    ['转股溢价率 权重', '未使用', '越小越好 0.5'],
    ['条件 转股溢价率', '无', '大于 150'],
  ])
  expect(remarkOf(changed.slice(0, 2))).toBe('持有 1–20→1–10；排名差 0→5')
})

it('a factor that was only switched off is not used', () => {
  const after = { settings, parameters: { ...parameters, rank_factors: [{ ...rank('dblow', 1), enable: false }] } }
  expect(differences(before, after, nameOf)).toEqual([{ label: '双低 权重', before: '越小越好 1', after: '未使用' }])
})

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
