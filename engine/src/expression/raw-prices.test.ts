import { expect, it } from 'vitest'
import { markets } from '../market/index.ts'
import { parsed } from './editing.ts'
import { namesOf } from './names.ts'
import { rawPricesOf, rawPricesText, withAdjusted } from './raw-prices.ts'

const shares = namesOf(markets.stk, new Set(['close', 'open', 'high', 'low', 'pre_close', 'vol', 'adj_factor']))
const bonds = namesOf(markets.cb, new Set(['close', 'close_stk', 'conv_prem', 'adj_factor_stk']))

function found(text: string, names = shares) {
  const read = parsed(text)
  if (!read.ok) throw new Error(read.problem.message)
  return rawPricesOf(read.program, names)
}

it.each([
  { text: 'rsi(close, 6)', instead: 'rsi(adj_close, 6)' },
  { text: 'close / ref(close, 5) - 1', instead: 'adj_close / ref(adj_close, 5) - 1' },
  { text: 'm := ma(收盘价, 20); 收盘价 > m', instead: 'm := ma(adj_close, 20); adj_close > m' },
  { text: 'ts_max(high, 20) - ts_min(low, 20)', instead: 'ts_max(adj_high, 20) - ts_min(adj_low, 20)' },
  { text: 'ts_mean(log(close), 5)', instead: 'ts_mean(log(adj_close), 5)' },
  { text: 'ref(pre_close, 1)', instead: null },
])('$text reads prices as traded over days', ({ text, instead }) => {
  expect(found(text).length).toBeGreaterThan(0)
  expect(withAdjusted(text, found(text))).toBe(instead)
})

it.each([
  ['close < 5', 'a level of the day'],
  ['ts_mean(close / open - 1, 5)', 'a quotient of two prices of a day'],
  ['ts_mean(close * adj_factor, 5)', 'adjusted by hand'],
  ['ts_count(close > open, 5)', 'which of two is higher'],
  ['ma(adj_close, 20) / adj_close', 'adjusted prices'],
  ['atr(14) / close', 'functions of the bar read adjusted bars by themselves'],
  ['ts_mean(vol, 5)', 'no price'],
])('%s does not: %s', (text) => expect(found(text)).toEqual([]))

it('of bonds it is the share that has a factor, and without one nothing is said', () => {
  expect(withAdjusted('pct(close_stk, 5)', found('pct(close_stk, 5)', bonds))).toBe('pct(adj_close_stk, 5)')
  expect(found('pct(close, 5)', bonds)).toEqual([])
  expect(found('rsi(close, 6)', namesOf(markets.stk, new Set(['close'])))).toEqual([])
  expect(rawPricesText(found('rsi(close, 6)'))).toBe('跨日比较未复权的收盘价，除权除息日会被当作涨跌；可改用复权价 adj_close')
  expect(rawPricesText([])).toBeNull()
})
