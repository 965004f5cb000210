import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ingestedDays } from '../../src/feeds/ingest/ingest.ts'
import { barOf, bonds, compact, days, lastDay, openStage, plainBond, type Stage, shares, type Twist } from './day-stage.ts'

// Short lists, malformed rows and parts that are refused: what is good of a day stands, and the rest is reported.

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(() => stage.reset())
afterAll(() => stage.close())

const isLast = (params: Readonly<Record<string, string>>) => params['trade_date'] === compact(lastDay)

test('a list that lacks a fifth of the market takes nobody away, and is a failure of its source', async () => {
  const short: Twist = (api, _params, rows) => (api === 'cb_basic' ? rows.slice(20) : rows)
  const done = await stage.run(short, lastDay)
  expect(done.find(({ kind }) => kind === 'cb')!.text).toContain('的列表缺少 20 只前一交易日还在上市的证券，未采用')
  expect(await stage.cell('cb', 'traded', bonds[0]!)).toBe(1)
  expect(stage.heard.find(({ need, fault }) => need === 'bond-list' && fault)).toMatchObject({ fault: { kind: 'shape' } })
})

test('one unreadable row of each table leaves the others as they are, and is missing', async () => {
  const odd = shares[3]!
  const word: Twist = (api, params, rows) =>
    api === 'daily' && isLast(params) ? rows.map((row) => (row['ts_code'] === odd ? { ...row, close: '更正' } : row)) : rows
  const done = await stage.run(word, lastDay)
  expect(done.map(({ state }) => state)).not.toContain('refused')
  expect(done[0]!.text).toContain(`行情 119/120（缺 ${odd}）`)
  expect(await stage.cell('stk', 'close', shares[4]!)).toBe(barOf(shares[4]!, lastDay).close)
})

test('one odd word of a call loses no other call', async () => {
  const calls: Twist = (api, _params, rows) => {
    if (api !== 'cb_call') return rows
    const call = {
      ts_code: bonds[0]!,
      is_call: '公告实施强赎',
      ann_date: compact(lastDay),
      call_date: '20261215',
      call_price: 100.5,
      call_reg_date: '20261214',
    }
    return [call, { ...call, ts_code: bonds[1]!, is_call: '公告预计满足强赎' }]
  }
  const done = await stage.run(calls, lastDay)
  expect(done.find(({ kind, step }) => kind === 'cb' && step === 'events')!.text).toContain('公告预计满足强赎')
  const facts = await stage.db.selectFrom('known_fact').select('code').where('what', '=', 'call').execute()
  expect(facts).toEqual([{ code: bonds[0] }])
})

test.each(['抱歉，您访问接口(%)频率超限(2次/天)', '接口%不包含字段', '抱歉，您访问接口(%)频率超限(10次/小时)'])(
  'a part that is refused keeps no bars back, and is not asked again at once: %s',
  async (words) => {
    const refused: Twist = (api, params, rows) => (api === 'daily_basic' && isLast(params) ? words.replace('%', api) : rows)
    const done = await stage.run(refused, lastDay)
    expect(done.map(({ state }) => state)).not.toContain('waiting')
    expect(done[0]!.text).toContain(words.replace('%', 'daily_basic'))
    expect(stage.calls.filter((call) => call.startsWith('daily_basic'))).toHaveLength(1)
    expect(await stage.cell('stk', 'total_mv', shares[0]!)).toBeCloseTo(barOf(shares[0]!, lastDay).close! * 10, 6)
  },
)

test('a market cap of 0 is absent, and made of the close', async () => {
  const zero: Twist = (api, params, rows) =>
    api === 'daily_basic' && isLast(params)
      ? rows.map((row) => (row['ts_code'] === shares[3] ? { ...row, total_mv: 0, circ_mv: 0, total_share: 0, float_share: 0 } : row))
      : rows
  await stage.run(zero, lastDay)
  expect(await stage.cell('stk', 'total_mv', shares[3]!)).toBeCloseTo(barOf(shares[3]!, lastDay).close! * 10, 6)
})

