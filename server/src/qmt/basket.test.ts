import { readFileSync } from 'node:fs'
import type { Basket } from '@convexa/contract'
import { describe, expect, test } from 'vitest'
import { basketOn } from './basket.ts'
import { basketBytes } from './basket-file.ts'
import { lotsFor, warningsOf } from './lots.ts'
import { closesOf, type MarketDay, type Quote } from './market-day.ts'

const lot = { cb: { min: 10, step: 10 }, main: { min: 100, step: 100 }, star: { min: 200, step: 1 }, bse: { min: 100, step: 1 } }

const quote = (code: string, close: number, over: Partial<Quote> = {}): [string, Quote] => [
  code,
  {
    ...{
      code,
      name: `证券${code.slice(0, 6)}`,
      close,
      amount: 5_000,
      size: 5,
      volatility: 0.3,
      callStatus: Number.NaN,
      callCount: Number.NaN,
      callNeed: 15,
    },
    ...{ listed: true, traded: true, lastDay: null, lot: lot.cb, fees: { stampSell: 0, transfer: 0 }, values: new Map(), ...over },
  },
]

const dayOf = (kind: 'cb' | 'stk', ...quotes: [string, Quote][]) =>
  ({ kind, signalDate: '2026-11-20', tradeDate: '2026-11-23', stale: false, quotes: new Map(quotes) }) as unknown as MarketDay

const basket = (day: MarketDay, codes: readonly string[], over: object = {}): Basket =>
  basketOn(day, {
    kind: day.kind,
    list_items: codes.map((code) => ({ code })),
    capital: 10,
    hold_weight_type: 1,
    reserve_cash: 0.02,
    ...over,
  })

const bytesOf = ({ content_base64 }: Basket) => Buffer.from(content_base64, 'base64')
const textOf = (made: Basket) => new TextDecoder('gb18030', { fatal: true }).decode(bytesOf(made))
/** The bytes as they must be: GBK, CRLF, no BOM. */
const golden = (name: string) => readFileSync(new URL(`../../test/golden/${name}`, import.meta.url))

describe('the file, byte for byte', () => {
  test('bonds: header in GBK, CRLF, no BOM, sells first, no name and no price inside', () => {
    const day = dayOf('cb', quote('127056.SZ', 121.5), quote('113050.SH', 108.9), quote('110901.SH', 131.2))
    const made = basket(day, ['127056.SZ', '113050.SH'], { name: '双低10', sell_items: [{ code: '110901.SH', volume: 90 }] })
    expect(made.file_name).toBe('双低10-20261120-basket.csv')
    expect(textOf(made)).toBe(
      '代码,市场,数量,相对权重,方向,指定价,量比\r\n110901,SH,90,0,1,,\r\n127056,SZ,400,0.5,0,,\r\n113050,SH,440,0.5,0,,\r\n',
    )
    expect(bytesOf(made)).toEqual(golden('basket-cb.csv'))
    expect(made.rows.map(({ rank }) => rank)).toEqual([null, 1, 2])
    expect(made.unused_cash).toBe(100_000 - 400 * 121.5 - 440 * 108.9)
  })

  test('stocks: leading zeros stay, STAR and BSE buy single shares above their smallest order', () => {
    const day = dayOf(
      'stk',
      quote('000001.SZ', 11.23, { lot: lot.main }),
      quote('688901.SH', 83.17, { lot: lot.star }),
      quote('839901.BJ', 7.77, { lot: lot.bse }),
    )
    const made = basket(day, ['000001.SZ', '688901.SH', '839901.BJ'])
    expect(textOf(made)).toBe(
      '代码,市场,数量,相对权重,方向,指定价,量比\r\n000001,SZ,2900,0.333333,0,,\r\n688901,SH,392,0.333333,0,,\r\n839901,BJ,4204,0.333333,0,,\r\n',
    )
    expect(bytesOf(made)).toEqual(golden('basket-stk.csv'))
  })

  test.each([
    ['110901.DM', 10],
    ['110901.SH,=cmd', 10],
    ["'110901.SH", 10],
    ['110901.SH', 10.5],
    ['110901.SH', 0],
    ['11090.SH', 10],
  ])('takes no row of %s × %s', (code, volume) => expect(() => basketBytes([{ code, volume, weight: 0.1, side: 'buy' }])).toThrow())

  test('is read back by the reading rule of the terminal’s users: code.market, weight ÷ Σ', () => {
    const day = dayOf('cb', quote('127056.SZ', 121.5), quote('113050.SH', 108.9))
    const [, ...lines] = textOf(basket(day, ['127056.SZ', '113050.SH'], { hold_weight_type: 2 }))
      .trim()
      .split('\r\n')
    const rows = lines.map((line) => line.split(','))
    const sum = rows.reduce((total, row) => total + Number(row[3]), 0)
    expect(rows.map(([code, market, , weight]) => [`${code}.${market}`, Math.round((Number(weight) / sum) * 1_000)])).toEqual([
      ['127056.SZ', 667],
      ['113050.SH', 333],
    ])
  })
})

