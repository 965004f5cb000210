import { describe, expect, it } from 'vitest'
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
  { text: 'ref(pre_close, 1)', instead: 'ref((pre_close * adj_factor), 1)' },
  { text: 'close / ref(pre_close, 1)', instead: 'adj_close / ref((pre_close * adj_factor), 1)' },
  { text: 'ts_mean(atr_14, 5) / close', instead: 'ts_mean((atr_14 * adj_factor), 5) / adj_close' },
  { text: 'ts_mean(atr(14) + tr(), 5)', instead: 'ts_mean((atr(14) * adj_factor) + (tr() * adj_factor), 5)' },
  { text: 'ts_mean(1 / close, 5)', instead: 'ts_mean(1 / adj_close, 5)' },
  { text: 'ref(close, 1) / ref(close, 5) + vol', instead: 'ref(adj_close, 1) / ref(adj_close, 5) + vol' },
  { text: 'close / open * pct(close, 5)', instead: 'close / open * pct(adj_close, 5)' },
  // A level of the day beside a window keeps its yuan.
  { text: 'close < 5 and rsi(close, 6) < 30', instead: 'close < 5 and rsi(adj_close, 6) < 30' },
  { text: 'open > 3 ? rsi(close, 6) : 0', instead: 'open > 3 ? rsi(adj_close, 6) : 0' },
])('$text reads prices as traded over days', ({ text, instead }) => {
  expect(found(text).length).toBeGreaterThan(0)
  expect(withAdjusted(text, found(text))).toBe(instead)
})

it.each([
  ['close < 5', 'a level of the day'],
  ['ts_mean(close / open - 1, 5)', 'a quotient of two prices of a day'],
  ['ts_mean(close * adj_factor, 5)', 'adjusted by hand'],
  ['ts_sum(close * vol, 5)', 'money, whatever the shares were split into'],
  ['ts_mean(div(close, open, 0), 5)', 'the same quotient as a function'],
  ['ts_count(close > open, 5)', 'which of two is higher'],
  ['ma(adj_close, 20) / adj_close', 'adjusted prices'],
  ['atr(14) / close', 'functions of the bar read adjusted bars by themselves'],
  ['ts_mean(vol, 5)', 'no price'],
])('%s does not: %s', (text) => expect(found(text)).toEqual([]))

describe('prices within own factors', () => {
  const formulas = { level: 'close', strength: 'rsi(close, 6)', twice: '`price` * 2', free: 'close / open - 1', mean: 'ma(adj_close, 5)' }
  const custom = new Map(
    Object.entries(formulas).map(([name, formula]) => [`custom_${name}`, { key: `custom_${name}`, label: name, formula }] as const),
  )
  custom.set('custom_level', { key: 'custom_level', label: 'price', formula: 'close' })
  const names = { ...shares, custom }

  it.each([
    { text: 'custom_strength * 2', told: '收盘价（自定义因子「strength」）', press: null, why: 'its own window' },
    { text: 'ma(custom_level, 5)', told: '收盘价（自定义因子「price」）', press: null, why: 'a window around its price' },
    { text: 'ma(custom_twice, 5)', told: '收盘价（自定义因子「price」）', press: null, why: 'a price two factors deep' },
    {
      text: 'ma(close, 5) / custom_level',
      told: '收盘价、收盘价（自定义因子「price」）',
      press: null,
      why: 'its price meets one of the text',
    },
    {
      text: 'rsi(close, 6) > 70 and custom_strength < 30',
      told: '收盘价、收盘价（自定义因子「strength」）',
      press: 'rsi(adj_close, 6) > 70 and custom_strength < 30',
      why: 'each reads by itself',
    },
  ])('$text: $why', ({ text, told, press }) => {
    expect(rawPricesText(found(text, names))).toBe(`跨日比较未复权的${told}，除权除息日会被当作涨跌；可改用复权价 adj_close`)
    expect(withAdjusted(text, found(text, names))).toBe(press)
  })

  it.each(['custom_level < 5', 'ma(custom_free, 5)', 'ma(custom_mean, 5)'])('%s reads none over days', (text) =>
    expect(found(text, names)).toEqual([]),
  )
})

it('no factor of ours reads raw prices over days', () => {
  for (const market of [markets.stk, markets.cb]) {
    const names = namesOf(market, new Set(market.fields.filter(({ derived }) => !derived).map(({ key }) => key)))
    const wrong = market.factors.filter(({ formula }) => found(formula.replaceAll(/(?<=\b|_)N(?=\b|_)/g, '5'), names).length > 0)
    expect(wrong.map(({ key }) => key)).toEqual([])
  }
})

it('of bonds it is the share that has a factor, and without one nothing is said', () => {
  expect(withAdjusted('pct(close_stk, 5)', found('pct(close_stk, 5)', bonds))).toBe('pct(adj_close_stk, 5)')
  expect(found('pct(close, 5)', bonds)).toEqual([])
  expect(found('rsi(close, 6)', namesOf(markets.stk, new Set(['close'])))).toEqual([])
  expect(rawPricesText(found('rsi(close, 6)'))).toBe('跨日比较未复权的收盘价，除权除息日会被当作涨跌；可改用复权价 adj_close')
  expect(rawPricesText(found('close / ref(pre_close, 1)'))).toBe(
    '跨日比较未复权的收盘价、前收盘价，除权除息日会被当作涨跌；可改用复权价 adj_close，或乘以复权因子 adj_factor',
  )
  expect(rawPricesText([])).toBeNull()
})
