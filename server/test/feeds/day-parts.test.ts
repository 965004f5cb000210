import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newestSnapshot } from '../../src/market/snapshot.ts'
import {
  barOf,
  bonds,
  compact,
  days,
  evening,
  isLast,
  lastDay,
  openStage,
  type Stage,
  shares,
  stageReadings,
  type Twist,
} from './day-stage.ts'

// A day that is published is not finished: missing parts are reported, asked for again, and taken when they come.

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(() => stage.reset())
afterAll(() => stage.close())

const cents = (price: number) => Math.round(price * 100) / 100
const { asked, partsOf, missingIn } = stageReadings(() => stage)

describe('valuations that are not there at 16:30', () => {
  const late: Twist = (api, params, rows) => (api === 'daily_basic' && isLast(params) ? [] : rows)
  const half: Twist = (api, params, rows) => (api === 'daily_basic' && isLast(params) ? rows.slice(60) : rows)
  const share = shares[0]!

  test.each<[string, Twist, string]>([
    ['none of them', late, 'valuations missing 0/120'],
    ['half of them', half, 'valuations part 60/120'],
  ])('%s: sizes are made of the close, and asked for again in the evening', async (_, twist, told) => {
    const done = await stage.run(twist, lastDay, { steps: ['quotes'] })
    expect(done.map(({ state }) => state)).toEqual(['published', 'published'])
    expect((await partsOf('stk')).join()).toContain(told)
    expect(done[0]!.text).toMatch(/未到齐：估值与股本 (0|60)\/120/)
    const [now, before] = [barOf(share, lastDay), barOf(share, days[3])]
    expect(await stage.cell('stk', 'total_mv', share)).toBeCloseTo(now.close! * 10, 6)
    expect(await stage.cell('stk', 'circ_mv', share)).toBeCloseTo(now.close! * 8, 6)
    expect(await stage.cell('stk', 'pe_ttm', share)).toBeCloseTo((before.pe_ttm! * now.close!) / before.close!, 3)
    expect(await stage.cell('cb', 'total_mv', bonds[0]!)).toBeCloseTo(now.close! * 10, 6)
    expect(await stage.round(null, 'events', `${lastDay}T18:00`)).toBeNull()
    expect(asked('daily_basic')).toBe(1)
    expect(await partsOf('stk')).toEqual([])
    expect(await stage.cell('stk', 'pe_ttm', share)).toBeCloseTo(now.pe_ttm!, 4)
    expect(await stage.cell('cb', 'pe_ttm', bonds[0]!)).toBeCloseTo(now.pe_ttm!, 4)
    // What is whole is not asked for again.
    await stage.round(null, 'statements', `${lastDay}T20:00`)
    expect(asked('daily_basic') + asked('daily')).toBe(0)
  })
})

describe('a share without its factor on the day of its split', () => {
  const share = '688101.SH'
  const closeBefore = () => barOf(share, days[3]).close!
  const pre = () => cents(closeBefore() / 2)
  const split =
    (isLate: boolean): Twist =>
    (api, params, rows) => {
      if (!isLast(params)) return rows
      const halved = { pre_close: pre(), open: pre(), high: cents(pre() + 0.2), low: cents(pre() - 0.2), close: cents(pre() + 0.1) }
      const mine = rows.map((row) =>
        row['ts_code'] === share ? { ...row, ...halved, amount: (Number(row['vol']) * (pre() + 0.05)) / 10, adj_factor: 4 } : row,
      )
      return isLate && api === 'adj_factor' ? mine.filter((row) => row['ts_code'] !== share) : mine
    }

  test('it is made of the exchange’s reference price, told, and replaced when it comes', async () => {
    const done = await stage.run(split(true), lastDay)
    expect(done[0]!.text).toContain(`复权因子 119/120（缺 ${share}）`)
    expect(await partsOf('stk')).toContain(`factors part 119/120 ${share}`)
    expect(await stage.cell('stk', 'adj_factor', share)).toBeCloseTo((2 * closeBefore()) / pre(), 9)
    await stage.round(split(false), 'events', `${lastDay}T18:00`)
    expect(asked('adj_factor')).toBe(1)
    expect(await stage.cell('stk', 'adj_factor', share)).toBe(4)
    expect(await partsOf('stk')).toEqual([])
  })

  test('a row that comes days later for its day is taken on a Saturday', async () => {
    await stage.run(split(true), lastDay)
    for (const [which, at] of [
      ['events', `${lastDay}T18:00`],
      ['statements', `${lastDay}T20:00`],
      ['check', '2026-11-21T10:00'],
    ] as const) {
      await stage.round(split(true), which, at)
      expect(await partsOf('stk')).toEqual([`factors part 119/120 ${share}`])
    }
    await stage.round(split(false), 'check', '2026-11-28T10:00')
    expect(await stage.cell('stk', 'adj_factor', share)).toBe(4)
    expect(await partsOf('stk')).toEqual([])
  })
})