describe('what falls away', () => {
  test('is told apart: a suspension, and a bar that has not come', () => {
    const still = { traded: false }
    const day = dayOf(
      'cb',
      quote('127056.SZ', 121.5),
      quote('113050.SH', 108.9, still),
      quote('110901.SH', 131.2, { ...still, lacksBar: true }),
    )
    expect(basket(day, ['127056.SZ', '113050.SH', '110901.SH']).dropped.map(({ code, reason }) => [code, reason])).toEqual([
      ['113050.SH', '停牌'],
      ['110901.SH', '缺行情'],
    ])
    expect(warningsOf(day.quotes.get('110901.SH')!)).toEqual(['缺行情，价格为最近收盘价'])
  })

  test('says why, and its money stays', () => {
    const day = dayOf(
      'cb',
      quote('110001.SH', 100, { traded: false }),
      quote('110002.SH', 100, { listed: false }),
      quote('110003.SH', 20_000),
      quote('110004.SH', Number.NaN),
      quote('110005.SH', 100, { lastDay: '2026-11-23' }),
      quote('110006.SH', 100, { callCount: 8 }),
    )
    const made = basket(day, ['110001.SH', '110002.SH', '110003.SH', '110004.SH', '110005.SH', '110006.SH', '110007.SH'])
    expect(made.dropped.map(({ code, reason }) => `${code.slice(0, 6)} ${reason}`)).toEqual([
      '110001 停牌',
      '110002 已退市或未上市',
      '110003 不足一手（10 张约 200,000 元）',
      '110004 没有价格',
      '110005 最后交易日为 2026-11-23',
      '110007 不在行情数据中',
    ])
    expect(made.warnings).toEqual(['证券110006：强赎计数 8/15'])
    expect(made.rows.map(({ code, warnings }) => [code, warnings])).toEqual([['110006.SH', ['强赎计数 8/15']]])
    expect(made.unused_cash).toBe(100_000 - 140 * 100)
  })

  test('a bond that waits for its payment is no holding to sell', () => {
    const day = dayOf(
      'cb',
      quote('110001.SH', 100, { lastDay: '2026-11-20', endKind: 'called' }),
      quote('110002.SH', 100, { lastDay: '2026-11-20', endKind: 'matured' }),
      quote('110003.SH', 100, { lastDay: '2026-11-23', endKind: 'called' }),
      quote('110004.SH', 100),
    )
    const sell_items = ['110001.SH', '110002.SH', '110003.SH'].map((code) => ({ code, volume: 10 }))
    const made = basket(day, ['110004.SH'], { sell_items })
    expect(made.dropped.map(({ code, reason }) => `${code.slice(0, 6)} ${reason}`)).toEqual([
      '110001 最后交易日 2026-11-20 已过，强赎待兑付，不能再卖出',
      '110002 最后交易日 2026-11-20 已过，到期待兑付，不能再卖出',
    ])
    expect(made.rows.map(({ code, side }) => `${code} ${side}`)).toEqual(['110003.SH sell', '110004.SH buy'])
  })

  test('of nothing that can be bought no file is made (24007)', () => {
    expect(() => basket(dayOf('cb', quote('110001.SH', 99_000)), ['110001.SH'])).toThrow('可用资金不足以买入最小单位')
  })

  test('weights above the whole are refused', () => {
    const list_items = [
      { code: '110001.SH', weight: 0.6 },
      { code: '110002.SH', weight: 0.5 },
    ]
    expect(() => basket(dayOf('cb', quote('110001.SH', 100)), [], { list_items })).toThrow('权重合计不能超过 100%')
  })
})

