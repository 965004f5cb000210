import { describe, expect, it } from 'vitest'
import { marketViews } from '../../market/market-views.ts'
import { arrange, untouched } from '../../ui/grid/column-settings.ts'
import { blankParameters, newFilter, newRank } from '../rule/draft.ts'
import { factorsOf } from '../rule/factors.ts'
import { cellText, columnsOf, countsOf, heatClass, legendOf, meanOf, type ScreenColumn, thresholdsOf } from './screen-columns.ts'

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
    const standard = columnsOf('cb', parameters, factors).filter(({ extra }) => !extra)
    const refs = standard.map(({ key, marked }) => (marked ? `${key}◆` : key))
    expect(refs).toEqual(['close', 'pct_chg', 'dblow◆', 'conv_prem', 'volatility'])
  })

  it('show a missing factor that the strategy uses', () => {
    const parameters = { ...blankParameters('cb'), rank_factors: [newRank('ytm', 'large')] }
    expect(columnsOf('cb', parameters, factors).map(({ key }) => key)).toContain('ytm')
  })
})

describe('the column sets', () => {
  const parameters = { ...blankParameters('cb'), rank_factors: [newRank('dblow', 'small')] }
  const many = factorsOf(
    ['close', 'pct_chg', 'conv_prem', 'dblow', 'ytm', 'pure_value', 'left_years', 'vwap', 'rating'].map((key) => meta(key)),
  )
  const shown = (set: string) =>
    arrange(columnsOf('cb', parameters, many), marketViews.cb.columnSets, { ...untouched, set }).map(({ key }) => key)

  it('show the strategy’s own factors before theirs, and nothing that the data lack', () => {
    expect(shown('bond')).toEqual(['dblow', 'close', 'pct_chg', 'ytm', 'pure_value', 'left_years', 'rating'])
  })
  it('leave by default what only the user would ask for', () => {
    expect(shown('default')).not.toContain('vwap')
    expect(columnsOf('cb', parameters, many).map(({ key }) => key)).toContain('vwap')
  })
  it('have texts of securities: the issuer where it is asked for, a stock’s industry and ST by default', () => {
    expect(shown('equity')).toEqual(['dblow', 'stock_name', 'close', 'pct_chg', 'conv_prem'])
    expect(shown('default')).not.toContain('stock_name')
    const stocks = factorsOf(['close', 'pct_chg', 'is_st'].map((key) => meta(key)))
    const ofStocks = columnsOf('stk', { ...blankParameters('stk'), rank_factors: [] }, stocks)
    expect(arrange(ofStocks, marketViews.stk.columnSets, untouched).map(({ label }) => label)).toEqual(['现价(元)', '涨跌幅', '行业', 'ST'])
    const st = ofStocks.find(({ key }) => key === 'is_st')!
    expect([0, 1, null].map((value) => cellText(st, value))).toEqual(['', 'ST', '—'])
  })
  it('have ratings and states of a call by their words, in the sets that they belong to', () => {
    const worded = factorsOf([
      { ...meta('rating'), decimals: 0, values: ['AAA', 'AA+'] },
      { ...meta('call_status'), decimals: 0, values: ['none', 'announced'] },
    ])
    const columns = columnsOf('cb', parameters, worded)
    const shown = (set: string) => arrange(columns, marketViews.cb.columnSets, { ...untouched, set }).map(({ key }) => key)
    expect([shown('default'), shown('bond'), shown('call')].map((keys) => keys.slice(1))).toEqual([[], ['rating'], ['call_status']])
    const text = (key: string, value: number | null) => cellText(columns.find((column) => column.key === key) as ScreenColumn, value)
    expect([text('rating', 1), text('rating', null), text('call_status', 0), text('call_status', 1)]).toEqual([
      'AA+',
      '—',
      '无强赎',
      '已公告强赎',
    ])
  })
})

it('a formula heads its column by its own text', () => {
  const long = 'formula: close / ref(close, 5) - 1 + std(close, 20)'
  const parameters = { ...blankParameters('cb'), rank_factors: [newRank('formula: close / 2', 'small'), newRank(long, 'small')] }
  const heads = columnsOf('cb', parameters, factors).filter(({ key }) => key.startsWith('formula'))
  expect(heads.map(({ label }) => label)).toEqual(['close / 2', 'close / ref(close, 5) -…'])
  expect(heads[1]?.title).toBe(long.slice(9))
})

describe('heat', () => {
  const column = (heat: 'signed' | 'small' | 'large' | 'none') => ({
    key: 'x',
    label: '',
    title: '',
    scale: 1,
    decimals: 2,
    width: 1,
    heat,
  })

  it.each([
    ['signed', 0.02, 'heat heat-up-3'],
    ['signed', -0.001, 'heat heat-down-1'],
    ['signed', 0.00001, 'flat'],
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
      undefined,
    ])
    expect(heatClass(column('large'), 95, large)).toBe('heat seq-3')
  })

  it('says what each tint means', () => {
    expect(legendOf({ ...column('small'), decimals: 1 }, [10, 30, 50]).map(({ look, text }) => `${look} ${text}`)).toEqual([
      'seq-1 ≤ 50.0',
      'seq-2 ≤ 30.0',
      'seq-3 ≤ 10.0',
    ])
    expect(legendOf(column('signed'), undefined)[5]).toEqual({ look: 'heat-up-3', text: '≥ +1.5%' })
  })

  it('counts words, the most frequent first', () => {
    expect(countsOf(['电子', '银行', undefined, '银行'])).toEqual([
      ['银行', 2],
      ['电子', 1],
    ])
  })

  it('averages what is there', () => {
    expect(meanOf([1, null, 3])).toBe(2)
    expect(meanOf([null])).toBeNull()
  })
})
