import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { barOf, bonds, compact, days, lastDay, openStage, plainBond, type Stage, shareOf, shares, type Twist } from './day-stage.ts'
import type { Row } from './tushare-door.ts'

// Dividends lower conversion prices, from May to July of several bonds a day: what a day's check needs is asked before it.

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(() => stage.reset())
afterAll(() => stage.close())

const cents = (price: number) => Math.round(price * 100) / 100
const noRight = '抱歉，您没有接口(cb_price_chg)访问权限，权限的具体详情访问：https://tushare.pro/document/1?doc_id=108。'
const states = (done: readonly { kind: string; step: string; state: string }[]) =>
  done.filter(({ kind }) => kind === 'cb').map(({ step, state }) => `${step} ${state}`)

/** Shares of some bonds pay `cash` on the last day, and their conversion prices go from 10 to `price`. */
function paid(some: readonly string[], cash: number, price: number, told: { dated: Row['x'] | 'no right'; list: string }): Twist {
  const payers = new Set(some.map(shareOf))
  return (api, params, rows) => {
    if (api === 'cb_price_chg' && told.dated === 'no right') return noRight
    if (api === 'cb_price_chg' && told.dated) {
      const dated = some.map((code) => ({
        ...{ ts_code: code, publish_date: String(told.dated), change_date: compact(lastDay), convert_price_initial: '10' },
        ...{ convertprice_bef: '10', convertprice_aft: String(price) },
      }))
      return [...rows, ...dated]
    }
    if (api === 'cb_basic' && told.list <= lastDay)
      return rows.map((row) => (some.includes(String(row['ts_code'])) ? { ...row, conv_price: price } : row))
    if (params['trade_date'] !== compact(lastDay)) return rows
    if (['daily', 'adj_factor', 'daily_basic'].includes(api))
      return rows.map((row) => {
        if (!payers.has(String(row['ts_code']))) return row
        const before = barOf(String(row['ts_code']), days[3]).close!
        const less = Object.fromEntries(['pre_close', 'open', 'high', 'low', 'close'].map((key) => [key, cents(Number(row[key]) - cash)]))
        const amount = (Number(row['amount']) * (Number(row['close']) - cash)) / Number(row['close'])
        return { ...row, ...less, amount, adj_factor: Math.round((2 * before * 10_000) / cents(before - cash)) / 10_000 }
      })
    if (api !== 'cb_daily') return rows
    return rows.map((row) => (some.includes(String(row['ts_code'])) ? valuedAt(row, price, cash) : row))
  }
}

/** A bond's row with the value that a conversion price gives. */
function valuedAt(row: Row, price: number, cash = 0): Row {
  const value = cents((100 / price) * cents(barOf(shareOf(String(row['ts_code'])), lastDay).close! - cash))
  return { ...row, cb_value: value, cb_over_rate: cents((Number(row['close']) / value - 1) * 100) }
}

const two = bonds.slice(5, 7)

describe('two bonds are lowered by a dividend on the same day', () => {
  test.each<[string, Parameters<typeof paid>[3], RegExp | null]>([
    ['told in advance, the list changes on the day', { dated: compact(days[2]), list: lastDay }, null],
    ['told on the day itself', { dated: compact(lastDay), list: lastDay }, null],
    ['told by the list alone', { dated: null, list: lastDay }, /转股价变动没有公告来源/],
    ['without the right to dated prices', { dated: 'no right', list: lastDay }, /转股价变动没有公告来源/],
    [
      'without the right and with a list that lags: by the value and the ex-day',
      { dated: 'no right', list: '9999' },
      /转股价变动没有公告来源/,
    ],
  ])('%s', async (_, told, note) => {
    const done = await stage.run(paid(two, 0.2, 9.8, told), lastDay)
    expect(states(done)[0]).toBe('quotes published')
    for (const code of two) {
      expect(await stage.cell('cb', 'conv_price', code)).toBe(9.8)
      expect(await stage.cell('cb', 'traded', code)).toBe(1)
      expect(await stage.cell('cb', 'conv_value', code)).toBeCloseTo((100 / 9.8) * cents(barOf(shareOf(code), lastDay).close! - 0.2), 1)
    }
    const text = done.find(({ kind, step }) => kind === 'cb' && step === 'quotes')!.text
    if (note) expect(text).toMatch(note)
    else expect(text).not.toMatch(/隔离|推算/)
    expect(text).not.toContain('隔离')
  })

  test('by less than half a percent', async () => {
    await stage.run(paid(two, 0.03, 9.97, { dated: compact(lastDay), list: lastDay }), lastDay)
    expect(await stage.cell('cb', 'conv_price', two[0]!)).toBe(9.97)
  })
})

