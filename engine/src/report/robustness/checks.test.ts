import type { TrustState, WorthState } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { chance } from '../../../test/fixtures/chance.ts'
import { checksOf, type Evidence, judge, verdictOf } from './checks.ts'

const good: Evidence = {
  ...{ days: 1_210, trials: 30, sharpe: 2, annual: 0.2, inside: 0.2, isGroup: false, luck_threshold: 0.9, dsr: 0.99, pbo: 0.1 },
  ...{ oos_ratio: 0.9, neighbour_std: 0.05, drop_best5: { annual_return: 0.15 }, drop_best_month: { annual_return: 0.16 } },
  worst_year_dropped: { year: '2022', annual_return: 0.14 },
}

describe('the second answer', () => {
  it.each([
    ['nothing fails', {}, 'yes', 'high'],
    ['nothing fails, and it is not sure that the market was beaten', {}, 'unclear', 'high'],
    ['the market was not beaten', {}, 'no', 'moot'],
    ['not a year', {}, 'short', 'short'],
    ['nothing to hold it against', {}, null, 'high'],
    ['one fails', { oos_ratio: 0.2 }, 'yes', 'middle'],
    ['a grid says it is overfitted', { pbo: 0.5 }, 'yes', 'middle'],
    ['two of six fail', { pbo: 0.5, oos_ratio: 0.2 }, 'yes', 'middle'],
    ['half of six fail', { pbo: 0.5, oos_ratio: -0.2, neighbour_std: 0.4 }, 'yes', 'low'],
    ['the deflated Sharpe ratio is below 0.8', { dsr: 0.79 }, 'yes', 'low'],
    ['no grid yet', { pbo: null, neighbour_std: null }, 'yes', 'pending'],
    ['one of four fails, two are missing', { pbo: null, neighbour_std: null, oos_ratio: 0.2 }, 'yes', 'pending'],
    ['a bad sign does not wait for what is missing', { pbo: null, neighbour_std: null, oos_ratio: 0.2, sharpe: 0.5 }, 'yes', 'low'],
    ['four tries', { trials: 4 }, 'yes', 'pending'],
    ['five tries', { trials: 5 }, 'yes', 'high'],
    ['no gain inside the sample', { inside: -0.1, oos_ratio: null }, 'yes', 'middle'],
    ['a group, of which four are asked', { isGroup: true, pbo: null, neighbour_std: null }, 'yes', 'high'],
  ] as const)('%s', (_, change, worth, state) => expect(judge({ ...good, ...change }, worth).verdict).toBe(state))
})

describe('a check', () => {
  const told = (key: string, change: Partial<Evidence>) => checksOf({ ...good, ...change }).find((one) => one.key === key)
  it.each([
    ['luck', { trials: 1 }, { ok: null, lack: 'trials', sentence: '只试过 1 次，门槛太低，过关也说明不了什么' }],
    ['luck', { trials: 26, luck_threshold: 0.9 }, { ok: true, sentence: '试过 26 次，瞎试最好约 0.90' }],
    ['overfitting', { pbo: null }, { ok: null, lack: 'grid', sentence: '还没有查' }],
    ['neighbours', { neighbour_std: null }, { ok: null, lack: 'grid' }],
    ['overfitting', { pbo: 0.876, cells: [1.32, 1.4, 1.52] }, { ok: false, sentence: '3 组参数夏普都在 1.32–1.52，不必挑“最好”的' }],
    ['overfitting', { pbo: 0.876, cells: [0.3, 1.4, 1.52] }, { ok: false, sentence: expect.stringContaining('参数可能过拟合') }],
    ['out_of_sample', { inside: null, oos_ratio: null }, { ok: null, lack: 'days' }],
    ['out_of_sample', { inside: 0, oos_ratio: null }, { ok: false, value: null, sentence: '样本内没有赚钱，谈不上保留' }],
    ['extremes', { annual: -0.01 }, { ok: false, value: null, sentence: '全程没有赚钱，谈不上保留' }],
    ['deflated', { days: 241 }, { ok: null, lack: 'days', value: null, sentence: '区间太短，加长后再查' }],
  ] as const)('%s %o', (key, change, is) => expect(told(key, change)).toMatchObject(is))
  it('is of six; of a group of four', () => {
    expect(checksOf(good)).toHaveLength(6)
    expect(checksOf({ ...good, isGroup: true }).map(({ key }) => key)).toEqual(['luck', 'deflated', 'out_of_sample', 'extremes'])
  })
})

describe('10,000 made-up runs', () => {
  const grades: Partial<Record<TrustState, number>> = { low: 0, pending: 1, middle: 2, high: 3 }
  const { next, pick } = chance(8)
  const maybe = <T>(value: T): T | null => (next() < 0.15 ? null : value)
  const evidence = (): Evidence => ({
    ...{ days: pick([100, 241, 242, 1_210]), trials: pick([1, 4, 5, 30]), isGroup: next() < 0.2, sharpe: maybe(next() * 2) },
    ...{ annual: maybe(next() - 0.2), inside: maybe(next() - 0.2), oos_ratio: maybe(next() * 1.5 - 0.3), luck_threshold: maybe(next()) },
    ...{ dsr: maybe(1 - next() * 0.3), pbo: maybe(next() * 0.6), neighbour_std: maybe(next() * 0.4) },
    ...{ drop_best5: { annual_return: maybe(next() - 0.1) }, drop_best_month: { annual_return: maybe(next()) }, worst_year_dropped: null },
  })
  it('are high only with an excess, every check and five tries; another failed check never raises the grade', () => {
    for (let k = 0; k < 10_000; k++) {
      const one = evidence()
      const worth = pick<WorthState | null>(['yes', 'unclear', 'no', 'short', null])
      const { checks, verdict, judged, passed } = judge(one, worth)
      expect([judged, passed]).toEqual([checks.filter(({ ok }) => ok !== null).length, checks.filter(({ ok }) => ok === true).length])
      if (verdict === 'high') {
        expect(worth === 'no' || worth === 'short').toBe(false)
        expect([passed, one.trials >= 5, one.days >= 242]).toEqual([one.isGroup ? 4 : 6, true, true])
      }
      for (const held of checks.filter(({ ok }) => ok === true)) {
        const worse = checks.map((check) => (check === held ? { ...check, ok: false } : check))
        const [before, after] = [grades[verdict], grades[verdictOf(worse, worth)]]
        if (before !== undefined) expect(after).toBeLessThanOrEqual(before)
      }
    }
  })
})
