import { describe, expect, it } from 'vitest'
import { crossSection, markets } from '../../src/index.ts'
import { table } from '../fixtures/table.ts'

/** One security's factor values on the last day of a table. */
function valuesOf(kind: 'cb' | 'stk', close: string, fields: Record<string, string>, refs: string[]): Record<string, number | null> {
  const panel = table(close, { kind, fields })
  const outcome = crossSection(panel, markets[kind], refs, panel.dates.length - 1)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return Object.fromEntries(refs.map((ref, k) => [ref, outcome.values[k]?.[0] ?? null]))
}

const row = (value: number | string) => `
              AAA
  2023-01-20  ${value}
`

describe('factors of bonds: the check row of domain.md 2.2', () => {
  it.each([
    { key: 'conv_value', expected: 97.633873, digits: 6 },
    { key: 'conv_prem', expected: 0.37524, digits: 6 },
    { key: 'dblow', expected: 171.793992, digits: 4 },
    { key: 'remain_cap', expected: 1.557915, digits: 6 },
    { key: 'turnover', expected: 0.036097, digits: 6 },
    { key: 'cap_mv_rate', expected: 0.06513, digits: 6 },
    { key: 'bond_prem', expected: 0.316261, digits: 6 },
  ])('$key', ({ key, expected, digits }) => {
    const fields = {
      conv_price: row(8.03),
      close_stk: row(7.84),
      remain_size: row(1.160285),
      amount: row(562.354097),
      total_mv: row(23.920238),
      pure_value: row(102.008646),
    }
    expect(valuesOf('cb', row(134.27), fields, [key])[key]).toBeCloseTo(expected, digits)
  })

  // close, conv_value, remain_size, amount, total_mv → conv_prem, dblow, remain_cap, turnover, cap_mv_rate
  it.each([
    [136.513, 110.169492, 1.503349, 816.119993, 14.876463, 0.239118, 160.4248, 2.052267, 0.039767, 0.137954],
    [147.8, 126.626193, 1.48949, 4762.727005, 29.255822, 0.167215, 164.521507, 2.201466, 0.216343, 0.075249],
  ])('the other two: %d yuan for a value of %d', (close, conv_value, remain_size, amount, total_mv, ...expected) => {
    const fields = { conv_value: row(conv_value), remain_size: row(remain_size), amount: row(amount), total_mv: row(total_mv) }
    const keys = ['conv_prem', 'dblow', 'remain_cap', 'turnover', 'cap_mv_rate']
    const told = valuesOf('cb', row(close), fields, keys)
    keys.forEach((key, k) => {
      // Expected premiums have six decimals, so the double low has four.
      expect(told[key], key).toBeCloseTo(expected[k] as number, key === 'dblow' ? 4 : 6)
    })
  })

  it('a column that the data have wins over the formula', () => {
    const fields = { conv_price: row(8.03), close_stk: row(7.84), conv_prem: row(0.4) }
    expect(valuesOf('cb', row(134.27), fields, ['conv_prem', 'dblow'])).toEqual({ conv_prem: 0.4, dblow: 134.27 + 40 })
  })
})

const days = (values: (number | string)[]) => `
  AAA
${values.map((value, t) => `2024-01-${String(2 + t).padStart(2, '0')} ${value}`).join('\n')}
`

describe('factors over time', () => {
  const close = days([100, 110, '-', 99, 120])
  it.each([
    { key: 'pct_chg', expected: 120 / 99 - 1 },
    { key: 'pct_chg_2', expected: 120 / 110 - 1 },
    { key: 'bias_4', expected: 120 / ((110 + 110 + 99 + 120) / 4) - 1 },
    { key: 'close_ma_5', expected: (100 + 110 + 110 + 99 + 120) / 5 },
    { key: 'hh_dist_5', expected: 0 },
    { key: 'll_dist_5', expected: 120 / 99 - 1 },
    { key: 'up_days_4', expected: 2 },
    { key: 'bias_6', expected: null },
    { key: 'listed_days', expected: null },
    { key: 'suspension', expected: 0 },
  ])('$key of a bond: windows run along the market’s days, suspended ones with the price before', ({ key, expected }) => {
    const value = valuesOf('cb', close, { high: close, low: close }, [key])[key]
    if (expected === null) expect(value).toBeNull()
    else expect(value).toBeCloseTo(expected, 12)
  })

  it('shares are looked at in adjusted prices: a split is no fall', () => {
    const raw = days([10, 11, 5.5, 6])
    expect(valuesOf('stk', raw, { adj_factor: days([1, 1, 2, 2]) }, ['pct_chg', 'pct_chg_3'])).toEqual({
      pct_chg: expect.closeTo(6 / 5.5 - 1, 12),
      pct_chg_3: expect.closeTo(0.2, 12),
    })
    expect(valuesOf('stk', raw, {}, ['pct_chg_2'])['pct_chg_2']).toBeCloseTo(6 / 11 - 1, 12)
  })

  it('a suspended day keeps the last price and has traded nothing: windows go on over it', () => {
    const raw = days([10, 11, '-', 10, 12])
    const fields = {
      ...{ high: days([10, 12, '-', 11, 12]), low: days([9, 10, '-', 9, 11]), open: days([10, 10, '-', 11, 11]) },
      ...{ pre_close: days([10, 10, '-', 11, 10]), vol: days([100, 300, '-', 200, 400]), amount: days([1, 3, '-', 2, 4]) },
      ...{ turnover: days([0.1, 0.3, '-', 0.2, 0.4]), adj_factor: days([1, 1, 1, 1, 1]) },
    }
    const expected = {
      hh_dist_4: 12 / 12 - 1,
      amplitude_4: (2 / 10 + 0 + 2 / 11 + 1 / 10) / 4,
      atr_4: (2 + 0 + 2 + 2) / 4,
      wr_4: 0,
      ar_4: ((2 + 0 + 0 + 1) / (0 + 0 + 2 + 0)) * 100,
      amount_4: (3 + 0 + 2 + 4) / 4,
      turnover_4: (0.3 + 0 + 0.2 + 0.4) / 4,
      money_flow_4: (((12 + 10 + 11) / 3) * 300 + 0 + ((11 + 9 + 10) / 3) * 200 + ((12 + 11 + 12) / 3) * 400) / 10_000,
    }
    const told = valuesOf('stk', raw, fields, Object.keys(expected))
    for (const [key, value] of Object.entries(expected)) expect([key, told[key]]).toEqual([key, expect.closeTo(value, 12)])
  })

  it('volatility is that of log returns, annual', () => {
    const returns = [Math.log(1.1), 0, Math.log(0.9), Math.log(120 / 99)]
    const mean = returns.reduce((sum, r) => sum + r, 0) / 4
    const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 3
    expect(valuesOf('cb', close, {}, ['volatility_4'])['volatility_4']).toBeCloseTo(Math.sqrt(variance * 242), 12)
  })
})