test('a factor that never comes for its day is replaced by a later one without an ex-day between', async () => {
  // The share splits on the fourth day; the source has its factor from the fifth on.
  const [share, early] = ['688101.SH', await openStage(3)]
  try {
    const pre = cents(barOf(share, days[2]).close! / 2)
    const halved = (day: string) => {
      const ratio = pre / barOf(share, days[2]).close!
      const { open, close, high, low, pre_close } = barOf(share, day)
      const cut = (price: number) => cents(price * ratio)
      return {
        open: cut(open!),
        close: cut(close!),
        high: cents(high! * ratio + 0.05),
        low: cents(low! * ratio - 0.05),
        pre_close: day === days[3] ? pre : cut(pre_close!),
      }
    }
    const later: Twist = (api, params, rows) => {
      const day = days.find((each) => compact(each) === params['trade_date'])
      if (day === undefined || day < days[3]) return rows
      const mine = rows.map((row) => {
        if (row['ts_code'] !== share) return row
        const ratio = halved(day).close / Number(row['close'])
        return { ...row, ...halved(day), amount: Number(row['amount'] ?? 0) * ratio, adj_factor: 4 }
      })
      return api === 'adj_factor' && day === days[3] ? mine.filter((row) => row['ts_code'] !== share) : mine
    }
    await early.run(later, days[3])
    expect(await early.cell('stk', 'adj_factor', share, days[3])).toBeCloseTo((2 * barOf(share, days[2]).close!) / pre, 9)
    const done = await early.run(later, lastDay)
    expect(done.filter(({ text }) => text.includes('隔离'))).toEqual([])
    expect(await early.cell('stk', 'adj_factor', share, lastDay)).toBe(4)
    expect(await early.cell('stk', 'adj_factor', share, days[3])).toBe(4)
  } finally {
    await early.close()
  }
})

test('shares without a bar and without a suspension are missing, told, and asked for again', async () => {
  const part: Twist = (api, params, rows) =>
    ['daily', 'adj_factor', 'daily_basic'].includes(api) && isLast(params)
      ? rows.filter((row) => !String(row['ts_code']).endsWith('.BJ'))
      : rows
  const missing = shares.filter((code) => code.endsWith('.BJ'))
  const done = await stage.run(part, lastDay)
  expect(done[0]!.text).toContain(`行情 115/120（缺 ${missing.join('、')}）`)
  expect(await partsOf('stk')).toEqual([`bars part 115/120 ${missing.join(' ')}`])
  expect(await stage.cell('stk', 'traded', missing[0]!)).toBe(0)
  // It is stored as what it is, with the price before carried.
  expect(await missingIn('stk')).toEqual({ [lastDay]: missing })
  expect(await stage.cell('stk', 'close', missing[0]!)).toBe(barOf(missing[0]!, days[3]).close)
  await stage.round(null, 'events', `${lastDay}T18:00`)
  expect(await partsOf('stk')).toEqual([])
  expect(await missingIn('stk')).toEqual({})
  expect(await stage.cell('stk', 'close', missing[0]!)).toBe(barOf(missing[0]!, lastDay).close)
  // One that is suspended is not missing.
  await stage.reset()
  const still: Twist = (api, params, rows) =>
    api === 'suspend_d'
      ? [{ ts_code: missing[0]!, suspend_timing: null, suspend_type: 'S' }]
      : api === 'daily' && isLast(params)
        ? rows.filter((row) => row['ts_code'] !== missing[0])
        : rows
  await stage.run(still, lastDay)
  expect(await partsOf('stk')).toEqual([])
  expect(await missingIn('stk')).toEqual({})
  expect(await stage.cell('stk', 'traded', missing[0]!)).toBe(0)
})

