import { describe, expect, it } from 'vitest'
import { blankParameters, newFilter, newRank } from './draft.ts'
import { factorsOf } from './factors.ts'
import { columnsOf, heatClass, meanOf, thresholdsOf } from './screen-columns.ts'

const meta = (factor_key: string, available = true) => ({
  factor_key,
  factor_name: factor_key,
  unit: null,
  decimals: 4,
  factor_type: 0 as const,
  category: '价格',
  prefer_default: 'small' as const,
  realtime: true,
  available,
  coverage: 1,
  description: '',
})
const factors = factorsOf(['close', 'pct_chg', 'conv_prem', 'dblow', 'volatility'].map((key) => meta(key)).concat(meta('ytm', false)))

describe('the columns of a screen', () => {
  it('begin with price and change, then what is ranked; the missing stays out', () => {
    const parameters = { ...blankParameters('cb'), filter_factors: [{ ...newFilter('volatility'), value: 0.3, enable: true }] }
    const refs = columnsOf('cb', parameters, factors).map(({ ref, ranked }) => (ranked ? `${ref}◆` : ref))
    expect(refs).toEqual(['close', 'pct_chg', 'dblow◆', 'conv_prem', 'volatility'])
  })

  it('show a missing factor that the strategy uses', () => {
    const parameters = { ...blankParameters('cb'), rank_factors: [newRank('ytm', 'large')] }
    expect(columnsOf('cb', parameters, factors).map(({ ref }) => ref)).toContain('ytm')
  })
})

it('a formula heads its column by its own text', () => {
  const long = 'formula: close / ref(close, 5) - 1 + std(close, 20)'
  const parameters = { ...blankParameters('cb'), rank_factors: [newRank('formula: close / 2', 'small'), newRank(long, 'small')] }
  const heads = columnsOf('cb', parameters, factors).filter(({ ref }) => ref.startsWith('formula'))
  expect(heads.map(({ head }) => head)).toEqual(['close / 2', 'close / ref(close, 5) -…'])
  expect(heads[1]?.title).toBe(long.slice(9))
})

describe('heat', () => {
  const column = (heat: 'signed' | 'small' | 'large' | 'none') => ({
    ref: 'x',
    head: '',
    title: '',
    scale: 1,
    decimals: 2,
    width: 1,
    heat,
    ranked: false,
  })

  it.each([
    ['signed', 0.02, 'heat heat-up-3'],
    ['signed', -0.001, 'heat heat-down-1'],
    ['signed', 0.00001, 'heat'],
    ['none', 1, undefined],
    ['signed', null, undefined],
  ] as const)('%s %s', (heat, value, expected) => expect(heatClass(column(heat), value, undefined)).toBe(expected))

  it('paints the better end of the pool, whichever end that is', () => {
    const pool = Array.from({ length: 101 }, (_, i) => i)
    const small = thresholdsOf('small', pool)
    const large = thresholdsOf('large', pool)
    expect([small, large]).toEqual([
      [10, 30, 50],
      [90, 70, 50],
    ])
    expect([5, 20, 40, 80].map((value) => heatClass(column('small'), value, small))).toEqual([
      'heat seq-3',
      'heat seq-2',
      'heat seq-1',
      'heat',
    ])
    expect(heatClass(column('large'), 95, large)).toBe('heat seq-3')
  })

  it('averages what is there', () => {
    expect(meanOf([1, null, 3])).toBe(2)
    expect(meanOf([null])).toBeNull()
  })
})
