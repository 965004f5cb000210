import { expect, it } from 'vitest'
import { listCoverage } from './list-coverage.ts'

const codes = ['600101.SH', '000101.SZ']

it.each([
  ['stk', 'tushare', 'tushare', { '600999.SH': true, '920197.BJ': false }],
  ['stk', 'baostock', 'baostock', { '600999.SH': true, '920197.BJ': false }],
  // Bars of a source ahead of the list's.
  ['stk', 'baostock', 'tushare', { '600999.SH': false, '920197.BJ': false }],
  ['stk', 'tushare', 'file', { '600999.SH': true }],
  ['stk', 'baostock', 'file', { '600999.SH': true, '920197.BJ': false }],
  ['cb', 'eastmoney', 'tushare', { '113999.SH': false }],
  ['cb', 'eastmoney', 'eastmoney', { '113999.SH': true }],
  ['cb', 'jisilu', 'eastmoney', { '113999.SH': false }],
] as const)(
  '%s: a list of %s beside bars of %s says of codes that it lacks that they are none: %o',
  (kind, listSource, barSource, expected) => {
    const isCovered = listCoverage({ kind, codes, listSource, barSource })
    expect(Object.fromEntries(Object.keys(expected).map((code) => [code, isCovered(code)]))).toEqual(expected)
  },
)
