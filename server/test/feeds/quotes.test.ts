/** The three that give quotes to everybody: Sina and Tencent in GBK, Eastmoney in columns without names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eastmoney } from '../../src/feeds/eastmoney.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import { sina } from '../../src/feeds/sina.ts'
import type { FeedDeps } from '../../src/feeds/source/feed-deps.ts'
import { type Transport, transport } from '../../src/feeds/source/transport.ts'
import { settledVolume } from '../../src/feeds/source/volume.ts'
import { tencent } from '../../src/feeds/tencent.ts'
import { conforms } from './feed.conformance.ts'
import { groundAt, recorded, rowsOf, whyNoRecords } from './ground.ts'
import { type Asked, type StandIn, standIn } from './stand-in.ts'

const signal = new AbortController().signal

/** 平安银行 and 南银转债 in GBK, which no library here writes. */
const names = { stock: 'c6bdb0b2d2f8d0d0', bond: 'c4cfd2f8d7aad5ae' } as const
const gbk = (line: string) =>
  Buffer.concat(
    line.split(/(\{stock\}|\{bond\})/).map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1] as keyof typeof names | undefined
      return name ? Buffer.from(names[name], 'hex') : Buffer.from(part)
    }),
  )

const book = Array.from({ length: 20 }, (_, i) => i + 1).join(',')
const sinaLine = (code: string, name: string, numbers: string, stamp = '2024-06-18,15:00:03,00') =>
  `var hq_str_${code}="${name},${numbers.split('|')[0]},10.07,10.08,${numbers.split('|')[1]},${book},${stamp}";\n`
const sinaAnswer = [
  sinaLine('sz000001', '{stock}', '10.110,10.100,10.080,10.160,10.040|70065308,707829470.000'),
  // Shanghai's bonds in hands of ten, as told by what was paid.
  sinaLine('sh113050', '{bond}', '112.5,112.884,112.5,113.0,112.0|72426,81479300.000', '2024-06-18,14:59:58,00'),
  sinaLine('sz123075', '{bond}', '0.000,150.0,0.000,0.000,0.000|0,0.000', '2024-06-18,15:00:03,03'),
  'var hq_str_sh999999="";\n',
].join('')

const tencentLine = (code: string, name: string, at: Readonly<Record<number, string>>) => {
  const parts = Array.from({ length: 88 }, (_, i) => at[i] ?? '')
  return `v_${code}="${Object.assign(parts, { 1: name, 2: code.slice(2) }).join('~')}";\n`
}
const tencentStock = {
  ...{ 0: '51', 3: '10.08', 4: '10.10', 5: '10.11', 6: '700653', 30: '20240618161500', 31: '-0.02', 33: '10.16', 34: '10.04' },
  ...{ 35: '10.08/700653/707829470', 37: '70783', 44: '1968.00', 45: '1968.05', 46: '0.48' },
}
const tencentAnswer = [
  tencentLine('sz000001', '{stock}', tencentStock),
  tencentLine('sz123075', '{bond}', { 3: '150.0', 4: '150.0', 5: '0.00', 6: '0', 30: '20240618161500', 35: '150.0/0/0', 37: '0' }),
].join('')

const listed = {
  ...{ f12: '113050', f13: 1, f14: '南银转债', f124: Date.parse('2024-06-18T15:00:00+08:00') / 1_000, f2: 112.5, f5: 72_426 },
  ...{ f6: 81_479_300, f15: 113, f16: 112, f17: 112.5, f18: 112.884, f227: 101.23, f229: 8.05, f235: 9.11, f236: 88.36, f237: 27.31 },
}
const suspended = { ...listed, f12: '123075', f13: 0, f2: '-', f5: '-', f6: '-', f15: '-', f16: '-', f17: '-', f236: '-', f237: '-' }
const listAnswer = (rows: readonly object[], total = rows.length) => JSON.stringify({ rc: 0, data: { total, diff: rows } })
const hosts = (url: string) => ({ listUrls: [url], historyUrl: url, dataUrl: url })

