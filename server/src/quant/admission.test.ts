import { expect, test } from 'vitest'
import { limits } from '../usage/limits.ts'
import { admit, mostOf, tradingDays, valuesRead } from './admission.ts'
import type { LoadedMarket } from './loaded-market.ts'

const market = { snapshot: { firstDate: '2020-01-01', lastDate: '2024-12-31', securities: 1_000 } } as LoadedMarket
const days = tradingDays('2020-01-01', '2024-12-31')

test('a year has 243 trading days', () => {
  expect(days).toBeCloseTo((1827 * 243) / 365, 9)
})

test('days asked for cost what is read of them, memory costs every day of the data', () => {
  expect(valuesRead(market, { cost: 10, historyCost: 0 }, 5)).toBe(50_000)
  expect(valuesRead(market, { cost: 0, historyCost: 2 }, 1)).toBeCloseTo(2 * days * 1_000, 6)
  expect(
    mostOf([
      { cost: 3, historyCost: 1 },
      { cost: 1, historyCost: 4 },
    ]),
  ).toEqual({ cost: 3, historyCost: 4 })
})

test.each([
  ['free', limits.free.factorValues, null],
  ['free', limits.free.factorValues + 1_000, '公式计算量超过 5 亿个数值需要开通会员（最多 20 亿个数值），当前 5.1 亿个数值'],
  ['free', limits.vip.factorValues, '公式计算量超过 5 亿个数值需要开通会员（最多 20 亿个数值），当前 20 亿个数值'],
  ['free', limits.vip.factorValues + 1_000, 22005],
  ['vip', limits.vip.factorValues, null],
  ['vip', limits.vip.factorValues + 1_000, 22005],
] as const)('%s: reading %d values is answered by %s', (tier, values, refused) => {
  const asking = () => admit(market, tier, { cost: values / 1_000, historyCost: 0 }, 1)
  if (refused === null) expect(asking).not.toThrow()
  else expect(asking).toThrow(expect.objectContaining(refused === 22005 ? { code: 22005 } : { code: 21001, status: 402, message: refused }))
})
