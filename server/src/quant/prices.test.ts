import { expect, test } from 'vitest'
import { priceProblem } from './prices.ts'

const data = (kind: 'cb' | 'stk', adjust: 'raw' | 'qfq' | 'hfq', ...fields: string[]) => ({
  ref: { kind, snapshotId: '', indexSnapshotId: null, stockSnapshotId: null },
  available: new Set(fields),
  adjust,
})

test.each([
  ['raw prices with their factors', data('stk', 'raw', 'adj_factor'), 'raw', null],
  ['raw prices with their factors', data('stk', 'raw', 'adj_factor'), 'qfq', null],
  ['raw prices with their factors', data('stk', 'raw', 'adj_factor'), 'hfq', null],
  ['raw prices alone', data('stk', 'raw'), 'qfq', null],
  ['adjusted prices', data('stk', 'qfq'), 'qfq', null],
  ['adjusted prices', data('stk', 'qfq'), 'hfq', null],
  ['adjusted prices that came with factors', data('stk', 'hfq', 'adj_factor'), 'raw', '请把价格口径改为后复权'],
  ['bonds, which are not adjusted', data('cb', 'raw'), 'qfq', null],
] as const)('%s: %o taken as %s', (_what, market, asked, refused) => {
  if (refused === null) expect(priceProblem(market, asked)).toBeNull()
  else expect(priceProblem(market, asked)).toContain(refused)
})