const codes = ['000001.SZ', '113050.SH', '123075.SZ', '999999.SH']
conforms('sina', { make: (url, ask, deps) => sina({ url }, ask, deps), need: 'quotes', ask: { codes }, answer: () => gbk(sinaAnswer) })
conforms('tencent', {
  make: (url, ask, deps) => tencent({ url }, ask, deps),
  need: 'quotes',
  ask: { codes },
  answer: () => gbk(tencentAnswer),
})
conforms('eastmoney', {
  make: (url, ask, deps) => eastmoney(hosts(url), ask, deps),
  need: 'quotes',
  ask: { codes: ['113050.SH'] },
  answer: () => listAnswer([listed]),
})

describe('what they say', () => {
  let provider: StandIn
  let answer: (asked: Asked) => Buffer | string
  beforeAll(async () => {
    provider = await standIn((asked) => answer(asked))
  })
  afterAll(() => provider.close())
  const fresh = (make: (url: string, ask: Transport, deps: FeedDeps) => Feed, script: typeof answer, now?: string) => {
    answer = script
    provider.asked.length = 0
    const deps = groundAt(now)
    return { deps, offers: make(provider.url, transport(deps), deps).offers }
  }

  test('Sina: shares as they are, bonds by what was paid, what has not traded without a row, unknown codes not at all', async () => {
    const { offers } = fresh(
      (url, ask, deps) => sina({ url }, ask, deps),
      () => gbk(sinaAnswer),
    )
    const quotes = await offers.quotes!({ codes }, { signal })
    expect(quotes).toMatchObject({ date: '2024-06-18', codes: ['000001.SZ', '113050.SH'], suspended: ['123075.SZ'] })
    expect(rowsOf(quotes)).toEqual({
      '000001.SZ': { open: 10.11, high: 10.16, low: 10.04, close: 10.08, pre_close: 10.1, vol: 70_065_308, amount: 70_782.947 },
      '113050.SH': { open: 112.5, high: 113, low: 112, close: 112.5, pre_close: 112.884, vol: 72_426, amount: 8_147.93 },
    })
    expect([...quotes.madeAt]).toEqual([Date.parse('2024-06-18T15:00:03+08:00'), Date.parse('2024-06-18T14:59:58+08:00')])
    expect(provider.asked[0]).toMatchObject({
      path: '/list=sz000001,sh113050,sz123075,sh999999',
      headers: { referer: 'https://finance.sina.com.cn/' },
    })
  })

  test('Tencent: hands of a hundred, the exact amount behind two slashes', async () => {
    const { offers } = fresh(
      (url, ask, deps) => tencent({ url }, ask, deps),
      () => gbk(tencentAnswer),
    )
    const quotes = await offers.quotes!({ codes }, { signal })
    expect(quotes).toMatchObject({ date: '2024-06-18', codes: ['000001.SZ'], suspended: ['123075.SZ'] })
    expect(rowsOf(quotes)).toMatchObject({
      '000001.SZ': { open: 10.11, pre_close: 10.1, vol: 70_065_300, amount: 70_782.947, circ_mv: 1_968, pb: 0.48 },
    })
  })

  test('many codes go in batches of eighty', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `6${String(i).padStart(5, '0')}.SH`)
    const { offers } = fresh(
      (url, ask, deps) => tencent({ url }, ask, deps),
      ({ path }) =>
        gbk(
          path
            .slice(3)
            .split(',')
            .map((code) => tencentLine(code, '{stock}', tencentStock))
            .join(''),
        ),
    )
    expect((await offers.quotes!({ codes: many }, { signal })).codes).toHaveLength(200)
    expect(provider.asked.map(({ path }) => path.split(',').length).sort()).toEqual([40, 80, 80])
  })

  test('one malformed row of many is left out, also where it is the only one of its batch', async () => {
    const many = Array.from({ length: 81 }, (_, i) => `6${String(i).padStart(5, '0')}.SH`)
    const odd = 'sh600080'
    const told: string[] = []
    const { offers } = fresh(
      (url, ask, deps) => tencent({ url }, ask, deps),
      ({ path }) => {
        const asked = path.slice(3).split(',')
        return gbk(asked.map((code) => tencentLine(code, '{stock}', code === odd ? { ...tencentStock, 30: '' } : tencentStock)).join(''))
      },
    )
    const quotes = await offers.quotes!({ codes: many }, { signal, tell: (note) => told.push(note) })
    expect(quotes.codes).toEqual(many.slice(0, -1))
    expect(told).toEqual([expect.stringContaining('600080.SH')])
    // All of them odd are another form.
    const all = fresh(
      (url, ask, deps) => tencent({ url }, ask, deps),
      () => gbk(tencentLine('sh600000', '{stock}', { ...tencentStock, 30: '' })),
    )
    await expect(all.offers.quotes!({ codes: ['600000.SH'] }, { signal })).rejects.toMatchObject({ kind: 'shape' })
  })

  test('a row of another day belongs to what has not traded since', async () => {
    const stale = { ...tencentStock, 30: '20240614150000' }
    const lines = [tencentLine('sz000001', '{stock}', tencentStock), tencentLine('sz000002', '{stock}', stale)].join('')
    const { offers } = fresh(
      (url, ask, deps) => tencent({ url }, ask, deps),
      () => gbk(lines),
    )
    const quotes = await offers.quotes!({ codes: ['000001.SZ', '000002.SZ'] }, { signal })
    expect(quotes).toMatchObject({ date: '2024-06-18', codes: ['000001.SZ'], suspended: ['000002.SZ'] })
  })

  test.each<[string, (url: string, ask: Transport, deps: FeedDeps) => Feed, () => Buffer | string]>([
    ['Sina with a line less', (url, ask, deps) => sina({ url }, ask, deps), () => gbk(sinaAnswer.split('\n').slice(1).join('\n'))],
    ['Sina with fewer parts in all', (url, ask, deps) => sina({ url }, ask, deps), () => gbk(sinaAnswer.replaceAll(',10.07,10.08', ''))],
    ['Tencent with fewer parts', (url, ask, deps) => tencent({ url }, ask, deps), () => 'v_sz000001="1~x~000001~10";'],
    [
      'Tencent with the codes of others',
      (url, ask, deps) => tencent({ url }, ask, deps),
      () => gbk(tencentAnswer.replace('~000001~', '~000002~').replace('~123075~', '~123076~')),
    ],
  ])('%s is refused', async (_, make, script) => {
    const { offers } = fresh(make, script)
    await expect(offers.quotes!({ codes }, { signal })).rejects.toMatchObject({ kind: 'shape' })
  })

  test.each<[string, (url: string, ask: Transport, deps: FeedDeps) => Feed, () => Buffer]>([
    ['Sina', (url, ask, deps) => sina({ url }, ask, deps), () => gbk(sinaAnswer.replace(',10.07,10.08', ''))],
    ['Tencent', (url, ask, deps) => tencent({ url }, ask, deps), () => gbk(`${tencentAnswer}v_sh113050="1~x~113050~10";\n`)],
  ])('one malformed row of %s is left out and told, the others count', async (_, make, script) => {
    const { offers } = fresh(make, script)
    const told: string[] = []
    const quotes = await offers.quotes!({ codes }, { signal, tell: (note) => told.push(note) })
    expect([...quotes.codes, ...(quotes.suspended ?? [])]).toHaveLength(2)
    expect(told).toEqual([expect.stringContaining('1 行无法识别')])
  })

  const money = (url: string, ask: Transport, deps: FeedDeps) => eastmoney(hosts(url), ask, deps)

  test('Eastmoney: a list may be an object, a page repeat the border, a dash be nothing; pages go one a second', async () => {
    const page = (asked: Asked) => {
      const first = asked.query.get('pn') === '1'
      const other = { ...suspended, f12: '110059', f13: 1 }
      const rows = Object.fromEntries(
        (first ? [listed, suspended] : [{ ...listed, f6: 81_480_000 }, other]).map((row, i) => [String(i), row]),
      )
      return JSON.stringify({ rc: 0, data: { total: 3, diff: rows } })
    }
    const { deps, offers } = fresh(money, page)
    const quotes = await offers.quotes!({ codes }, { signal })
    expect(quotes).toMatchObject({ date: '2024-06-18', codes: ['000001.SZ', '113050.SH'].slice(1), suspended: ['123075.SZ'] })
    expect(rowsOf(quotes)['113050.SH']).toMatchObject({
      vol: 72_426,
      amount: 8_148,
      conv_price: 9.11,
      conv_prem: 0.2731,
      pure_value: 101.23,
    })
    expect(deps.waits.every((wait) => wait === 1_000)).toBe(true)
    expect(provider.asked[0]?.query.get('fs')).toBe('b:MK0354')
  })

  test('Eastmoney: pages shorter than asked for are read on; rows that moved over a border and are on no page are told', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => ({ ...listed, f12: String(113_000 + i) }))
    const asked = rows.map(({ f12 }) => `${f12}.SH`)
    const pageOf = (size: number, moved: number) => (call: Asked) => {
      const number = Number(call.query.get('pn'))
      const from = (number - 1) * size
      const some = number === 1 ? rows.slice(0, size) : [...rows.slice(from - moved, from), ...rows.slice(from + moved, from + size)]
      return some.length === 0 ? JSON.stringify({ rc: 0, data: null }) : listAnswer(some, rows.length)
    }
    const short = fresh(money, pageOf(50, 0))
    expect((await short.offers.quotes!({ codes: asked }, { signal })).codes).toHaveLength(120)
    const moved = fresh(money, pageOf(100, 2))
    await expect(moved.offers.quotes!({ codes: asked }, { signal })).rejects.toMatchObject({
      kind: 'shape',
      message: '东方财富的列表共 120 行，只给出 118 行',
    })
  })

  test('Eastmoney: columns that have moved by one are not believed', async () => {
    const moved = { ...listed, f235: 88.36, f236: 27.31, f237: 9.11 }
    const { offers } = fresh(money, () => listAnswer([moved]))
    await expect(offers.quotes!({ codes }, { signal })).rejects.toMatchObject({
      kind: 'shape',
      message: '东方财富的转股价、转股价值与溢价率对不上，列的含义可能已改变',
    })
  })

  test('Eastmoney: a word in the place of a number costs its own row', async () => {
    const { offers } = fresh(money, () => listAnswer([listed, { ...listed, f12: '113051', f235: '暂无' }]))
    expect(await offers.quotes!({ codes: ['113050.SH', '113051.SH'] }, { signal })).toMatchObject({
      codes: ['113050.SH'],
      unread: ['113051.SH'],
    })
  })

  test('Eastmoney: an address that is shut out is told so, after every host was asked', async () => {
    answer = () => JSON.stringify({ rc: 102, data: null })
    const other = await standIn(() => listAnswer([listed]))
    const deps = groundAt()
    const settings = { ...hosts(provider.url), listUrls: [provider.url, other.url] }
    const quotes = await eastmoney(settings, transport(deps), deps).offers.quotes!({ codes }, { signal })
    expect(quotes.codes).toEqual(['113050.SH'])
    await other.close()
    const { offers } = fresh(money, () => JSON.stringify({ rc: 102, data: null }))
    await expect(offers.quotes!({ codes }, { signal })).rejects.toMatchObject({ kind: 'network' })
  })

  const bars = (...lines: string[]) => JSON.stringify({ rc: 0, data: { klines: lines } })

  test('Eastmoney: bars are open, close, high, low; Shenzhen may count bonds one by one', async () => {
    const { offers } = fresh(money, ({ query }) =>
      query.get('secid') === '0.123075'
        ? bars('2024-06-18,150.0,151.0,152.0,149.0,20000,3020000.00,2.0,0.67,1.0,3.1')
        : bars('2024-06-18,112.5,112.6,113.0,112.0,72426,81479300.00,0.89,-0.25,-0.284,0.44'),
    )
    const day = await offers['bond-day']!({ date: '2024-06-18', codes: ['113050.SH', '123075.SZ'] }, { signal })
    expect(rowsOf(day)).toEqual({
      '113050.SH': { open: 112.5, close: 112.6, high: 113, low: 112, vol: 72_426, amount: 8_147.93, pre_close: 112.884 },
      '123075.SZ': { open: 150, close: 151, high: 152, low: 149, vol: 2_000, amount: 302, pre_close: 150 },
    })
  })

  test('Eastmoney: another order of a bar is noticed; no bar that day is no row', async () => {
    const wrong = fresh(money, () => bars('2024-06-18,112.5,113.0,112.0,112.6,72426,81479300.00,0.89,-0.25,-0.284,0.44'))
    await expect(wrong.offers['bond-day']!({ date: '2024-06-18', codes: ['113050.SH'] }, { signal })).rejects.toMatchObject({
      kind: 'shape',
    })
    const none = fresh(money, () => JSON.stringify({ rc: 0, data: null }))
    expect((await none.offers['bond-day']!({ date: '2024-06-18', codes: ['113050.SH'] }, { signal })).codes).toEqual([])
  })

  test('Eastmoney: terms of bonds', async () => {
    const bond = {
      ...{ SECUCODE: '113050.SH', SECURITY_NAME_ABBR: '南银转债', CONVERT_STOCK_CODE: '601009', LISTING_DATE: '2021-07-01 00:00:00' },
      ...{ DELIST_DATE: null, VALUE_DATE: '2021-06-15 00:00:00', EXPIRE_DATE: '2027-06-15 00:00:00', RATING: 'AAA' },
      ...{ TRANSFER_START_DATE: '2021-12-21 00:00:00', ACTUAL_ISSUE_SCALE: 200, INITIAL_TRANSFER_PRICE: 10.1, TRANSFER_PRICE: '8.02' },
      ...{ INTEREST_RATE_EXPLAIN: '第一年0.20%、第二年0.40%', REDEEM_CLAUSE: '（1）到期赎回…' },
    }
    const { offers } = fresh(money, () => JSON.stringify({ success: true, result: { pages: 1, data: [bond] } }))
    expect(await offers['bond-list']!({}, { signal })).toMatchObject([
      {
        ...{ code: '113050.SH', stockCode: '601009.SH', listed: '2021-07-01', delisted: null, issueSize: 200, rating: 'AAA' },
        ...{ conversionPrice: 8.02, firstConversionPrice: 10.1, coupons: [0.002, 0.004], remainSize: Number.NaN },
      },
    ])
    const one = { ...bond, SECUCODE: '113052.SH', LISTING_DATE: 'soon' }
    const odd = fresh(money, () => JSON.stringify({ success: true, result: { pages: 1, data: [bond, one] } }))
    expect((await odd.offers['bond-list']!({}, { signal })).map(({ code }) => code)).toEqual(['113050.SH'])
    // Two bonds of a day have changed places between the pages: one is on both, the other on none.
    const page = (pages: number, count: number, ...codes: string[]) =>
      JSON.stringify({ success: true, result: { pages, count, data: codes.map((code) => ({ ...bond, SECUCODE: code })) } })
    const moved = fresh(money, ({ query }) =>
      query.get('pageNumber') === '1' ? page(2, 4, '113050.SH', '113051.SH') : page(2, 4, '113051.SH', '113053.SH'),
    )
    await expect(moved.offers['bond-list']!({}, { signal })).rejects.toMatchObject({
      kind: 'shape',
      message: '东方财富的转债列表共 4 行，只给出 3 行',
    })
    expect(provider.asked[0]?.query.get('sortColumns')).toBe('PUBLIC_START_DATE,SECURITY_CODE')
    const refused = fresh(money, () => JSON.stringify({ success: false, message: '返回数据为空', result: null }))
    await expect(refused.offers['bond-list']!({}, { signal })).rejects.toMatchObject({ kind: 'network' })
  })

  test('Eastmoney: notices of redemptions stand beside their bonds', async () => {
    const bond = { EXPIRE_DATE: '2027-06-15 00:00:00', NOTICE_DATE_SH: null, EXECUTE_PRICE_SH: null }
    const called = { ...bond, SECUCODE: '113051.SH', NOTICE_DATE_SH: '2024-06-12 00:00:00', EXECUTE_PRICE_SH: 100.734 }
    const data = [
      { ...bond, SECUCODE: '113050.SH' },
      { ...called, RECORD_DATE_SH: '2024-07-10 00:00:00' },
      { ...called, SECUCODE: '110059.SH', EXPIRE_DATE: '2024-07-12 00:00:00', EXECUTE_PRICE_SH: 107 },
      { ...called, SECUCODE: '113053.SH', NOTICE_DATE_SH: '2024-05-31 00:00:00' },
    ]
    const { offers } = fresh(money, () => JSON.stringify({ success: true, result: { pages: 1, data } }))
    const june = { from: '2024-06-01', to: '2024-06-30' }
    expect(await offers.calls!(june, { signal })).toEqual([
      { code: '110059.SH', announced: '2024-06-12', status: 'matures', callDate: null, price: 107, registerDate: null },
      { code: '113051.SH', announced: '2024-06-12', status: 'called', callDate: null, price: 100.734, registerDate: '2024-07-10' },
    ])
    // Without the column nobody knows whether one was called.
    const other = fresh(money, () => JSON.stringify({ success: true, result: { pages: 1, data: [{ SECUCODE: '113050.SH' }] } }))
    await expect(other.offers.calls!(june, { signal })).rejects.toMatchObject({ kind: 'shape' })
  })

  const records = { skip: recorded('sina_hq.gbk.txt') === null }
  describe(`recorded answers${records.skip ? ` (skipped: ${whyNoRecords})` : ''}`, records, () => {
    const real = { open: 10.11, high: 10.16, low: 10.04, close: 10.08, pre_close: 10.1, amount: 70_782.947 }

    test('Sina and Tencent say the same of 000001 on 2024-06-18', async () => {
      const one = fresh(
        (url, ask, deps) => sina({ url }, ask, deps),
        () => recorded('sina_hq.gbk.txt')!,
      )
      const first = await one.offers.quotes!({ codes: ['000001.SZ', '999999.SH'] }, { signal })
      const two = fresh(
        (url, ask, deps) => tencent({ url }, ask, deps),
        () => recorded('tencent_qt.gbk.txt')!,
      )
      const second = await two.offers.quotes!({ codes: ['000001.SZ', '999999.SH'] }, { signal })
      expect(rowsOf(first)).toEqual({ '000001.SZ': { ...real, vol: 70_065_308 } })
      expect(rowsOf(second)).toMatchObject({ '000001.SZ': { ...real, vol: 70_065_300 } })
      expect([first.date, second.date]).toEqual(['2024-06-18', '2024-06-18'])
    })

    test('Eastmoney: bonds, whose premium follows; bars; a shut door', async () => {
      // Five rows of it were kept.
      const { data, ...about } = JSON.parse(recorded('eastmoney_clist_cb_MK0354.json')!.toString('utf8'))
      const some = JSON.stringify({ ...about, data: { ...data, total: Object.keys(data.diff).length } })
      const list = fresh(money, () => some, '2023-07-05T16:00:00+08:00')
      const quotes = await list.offers.quotes!({ codes: ['123075.SZ', '113050.SH', '110059.SH'] }, { signal })
      expect(quotes).toMatchObject({ date: '2023-07-05', codes: ['110059.SH', '113050.SH', '123075.SZ'] })
      expect(rowsOf(quotes)['123075.SZ']).toMatchObject({ close: 150.001, conv_price: 15.44, conv_value: 151.3, pure_value: 101.23 })
      const shut = fresh(money, () => recorded('eastmoney_clist_blocked.json')!)
      await expect(shut.offers.quotes!({ codes: ['113050.SH'] }, { signal })).rejects.toMatchObject({ kind: 'network' })
      const kline = fresh(money, () => recorded('eastmoney_kline_day.json')!)
      const day = await kline.offers['index-day']!({ date: '2024-06-14', codes: ['000001'] }, { signal })
      expect(rowsOf(day)).toEqual({ '000001': { open: 10.15, close: 10.18, high: 10.23, low: 9.99 } })
    })
  })
})

test.each([
  // code, volume, amount in yuan, price, ours
  ['113050.SH', 72_426, 81_479_300, 112.5, 72_426],
  ['113050.SH', 724_260, 81_479_300, 112.5, 72_426],
  ['000001.SZ', 700_653, 707_829_470, 10.08, 70_065_300],
  ['000001.SZ', 70_065_308, 707_829_470, 10.08, 70_065_308],
  ['000001.SZ', 0, 0, 10.08, 0],
  // Neither shares nor hands.
  ['000001.SZ', 7_006_530, 707_829_470, 10.08, Number.NaN],
  ['000001.SZ', Number.NaN, 707_829_470, 10.08, Number.NaN],
])('the volume of %s, %f for %f yuan at %f, is %f of ours', (code, volume, amount, price, ours) => {
  expect(settledVolume(code, volume, amount, price)).toBe(ours)
})
