import { expect, it } from 'vitest'
import { markets } from '../market/index.ts'
import { compileRef, namesOf } from './index.ts'
import { readsPriceLevel } from './price-level.ts'

const { stk } = markets
const names = namesOf(stk, new Set([...stk.fields.map(({ key }) => key), ...(stk.reportItems ?? []).map(({ key }) => key)]))

it.each([
  ['close', true],
  ['adj_close', true],
  ['close_ma_20', true],
  ['formula: close < 5', true],
  ['formula: close > 0', false],
  ['formula: cs_rank(close)', true],
  ['formula: ts_mean(close, 5)', true],
  ['formula: ts_mean(close, 5) / close', false],
  ['formula: close + 100 * turnover', true],
  ['formula: amount / vol / close', true],
  ['formula: np_parent / (close * total_share)', true],
  ['pct_chg_20', false],
  ['volatility_60', false],
  ['rsi_14', false],
  ['limit', false],
  ['bias_20', false],
  ['total_mv', false],
  ['pb', false],
  ['formula: gp_rank(industry_1, close / ref(close, 5))', false],
  ['formula: gp_rank(industry_1, close)', true],
] as const)('%s reads how high a price is: %s', (ref, expected) => {
  const made = compileRef(ref, names)
  if (!made.ok) throw new Error(`${ref}: ${made.problem.message}`)
  expect(readsPriceLevel(made.expression, stk)).toBe(expected)
})