test('a suspension that is told in the evening makes of a missing share a suspended one, in another version of the data', async () => {
  const share = shares[0]!
  const without =
    (isTold: boolean): Twist =>
    (api, params, rows) => {
      if (api === 'suspend_d' && isTold) return [{ ts_code: share, suspend_timing: null, suspend_type: 'S' }]
      return ['daily', 'adj_factor', 'daily_basic'].includes(api) && isLast(params) ? rows.filter((row) => row['ts_code'] !== share) : rows
    }
  await stage.run(without(false), lastDay)
  const before = await newestSnapshot(stage.db, 'stk')
  expect(await missingIn('stk')).toEqual({ [lastDay]: [share] })
  await stage.round(without(true), 'events', `${lastDay}T18:00`)
  expect(await missingIn('stk')).toEqual({})
  expect((await newestSnapshot(stage.db, 'stk'))!.dataVersion).not.toBe(before!.dataVersion)
})

test('pages shorter than asked for are read on; where the door says that there is no more, what lacks is told', async () => {
  const short =
    (hasMore: (offset: number) => boolean): Twist =>
    (api, params, rows) => {
      if (!['daily', 'adj_factor', 'daily_basic'].includes(api)) return rows
      const offset = Number(params['offset'])
      return { rows: rows.slice(offset, offset + 100), hasMore: hasMore(offset) }
    }
  await stage.run(
    short((offset) => offset === 0),
    lastDay,
  )
  expect(await partsOf('stk')).toEqual([])
  expect(await stage.cell('stk', 'close', shares.at(-1)!)).toBe(barOf(shares.at(-1)!, lastDay).close)
  await stage.reset()
  const done = await stage.run(
    short(() => false),
    lastDay,
  )
  expect(done[0]!.text).toContain('行情 100/120')
})

test('an open part is asked for once a round, fails none, and is given up after four Saturdays', async () => {
  const never: Twist = (api, params, rows) => (api === 'daily_basic' && isLast(params) ? [] : rows)
  await stage.run(never, lastDay)
  const rounds = ['events', 'statements', 'morning'] as const
  for (const [i, which] of rounds.entries()) {
    expect(await stage.round(never, which, evening[i]!)).toBeNull()
    expect([which, asked('daily_basic')]).toEqual([which, 1])
    // As it is tried again five minutes later, for what else failed.
    await stage.round(never, which, evening[i]!)
    expect([which, asked('daily_basic')]).toEqual([which, 0])
  }
  const ofDay = () => stage.calls.filter((call) => call.startsWith('daily_basic') && call.includes(compact(lastDay))).length
  expect(await partsOf('stk')).toEqual(['valuations missing 0/120'])
  await stage.db
    .updateTable('day_part')
    .set({ asked_at: new Date('2026-12-12T02:00:00Z') })
    .execute()
  await stage.round(never, 'check', '2026-12-19T10:00')
  expect(
    await stage.db
      .selectFrom('day_part')
      .select('closed')
      .where('market', '=', 'stk')
      .where('part', '=', 'valuations')
      .where('day', '=', lastDay)
      .executeTakeFirst(),
  ).toEqual({ closed: true })
  await stage.round(never, 'morning', '2026-12-21T08:45')
  expect(ofDay()).toBe(0)
})

