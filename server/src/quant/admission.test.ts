import { expect, test } from 'vitest'
import { admit, mostOf, tradingDays, valuesRead } from './admission.ts'
import { limits } from './limits.ts'
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
  ['free', limits.free.factorValues / 1_000, true],
  ['free', limits.free.factorValues / 1_000 + 1, false],
  ['vip', limits.free.factorValues / 1_000 + 1, true],
  ['vip', limits.vip.factorValues / 1_000 + 1, false],
] as const)('%s: %d values for each security are admitted: %s', (tier, cost, admitted) => {
  const asking = () => admit(market, tier, { cost, historyCost: 0 }, 1)
  if (admitted) expect(asking).not.toThrow()
  else expect(asking).toThrow(expect.objectContaining({ code: 22005 }))
})
