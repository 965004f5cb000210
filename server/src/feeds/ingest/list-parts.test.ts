import { describe, expect, test } from 'vitest'
import { partsRead } from './list-parts.ts'

describe('the parts of a day that a rule reads', () => {
  test.each<[string, 'stk' | 'cb', string[], string[]]>([
    ['a share by its price', 'stk', ['close', 'adj_factor', 'amount'], ['bars', 'factors', 'lists']],
    ['a share by its size', 'stk', ['close', 'adj_factor', 'total_mv'], ['bars', 'factors', 'valuations', 'lists']],
    ['a share by its turnover', 'stk', ['close', 'turnover'], ['bars', 'valuations', 'lists']],
    ['a bond by its price', 'cb', ['close', 'ytm', 'call_status'], ['bars', 'lists', 'announcements']],
    ['a bond by its premium', 'cb', ['close', 'conv_prem'], ['bars', 'prices', 'lists', 'announcements', 'share_bars']],
    ['a bond by its size', 'cb', ['close', 'remain_size'], ['bars', 'sizes', 'lists', 'announcements']],
    [
      'a bond by its share',
      'cb',
      ['close', 'pb', 'adj_factor_stk'],
      ['bars', 'lists', 'announcements', 'share_factors', 'share_valuations'],
    ],
  ])('%s', (_, kind, fields, parts) => {
    expect(partsRead(kind, new Set(fields))).toEqual(parts)
  })
})