test('random baskets never spend more than there is, and only whole lots', () => {
  const wrong: object[] = []
  let baskets = 0
  let seed = 7
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  for (let round = 0; round < 2_000; round++) {
    const kind = random() < 0.5 ? 'cb' : 'stk'
    const lots = kind === 'cb' ? [lot.cb] : [lot.main, lot.star, lot.bse]
    const count = 1 + Math.floor(random() * 30)
    const quotes = Array.from({ length: count }, (_, i) =>
      quote(`${100_000 + i}.SH`, Math.ceil(random() * 30_000) / 100, {
        lot: lots[i % lots.length]!,
        size: random() * 9,
        volatility: random(),
      }),
    )
    const capital = Math.ceil(random() * 500) / 10
    const over = { capital, hold_weight_type: 1 + Math.floor(random() * 3), reserve_cash: random() < 0.5 ? 0 : 0.02 }
    let made: Basket
    try {
      made = basket(
        dayOf(kind, ...quotes),
        quotes.map(([code]) => code),
        over,
      )
    } catch {
      continue
    }
    if (made.unused_cash < capital * 10_000 * over.reserve_cash - 0.01) wrong.push({ round, made })
    for (const { code, volume } of made.rows) {
      const { min, step } = quotes.find(([one]) => one === code)![1].lot
      if (volume < min || volume % step !== 0) wrong.push({ round, code, volume })
    }
    baskets++
  }
  expect(wrong).toEqual([])
  expect(baskets).toBeGreaterThan(1_500)
})

test.each([
  [10_000, 100, lot.cb, 100],
  [9_999.99, 100, lot.cb, 90],
  [999, 100, lot.cb, 0],
  [0.1 * 100_000, 1, lot.main, 10_000],
  [199 * 50, 50, lot.star, 0],
  [201.5 * 50, 50, lot.star, 201],
  [100, Number.NaN, lot.cb, 0],
])('%s yuan at %s buy whole lots: %j → %s', (money, price, of, volume) => expect(lotsFor(money, price, of)).toBe(volume))

describe('a market of back-adjusted prices', () => {
  const friday = '2026-11-20'
  const monday = '2026-11-23'
  const tape = (date: string, time = '15:00:00') => ({
    ...{ date, codes: ['600001.SH'], madeAt: Float64Array.of(Date.parse(`${date}T${time}+08:00`)) },
    columns: new Map([['close', Float64Array.of(10.5)] as const, ['pre_close', Float64Array.of(9.8)] as const]),
  })

  test.each([
    ['the close, of the same day', tape(friday), [], 10.5, false],
    ['the last price, of the same day before its close', tape(friday, '14:02:03'), [], 10.5, true],
    ['the close before, of the next trading day', tape(monday, '14:49:00'), [], 9.8, false],
    ['that without the ex-day of its own', tape(monday, '14:49:00'), [{ date: monday, cash: 0.5, ratio: 1 }], 20.1, false],
    ['that, whatever other ex-days there are', tape(monday, '09:31:00'), [{ date: friday, cash: 0.5, ratio: 1 }], 9.8, false],
    ['nothing, of a day before', tape('2026-11-19'), [], Number.NaN, false],
    ['nothing, of a later day than the next', tape('2026-11-24'), [], Number.NaN, false],
    ['nothing, without any', null, [], Number.NaN, false],
  ])('is priced by quotes: %s', (_, quotes, exDays, close, isEarly) => {
    const told = closesOf(quotes, friday)
    expect(told({ code: '600001.SH', exDays })).toEqual({ close: close === 20.1 ? expect.closeTo(20.1, 10) : close, isEarly })
    expect(told({ code: '600002.SH' })).toEqual({ close: Number.NaN, isEarly: false })
  })

  test('names a price that was quoted before the close', () => {
    const { rows } = basket(dayOf('stk', quote('600001.SH', 10.5, { lot: lot.main, isEarly: true })), ['600001.SH'])
    expect(rows).toMatchObject([{ volume: 9300, warnings: ['参考价是收盘前的报价'] }])
  })

  test('gives no quantities without a quote, and says why', () => {
    const nameless = quote('600002.SH', Number.NaN, { lot: lot.main, isUnquoted: true })
    const made = basket(dayOf('stk', quote('600001.SH', 10.5, { lot: lot.main }), nameless), ['600001.SH', '600002.SH'])
    expect(made.rows.map(({ code, volume }) => [code, volume])).toEqual([['600001.SH', 4600]])
    expect(made.dropped).toEqual([{ code: '600002.SH', name: '证券600002', reason: '行情是后复权价，没有当日报价，无法换算数量' }])
    expect(() => basket(dayOf('stk', nameless), ['600002.SH'])).toThrow('行情是后复权价，没有当日报价，无法换算数量')
  })
})
