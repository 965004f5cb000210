import { describe, expect, it } from 'vitest'
import { blankParameters } from '../rule/draft.ts'
import { asFilter, asRank, cumulated, cutWords, guardWords, otherWarnings, shadesOf, worstCut, yearsOf } from './binning-text.ts'

const rule = blankParameters('cb')
const bin = (avg_count: number) => ({ avg_count }) as Parameters<typeof guardWords>[0]['bins'][number]
const question = (method: 'quantile' | 'category') =>
  ({ factorName: '', body: { method, factor: 'conv_prem' } }) as Parameters<typeof worstCut>[1]

describe('what a binning does to the draft', () => {
  it('adds a factor once, in the direction that was seen', () => {
    const added = asRank(rule, 'conv_prem', 'large')
    expect(added.rank_factors.map(({ factor_key, prefer }) => `${factor_key} ${prefer}`)).toEqual(['dblow small', 'conv_prem large'])
    expect(asRank(added, 'conv_prem', 'small').rank_factors).toHaveLength(2)
  })

  it.each([
    ['small', '分位高于 80%', 'gt_rank', 0.8],
    ['large', '分位低于 20%', 'lt_rank', 0.2],
  ] as const)('the smaller the better or the larger: %s leaves out the other end', (direction, words, operation, value) => {
    const cut = worstCut({ bins: [1, 2, 3, 4, 5].map(bin), direction, cut_share: 0 }, question('quantile'))
    expect(cut).toMatchObject({ words, filter: { operation, value, action: 'exclude' } })
  })

  it('categories have no end to leave out', () => {
    expect(worstCut({ bins: [bin(1), bin(1)], direction: 'small', cut_share: 0 }, question('category'))).toBeNull()
    // Bins that cut through equal values, and a worst bin that never had members, are no condition.
    expect(worstCut({ bins: [bin(1), bin(1)], direction: 'small', cut_share: 0.06 }, question('quantile'))).toBeNull()
    expect(worstCut({ bins: [bin(1), bin(0)], direction: 'small', cut_share: 0 }, question('quantile'))).toBeNull()
  })

  it('the same condition again is replaced', () => {
    const cut = worstCut({ bins: [1, 2, 3, 4].map(bin), direction: 'small', cut_share: 0 }, question('quantile'))
    const once = cut && asFilter(rule, cut.filter)
    expect(once && asFilter(once, { ...cut.filter, value: 0.9 }).filter_factors.map(({ value }) => value)).toEqual([0.9])
  })
})

it('bins of fewer than 20 are told', () => {
  expect(guardWords({ bins: [bin(45), bin(12.4)] })).toBe('每箱平均只有 12 只，结论不可靠')
  expect(guardWords({ bins: [bin(45)] })).toBeNull()
})

it('sums what is known and leaves what is not', () => expect(cumulated([1, null, 2])).toEqual([1, null, 3]))

it('months stand in their year with its mean', () => {
  const [year] = yearsOf([
    { year: 2024, month: 2, value: 0.1 },
    { year: 2024, month: 3, value: 0.3 },
  ])
  expect(year?.values.slice(0, 3)).toEqual([null, 0.1, 0.3])
  expect(year?.values.at(-1)).toBeCloseTo(0.2)
})

it('shades go from the colour towards the ground', () => {
  expect(shadesOf('#000000', '#ffffff', 3)).toEqual(['#000000', '#464646', '#8c8c8c'])
})

it('bins that are cut through equal values are not compared, and what the page says elsewhere is not warned of again', () => {
  expect(cutWords({ cut_share: 0.79, monotonicity: null })).toBe('79.0%的证券同值跨箱，不作判断')
  expect(cutWords({ cut_share: 0.01, monotonicity: 0.4 })).toBeNull()
  // Of categories nothing is cut.
  expect(cutWords({ cut_share: 0, monotonicity: null })).toBeNull()
  expect(otherWarnings({ warnings: ['每箱平均只有 18 只，结论不可靠', '转债不能卖空，多空曲线只用于诊断'] })).toEqual([
    '转债不能卖空，多空曲线只用于诊断',
  ])
})