test('an evening and a morning with every part open are forty calls at most, beside those of sizes', async () => {
  const [gone, other] = [shares[2]!, shares[3]!]
  const parts: Twist = (api, params, rows) => {
    if (api === 'cb_basic') return rows.map((row) => (row['ts_code'] === bonds[0] ? { ...row, conv_price: 11 } : row))
    if (!isLast(params)) return api === 'cb_call' ? '接口暂不可用' : rows
    if (api === 'daily_basic') return []
    if (api === 'cb_daily') return rows.filter((row) => row['ts_code'] !== bonds[5])
    const late = { daily: gone, adj_factor: other }[api]
    return rows.filter((row) => row['ts_code'] !== late)
  }
  const calls: string[] = []
  await stage.run(parts, lastDay, { steps: ['quotes'] })
  calls.push(...stage.calls)
  for (const [i, which] of (['events', 'statements', 'morning'] as const).entries()) {
    await stage.round(parts, which, evening[i]!)
    calls.push(...stage.calls)
  }
  const open = [...(await partsOf('stk')), ...(await partsOf('cb'))].map((part) => part.split(' ')[0])
  expect(open).toEqual(['bars', 'factors', 'valuations', 'announcements', 'bars'])
  const counted = calls.map((call) => call.split(' ')[0]!).filter((api) => api !== 'cb_share' && !/_vip$|disclosure/.test(api))
  const times = (api: string) => counted.filter((each) => each === api).length
  expect(
    Object.fromEntries(['daily', 'daily_basic', 'cb_daily', 'cb_price_chg', 'stock_basic', 'cb_basic'].map((api) => [api, times(api)])),
  ).toEqual({
    ...{ daily: 4, daily_basic: 4, cb_daily: 4, cb_price_chg: expect.any(Number) },
    // Once a day, of the three statuses.
    ...{ stock_basic: 3, cb_basic: 1 },
  })
  expect(times('cb_price_chg')).toBeLessThanOrEqual(4)
  expect(counted.length).toBeLessThanOrEqual(40)
})

test('what a limit forbids stays open and says so, and is asked for when the limit is over', async () => {
  const used: Twist = (api, params, rows) => (api === 'adj_factor' && isLast(params) ? '抱歉，您每天最多访问该接口20000次' : rows)
  const [done] = await stage.run(used, lastDay, { steps: ['quotes'] })
  expect(done!.state).toBe('published')
  expect(done!.text).toContain('Tushare 的 adj_factor 今天的次数已用完：“抱歉，您每天最多访问该接口20000次”')
  expect(done!.text).toContain('未到齐：复权因子 0/120')
  for (const [i, which] of (['events', 'statements'] as const).entries()) {
    expect(await stage.round(used, which, evening[i]!)).toBeNull()
    expect(asked('adj_factor')).toBe(0)
    expect(await partsOf('stk')).toEqual(['factors missing 0/120'])
  }
  // Of what has not come nobody is the source.
  const sources = await stage.db
    .selectFrom('day_part')
    .select(['part', 'source'])
    .where('market', '=', 'stk')
    .where('day', '=', lastDay)
    .execute()
  expect(Object.fromEntries(sources.map(({ part, source }) => [part, source]))).toMatchObject({ bars: 'tushare', factors: null })
  const { report } = await stage.db
    .selectFrom('ingest_step')
    .select('report')
    .where('market', '=', 'stk')
    .where('day', '=', lastDay)
    .where('step', '=', 'quotes')
    .executeTakeFirstOrThrow()
  expect(report).toContain('今天的次数已用完')
  await stage.round(null, 'morning', evening[2])
  expect([asked('adj_factor'), await partsOf('stk')]).toEqual([1, []])
})