test('what a list has a day late fills the day before too: the new bond, its share and what hangs on it', async () => {
  const early = await openStage(3)
  try {
    const [code, share] = ['113900.SH', shares[70]!]
    const about = { ...plainBond(code, share, compact(days[3])), maturity_date: '20321029', first_conv_price: 12.5, conv_price: 12.5 }
    const fresh =
      (isListed: boolean): Twist =>
      (api, params, rows) => {
        if (api === 'cb_basic') return isListed ? [...rows, about] : rows
        if (api === 'cb_price_chg') return rows.filter((row) => row['ts_code'] !== code)
        const day = days.find((each) => compact(each) === params['trade_date'])
        if (api !== 'cb_daily' || day === undefined || day < days[3]) return rows
        const bar = {
          pre_close: 100,
          open: 120,
          high: 140,
          low: 118,
          close: 130,
          vol: 1_000,
          amount: 125,
          cb_value: null,
          cb_over_rate: null,
        }
        return [...rows, { ts_code: code, trade_date: compact(day), ...bar, pre_close: day === days[3] ? 100 : 130 }]
      }
    early.deps.turnTo(`${days[3]}T16:30:00+08:00`)
    const first = await early.run(fresh(false), days[3])
    expect(first.find(({ kind }) => kind === 'cb')!.text).toContain('证券列表中没有这个代码')
    expect(await early.cell('cb', 'close', code, days[3])).toBeUndefined()
    early.deps.turnTo(`${lastDay}T16:30:00+08:00`)
    await early.run(fresh(true), lastDay)
    expect(await early.cell('cb', 'close', code, lastDay)).toBe(130)
    expect(await early.cell('cb', 'close', code, days[3])).toBe(130)
    expect(await early.cell('cb', 'close_stk', code, days[3])).toBe(barOf(share, days[3]).close)
    expect((await early.securities('cb')).find((security) => security.code === code)).toMatchObject({ stockCode: share, issuer: share })
  } finally {
    await early.close()
  }
})

test('what is learned of a security fills all days that were published of sources, however many', async () => {
  const many = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2026, 7, 1 + i)).toISOString().slice(0, 10))
  const rowsOn = (state: 'published' | 'held', on: readonly string[]) =>
    on.map((day) => ({ market: 'cb' as const, day, step: 'quotes' as const, state, answers: '[]', report: '', tries: 1 }))
  await stage.db
    .insertInto('ingest_step')
    .values([...rowsOn('published', many.slice(1)), ...rowsOn('held', many.slice(0, 1))])
    .execute()
  try {
    expect(await ingestedDays(stage.db, 'cb', '2026-01-01', days[1])).toEqual([...many.slice(1), days[0]])
  } finally {
    await stage.db.deleteFrom('ingest_step').where('day', '<', days[0]).execute()
  }
})

test('days before are made again of what is learned behind the day itself, so that no market waits for them', async () => {
  const early = await openStage(2)
  try {
    // A share that was listed long ago and has its first row today.
    const resumed = '605999.SH'
    const learn: Twist = (api, params, rows) => {
      const isToday = params['trade_date'] === compact(days[2])
      if (api === 'stock_basic' ? rows.length === 0 : !isToday || !['daily', 'adj_factor', 'daily_basic'].includes(api)) return rows
      return [...rows, { ...rows[0]!, ts_code: resumed }]
    }
    // The list of the day is asked for anew.
    await early.reset()
    const done = await early.run(learn, days[2])
    const before = [days[0], days[1]]
    expect(done.map(({ kind, day, step, state }) => `${kind} ${day} ${step} ${state}`)).toEqual([
      `stk ${days[2]} quotes published`,
      `cb ${days[2]} quotes published`,
      `cb ${days[2]} events unchanged`,
      ...before.map((day) => `stk ${day} quotes published`),
      ...before.map((day) => `cb ${day} quotes unchanged`),
    ])
    expect(await early.cell('stk', 'listed', resumed, days[0])).toBe(1)
  } finally {
    await early.close()
  }
})