test('a lowering that only list and value tell is taken, the bond goes on trading', async () => {
  const code = bonds[2]!
  const lowered: Twist = (api, params, rows) => {
    if (api === 'cb_price_chg') return noRight
    if (api === 'cb_basic') return rows.map((row) => (row['ts_code'] === code ? { ...row, conv_price: 8 } : row))
    if (api !== 'cb_daily' || params['trade_date'] !== compact(lastDay)) return rows
    return rows.map((row) => (row['ts_code'] === code ? valuedAt(row, 8) : row))
  }
  await stage.run(lowered, lastDay)
  expect(await stage.cell('cb', 'conv_price', code)).toBe(8)
  expect(await stage.cell('cb', 'traded', code)).toBe(1)
})

test('a value that nothing else speaks for is left out and told; the known price stays, the bar counts', async () => {
  const code = bonds[2]!
  const odd: Twist = (api, _params, rows) =>
    api === 'cb_daily'
      ? rows.map((row) => (row['ts_code'] === code && row['trade_date'] === compact(lastDay) ? valuedAt(row, 8) : row))
      : rows
  const done = await stage.run(odd, lastDay)
  expect(done.find(({ kind }) => kind === 'cb')!.text).toContain('数据源的转股价值与已知转股价不符，未采用')
  const close = barOf(shareOf(code), lastDay).close!
  expect(await stage.cell('cb', 'conv_price', code)).toBe(10)
  expect(await stage.cell('cb', 'conv_value', code)).toBeCloseTo(10 * close, 9)
  expect(await stage.cell('cb', 'close', code)).toBe(barOf(code, lastDay).close)
  expect(await stage.cell('cb', 'traded', code)).toBe(1)
})

test('a new bond without a dated price has the one of the list', async () => {
  const code = '113900.SH'
  const listed: Twist = (api, params, rows) => {
    if (api === 'cb_price_chg') return noRight
    if (api === 'cb_share') return rows.filter((row) => row['ts_code'] !== code)
    if (api === 'cb_basic')
      return [
        ...rows,
        { ...plainBond(code, shares[70]!, compact(lastDay)), maturity_date: '20321029', first_conv_price: 12.34, conv_price: 12.34 },
      ]
    if (api !== 'cb_daily' || params['trade_date'] !== compact(lastDay)) return rows
    const bar = { pre_close: 100, open: 120, high: 140, low: 120, close: 130, vol: 1_000, amount: 125 }
    return [...rows, { ts_code: code, trade_date: compact(lastDay), ...bar, bond_value: null, cb_value: null, cb_over_rate: null }]
  }
  await stage.run(listed, lastDay)
  expect(await stage.cell('cb', 'conv_price', code)).toBe(12.34)
  const value = (100 / 12.34) * barOf(shares[70]!, lastDay).close!
  expect(await stage.cell('cb', 'conv_value', code)).toBeCloseTo(value, 9)
  expect(await stage.cell('cb', 'conv_prem', code)).toBeCloseTo(130 / value - 1, 9)
})

test('a day that is refused still asks what may repair it, and is made again in the same round', async () => {
  let isEvening = false
  // At first the prices do not come, and what the values say is of no use: more rows than may be put aside.
  const many = bonds.slice(0, 6)
  const broken: Twist = (api, params, rows) => {
    // The repair asks for the prices of all.
    if (api === 'cb_price_chg') isEvening ||= params['ts_code']?.split(',').length === bonds.length
    if (api === 'cb_price_chg')
      return isEvening
        ? [
            ...rows,
            ...many.map((code) => ({
              ts_code: code,
              publish_date: compact(days[3]),
              change_date: compact(lastDay),
              convertprice_aft: '8',
            })),
          ]
        : rows
    if (api !== 'cb_daily' || params['trade_date'] !== compact(lastDay)) return rows
    return rows.map((row) => {
      if (!many.includes(String(row['ts_code']))) return row
      const { cb_value: _, ...others } = valuedAt(row, 8)
      return { ...others, cb_value: null }
    })
  }
  const done = await stage.run(broken, lastDay, { steps: ['quotes'] })
  expect(states(done)).toEqual(['quotes refused', 'events published'])
  // Sizes cost a call a bond and repair nothing: they are asked for in the evening.
  expect(stage.calls.filter((call) => /^cb_share /.test(call))).toEqual([])
  expect(await stage.cell('cb', 'conv_price', many[0]!)).toBe(8)
  const rows = await stage.db
    .selectFrom('ingest_step')
    .select(['step', 'state'])
    .where('market', '=', 'cb')
    .where('day', '=', lastDay)
    .execute()
  expect(rows.map(({ step, state }) => `${step} ${state}`).sort()).toEqual(['events published', 'quotes published'])
})

