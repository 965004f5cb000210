import { expect, it } from 'vitest'
import { dotted, isStock, prefixed, secid, tushareIndex } from './codes.ts'

it.each(['600519.SH', '688981.SH', '689009.SH', '001872.SZ', '301089.SZ', '430047.BJ', '831010.BJ', '870436.BJ', '920002.BJ'])(
  '%s is a share',
  (code) => expect(isStock(code)).toBe(true),
)

it.each(['899050.BJ', '880005.BJ', '880005.SH', '400001.BJ', '404001.BJ', '820001.BJ', '810010.BJ', '900901.SH', '200002.SZ', '920002.SH'])(
  '%s is none: an index, a preferred, directed, delisted or B share',
  (code) => expect(isStock(code)).toBe(false),
)

it.each([
  ['000300', '000300.SH', 'sh000300', '1.000300'],
  ['399006', '399006.SZ', 'sz399006', '0.399006'],
  ['980017', '980017.SZ', 'sz980017', '0.980017'],
  ['899050', '899050.BJ', 'bj899050', '0.899050'],
  ['000832', '000832.CSI', 'sh000832', '1.000832'],
])('the index %s is %s, %s and %s at the sources', (number, tushare, sina, eastmoney) => {
  expect([tushareIndex(number), prefixed(number), secid(number)]).toEqual([tushare, sina, eastmoney])
  expect(dotted(number)).toBe(`${sina.slice(0, 2)}.${number}`)
})