test('rows without a trade of bonds that ended years ago are no rows, with or without their end in the list', async () => {
  const gone = ['128016.SZ', '128055.SZ']
  const dead: Twist = (api, params, rows) => {
    if (api === 'cb_basic')
      return [
        ...rows,
        ...gone.map((code, i) => ({
          ...plainBond(code, shares[60 + i]!, '20171220'),
          delist_date: i ? '20200403' : null,
          maturity_date: '20231130',
        })),
      ]
    if (api !== 'cb_daily' || params['trade_date'] !== compact(lastDay)) return rows
    const bar = { pre_close: 100, open: null, high: null, low: null, close: 100, cb_value: 90, cb_over_rate: 11 }
    return [
      ...rows,
      ...gone.map((code, i) => ({ ts_code: code, trade_date: compact(lastDay), ...bar, vol: i ? 0 : null, amount: i ? 0 : null })),
    ]
  }
  const done = await stage.run(dead, lastDay)
  expect(states(done)[0]).toBe('quotes published')
  expect(done.find(({ kind }) => kind === 'cb')!.text).not.toContain('隔离')
  expect((await stage.securities('cb')).map(({ code }) => code)).not.toContain(gone[0])
  // Of a bond that ended, a row without a trade makes no day either.
  await stage.reset()
  const ended: Twist = (api, params, rows) => {
    if (api === 'cb_basic') return rows.map((row) => (row['ts_code'] === bonds[3] ? { ...row, delist_date: compact(lastDay) } : row))
    if (api !== 'cb_daily' || params['trade_date'] !== compact(lastDay)) return rows
    return rows.map((row) =>
      row['ts_code'] === bonds[3] ? { ...row, open: 110, high: 110, low: 110, close: 110, vol: 0, amount: 0 } : row,
    )
  }
  expect((await stage.run(ended, lastDay)).find(({ kind }) => kind === 'cb')!.text).not.toContain('隔离')
  expect(await stage.cell('cb', 'listed', bonds[3]!)).toBe(0)
})

test('two new bonds that the list does not have yet are put aside; the market’s day is published', async () => {
  const fresh: Twist = (api, params, rows) =>
    api === 'cb_daily' && params['trade_date'] === compact(lastDay)
      ? [...rows, ...['113901.SH', '113902.SH'].map((code) => ({ ...rows[0]!, ts_code: code, cb_value: null, cb_over_rate: null }))]
      : rows
  const done = await stage.run(fresh, lastDay)
  expect(done.find(({ kind }) => kind === 'cb')!.text).toContain('证券列表中没有这个代码，2 处')
  expect(states(done)[0]).toBe('quotes published')
})

test('a bond whose row comes later than the others is asked for its price before that row is judged, and it alone; a new one for its size too', async () => {
  const [late, fresh] = [bonds[5]!, '113900.SH']
  const about = { ...plainBond(fresh, shares[70]!, compact(lastDay)), maturity_date: '20321029', first_conv_price: 12.5, conv_price: 12.5 }
  const bar = { pre_close: 100, open: 120, high: 140, low: 118, close: 130, vol: 1_000, amount: 125, cb_value: null, cb_over_rate: null }
  /** The value says that the price was lowered; the list has not heard of it. */
  const told =
    (isLate: boolean): Twist =>
    (api, params, rows) => {
      if (api === 'cb_basic') return [...rows, about]
      if (api === 'cb_price_chg') {
        const changed = { ts_code: late, publish_date: compact(lastDay), change_date: compact(lastDay), convert_price_initial: '10' }
        return [...rows, { ...changed, convertprice_bef: '10', convertprice_aft: '8' }].filter((row) =>
          params['ts_code']?.includes(String(row['ts_code'])),
        )
      }
      if (api !== 'cb_daily' || params['trade_date'] !== compact(lastDay)) return rows
      if (!isLate) return rows.filter((row) => row['ts_code'] !== late)
      return [
        ...rows.map((row) => (row['ts_code'] === late ? valuedAt(row, 8) : row)),
        { ts_code: fresh, trade_date: compact(lastDay), ...bar },
      ]
    }
  await stage.run(told(false), lastDay, { steps: ['quotes'] })
  await stage.round(told(false), 'events', `${lastDay}T18:00`)
  await stage.round(told(false), 'statements', `${lastDay}T20:00`)
  await stage.round(told(true), 'morning', '2026-11-23T08:45')
  expect(stage.calls.filter((call) => call.startsWith('cb_price_chg'))).toEqual([expect.stringContaining(`ts_code=${late},${fresh} `)])
  expect(stage.calls.filter((call) => call.startsWith('cb_share'))).toEqual([expect.stringContaining(`ts_code=${fresh} `)])
  expect(await stage.cell('cb', 'conv_price', late)).toBe(8)
  expect(await stage.cell('cb', 'conv_value', late)).toBe(valuedAt({ ...barOf(late, lastDay), ts_code: late }, 8)['cb_value'])
  expect(await stage.cell('cb', 'conv_price', fresh)).toBe(10)
  expect(await stage.cell('cb', 'remain_size', fresh)).toBe(9)
})
