import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ListPart } from '../../src/db/tables/day-parts.ts'
import type { FollowedNav } from '../../src/db/tables/stored-glance.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import { dayTable, readings } from '../../src/feeds/source/columns.ts'
import { newestSnapshot } from '../../src/market/snapshot.ts'
import { newestNote } from '../../src/quant/open-parts.ts'
import { recordWaiting } from '../../src/strategy/followed-days.ts'
import { trackingOf } from '../../src/strategy/tracking.ts'
import { newUser } from '../fixtures/processes.ts'
import {
  barOf,
  bonds,
  days,
  evening,
  isLast,
  lastDay,
  openStage,
  type Stage,
  shareOf,
  shares,
  stageReadings,
  type Twist,
} from './day-stage.ts'

// Parts of a published day by another source, and what reads a day whose parts are open.

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(() => stage.reset())
afterAll(() => stage.close())
const { asked, partsOf, missingIn } = stageReadings(() => stage)

describe('a second source', () => {
  const table = readings('stk', {
    close: 'close',
    open: 'open',
    high: 'high',
    low: 'low',
    pre_close: 'pre_close',
    vol: { column: 'vol', unit: '手' },
    amount: { column: 'amount', unit: '千元' },
  })
  /** BaoStock: no shares of Beijing, no factors, no sizes. */
  const second = (only?: readonly string[]): Feed => ({
    name: 'baostock',
    label: 'BaoStock',
    offers: {
      'stock-day': async ({ date, codes }) => {
        const ours = shares.filter((code) => !code.endsWith('.BJ') && (!only || only.includes(code)) && (!codes || codes.includes(code)))
        const rows = ours.map((code) => ({ code, cell: (column: string) => barOf(code, date)[column] }))
        return { ...dayTable('BaoStock', date, rows, table), suspended: [] }
      },
    },
  })

  test('what it cannot give is asked of the first when that is back; its own cells give way', async () => {
    stage.behind(second())
    const used: Twist = (api) => (api === 'daily' ? '抱歉，您每天最多访问该接口20000次' : [])
    const plain: Twist = (api, params, rows) => (isLast(params) ? used(api, params, rows) : rows)
    const done = await stage.run(plain, lastDay, { steps: ['quotes'] })
    expect(done.map(({ kind, state }) => `${kind} ${state}`)[0]).toBe('stk published')
    const beijing = shares.filter((code) => code.endsWith('.BJ'))
    expect(await partsOf('stk')).toEqual([`bars part 115/120 ${beijing.join(' ')}`, 'factors missing 0/115', 'valuations missing 0/115'])
    expect(await stage.cell('stk', 'total_mv', shares[0]!)).toBeCloseTo(barOf(shares[0]!, lastDay).close! * 10, 6)
    await stage.round(null, 'morning', '2026-11-23T08:45')
    expect(await partsOf('stk')).toEqual([])
    expect(await stage.cell('stk', 'close', beijing[0]!)).toBe(barOf(beijing[0]!, lastDay).close)
    expect(await stage.cell('stk', 'pe_ttm', shares[0]!)).toBeCloseTo(barOf(shares[0]!, lastDay).pe_ttm!, 4)
  })

  test('rows that are odd for three trading days running are an alarm by name, until it ends', async () => {
    const early = await openStage(2)
    try {
      // One does not pass and one cannot be read, with and without a second source; the list does not know the last one.
      const [faulty, unread, alone, unreadAlone, unlisted] = [shares[3]!, shares[4]!, shares.at(-1)!, shares.at(-2)!, '605999.SH']
      early.behind(second([faulty, unread]))
      const wrong: Twist = (api, _params, rows) => {
        if (api !== 'daily') return rows
        const told = rows.map((row) => {
          if (row['ts_code'] === unread || row['ts_code'] === unreadAlone) return { ...row, close: '更正' }
          return row['ts_code'] === faulty || row['ts_code'] === alone ? { ...row, amount: Number(row['amount']) * 10 } : row
        })
        return [...told, { ...told[0]!, ts_code: unlisted }]
      }
      const alarms: string[] = []
      for (const day of days.slice(2)) {
        // A day that is made again is no other day.
        for (const more of [{}, { day }]) {
          const [done] = await early.run(wrong, day, { steps: ['quotes'], kinds: ['stk'], ...more })
          expect([await early.cell('stk', 'close', faulty, day), await early.cell('stk', 'close', unread, day)]).toEqual([
            barOf(faulty, day).close,
            barOf(unread, day).close,
          ])
          alarms.push(/连续 3 个交易日以上被隔离，请核对数据源：([^，\n]+)/.exec(done!.text)?.[1] ?? 'none')
        }
      }
      const named = [faulty, unread, alone, unreadAlone, unlisted].sort().join('、')
      expect(alarms).toEqual(['none', 'none', 'none', 'none', named, named])
      const [ended] = await early.run(null, lastDay, { day: lastDay, kinds: ['stk'], steps: ['quotes'] })
      expect(ended!.text).not.toContain('连续 3 个交易日')
    } finally {
      await early.close()
    }
  })

  test('a row of the first that does not pass gives way to what the second said before', async () => {
    const odd = shares[3]!
    stage.behind(second())
    await stage.run((api, params, rows) => (api === 'daily' && isLast(params) ? [] : rows), lastDay, { steps: ['quotes'], kinds: ['stk'] })
    const broken: Twist = (api, params, rows) =>
      api === 'daily' && isLast(params) ? rows.map((row) => (row['ts_code'] === odd ? { ...row, high: 1 } : row)) : rows
    await stage.round(broken, 'events', evening[0])
    expect(await partsOf('stk')).toEqual([])
    expect(await stage.cell('stk', 'close', odd)).toBe(barOf(odd, lastDay).close)
  })

  test('a row that did not pass is asked of it and taken if it passes', async () => {
    const odd = shares[3]!
    stage.behind(second([odd]))
    const wrong: Twist = (api, params, rows) =>
      api === 'daily' && isLast(params) ? rows.map((row) => (row['ts_code'] === odd ? { ...row, high: 1 } : row)) : rows
    const done = await stage.run(wrong, lastDay, { steps: ['quotes'] })
    expect(done[0]!.text).toContain(`1 行改用 BaoStock 的：${odd}`)
    expect(await stage.cell('stk', 'close', odd)).toBe(barOf(odd, lastDay).close)
    expect(await stage.cell('stk', 'traded', odd)).toBe(1)
    // Its own row once more is no correction.
    await stage.round(wrong, 'events', `${lastDay}T18:00`)
    expect(await stage.cell('stk', 'traded', odd)).toBe(1)
  })
})

test('bonds that wait for their shares do not ask of each what the evening tells', async () => {
  const late: Twist = (api, params, rows) => (api === 'daily' && isLast(params) ? [] : rows)
  const done = await stage.run(late, lastDay, { steps: ['quotes'] })
  expect(done.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['stk waiting', 'cb refused'])
  expect(asked('cb_share')).toBe(0)
})

test('bonds by a lesser source lack the values of the first, which is asked for them again', async () => {
  const table = readings('cb', {
    close: 'close',
    open: 'open',
    high: 'high',
    low: 'low',
    vol: 'vol',
    amount: { column: 'amount', unit: '万元' },
  })
  stage.behind({
    ...{ name: 'eastmoney', label: '东方财富' },
    offers: {
      'bond-day': async ({ date, codes = bonds }) =>
        dayTable(
          '东方财富',
          date,
          codes.map((code) => ({ code, cell: (column) => barOf(code, date)[column] })),
          table,
        ),
    },
  })
  const late: Twist = (api, params, rows) => (api === 'cb_daily' && isLast(params) ? [] : rows)
  await stage.run(late, lastDay, { steps: ['quotes'] })
  expect(await stage.cell('cb', 'close', bonds[0]!)).toBe(barOf(bonds[0]!, lastDay).close)
  expect(await partsOf('cb')).toEqual(['valuations missing 0/40'])
  await stage.round(null, 'events', `${lastDay}T18:00`)
  expect(asked('cb_daily')).toBe(1)
  expect((await partsOf('cb')).filter((part) => part.startsWith('valuations'))).toEqual([])
  expect(await stage.cell('cb', 'pure_value', bonds[0]!)).toBe(95.5)
})

test('of bonds: without a row while the share trades, or with one that was put aside, is missing; values that the source has not yet are open', async () => {
  const [gone, other, odd] = [bonds[0]!, shareOf(bonds[1]!), bonds[2]!]
  const part: Twist = (api, params, rows) => {
    if (!isLast(params)) return rows
    if (api === 'cb_daily')
      return rows
        .filter((row) => row['ts_code'] !== gone && row['ts_code'] !== bonds[1])
        .map((row) => (row['ts_code'] === odd ? { ...row, high: 1 } : row))
    if (api === 'suspend_d') return [{ ts_code: other, suspend_timing: null, suspend_type: 'S' }]
    return ['daily', 'adj_factor', 'daily_basic'].includes(api) ? rows.filter((row) => row['ts_code'] !== other) : rows
  }
  await stage.run(part, lastDay, { steps: ['quotes'] })
  expect(await partsOf('cb')).toContain(`bars part 38/40 ${gone} ${odd}`)
  // A row that was put aside is no suspension either.
  expect(await missingIn('cb')).toEqual({ [lastDay]: [gone, odd] })
})

describe('who reads a day whose parts are open', () => {
  const late: Twist = (api, params, rows) => (api === 'daily_basic' && isLast(params) ? [] : rows)
  const at = (time: string) => ({
    ...{ db: stage.db, config: { dataDir: stage.dataDir } },
    now: () => new Date(`${lastDay}T${time}:00+08:00`),
  })
  const noteAt = async (market: 'stk' | 'cb', time: string) => newestNote(at(time), (await newestSnapshot(stage.db, market))!)

  test('a list names them once their hour is past, of bonds those of their shares too', async () => {
    await stage.run(late, lastDay, { steps: ['quotes'] })
    expect(await noteAt('stk', '16:40')).toBe('11-20 的估值与股本尚未到齐，名单按推算值')
    expect(await noteAt('cb', '16:40')).toBe('11-20 的正股估值与股本尚未到齐，名单按推算值')
    // Nobody has asked in the evening.
    expect(await noteAt('cb', '20:05')).toBe('11-20 的正股估值与股本尚未到齐，名单按推算值；剩余规模、强赎公告尚未到齐，名单按此前已知的')
    await stage.round(null, 'events', `${lastDay}T18:00`)
    await stage.round(null, 'statements', `${lastDay}T20:00`)
    expect([await noteAt('stk', '20:05'), await noteAt('cb', '20:05')]).toEqual([null, null])
    // Shares that no bond converts into are no matter of bonds.
    await stage.reset()
    const beijing: Twist = (api, params, rows) =>
      ['daily', 'adj_factor', 'daily_basic'].includes(api) && isLast(params)
        ? rows.filter((row) => !String(row['ts_code']).endsWith('.BJ'))
        : rows
    await stage.run(beijing, lastDay, { steps: ['quotes'] })
    expect(await noteAt('stk', '16:40')).toContain('行情（缺 920101.BJ、920102.BJ、920103.BJ 等 5 只）尚未到齐，缺行情的沿用最近收盘价')
    expect(await noteAt('cb', '16:40')).toBeNull()
  })

  describe('a followed strategy', () => {
    /** A saved rule that reads some parts, with its glance of the newest data. */
    async function followed(kind: 'stk' | 'cb', reads: readonly ListPart[]) {
      const { id: user } = await newUser(stage.db)
      const id = randomUUID()
      const detail = JSON.stringify({})
      const of = { user_id: user, detail }
      const own = { id, kind, name: id, remark: '', tags: [], factor_versions: '{}', glance_version: 1 }
      await stage.db
        .insertInto('strategy')
        .values({ ...of, ...own })
        .execute()
      await stage.db
        .insertInto('strategy_version')
        .values({ ...of, strategy_id: id, version: 1 })
        .execute()
      /** What a worker keeps when it has refreshed the glance. */
      const refreshed = async (nav: number) => {
        const data_version = (await newestSnapshot(stage.db, kind))!.dataVersion
        const kept: FollowedNav = { dates: [days[3], lastDay], nav: [1, nav], held: ['600101.SH', '600102.SH'], reads }
        await sql`update strategy set glance = ${JSON.stringify({ data_version })}::jsonb, followed = ${JSON.stringify(kept)}::jsonb where id = ${id}`.execute(
          stage.db,
        )
      }
      const tracked = async (time: string) => {
        const { days: recorded = [], waiting } = (await trackingOf(at(time), user, kind, id)) ?? {}
        return {
          waiting,
          recorded: recorded.map(({ date, codes, on_time, open_parts }) => [date, codes.length, on_time, open_parts ?? []]),
        }
      }
      await refreshed(1.1)
      return { refreshed, tracked }
    }
    const onTime = (...open: string[]) => [[lastDay, 2, true, open]]
    const price: readonly ListPart[] = ['bars', 'factors', 'lists']
    const size: readonly ListPart[] = ['bars', 'factors', 'valuations', 'lists']

    test('is recorded when the parts that its rule reads are whole', async () => {
      await stage.run(late, lastDay)
      const [byPrice, bySize] = [await followed('stk', price), await followed('stk', size)]
      expect(await recordWaiting(at('16:40'))).toBe(1)
      expect(await byPrice.tracked('16:40')).toEqual({ waiting: undefined, recorded: onTime() })
      expect(await bySize.tracked('16:40')).toEqual({ waiting: { date: lastDay, parts: ['估值与股本'] }, recorded: [] })
      await stage.round(null, 'events', `${lastDay}T18:00`)
      await bySize.refreshed(1.1)
      expect(await recordWaiting(at('18:10'))).toBe(1)
      expect(await bySize.tracked('18:10')).toEqual({ waiting: undefined, recorded: onTime() })
    })

    test('is recorded at 20:15 whatever is open, which is named, and never written again', async () => {
      await stage.run(late, lastDay)
      const bySize = await followed('stk', size)
      expect(await recordWaiting(at('20:14'))).toBe(0)
      expect(await recordWaiting(at('20:15'))).toBe(1)
      expect(await bySize.tracked('20:15')).toEqual({ waiting: undefined, recorded: onTime('估值与股本') })
      await stage.round(null, 'morning', '2026-11-23T08:45')
      await bySize.refreshed(1.2)
      expect(await recordWaiting(at('23:00'))).toBe(0)
      expect(
        await stage.db.selectFrom('strategy_day').select(['nav', 'open_parts']).where('open_parts', '!=', sql<never>`'{}'`).execute(),
      ).toEqual([{ nav: 1.1, open_parts: ['valuations'] }])
    })

    test('of bonds waits for the announcements of the evening, which may change no number', async () => {
      await stage.run(null, lastDay, { steps: ['quotes'] })
      const bond = await followed('cb', ['bars', 'lists', 'announcements'])
      expect(await recordWaiting(at('16:40'))).toBe(0)
      expect((await bond.tracked('16:40')).waiting).toEqual({ date: lastDay, parts: ['强赎公告'] })
      await stage.round(null, 'events', `${lastDay}T18:00`)
      await bond.refreshed(1.1)
      // Announcements are complete at 20:00.
      expect(await recordWaiting(at('18:10'))).toBe(0)
      const before = (await newestSnapshot(stage.db, 'cb'))!.dataVersion
      await stage.round(null, 'statements', `${lastDay}T20:00`)
      expect((await newestSnapshot(stage.db, 'cb'))!.dataVersion).toBe(before)
      expect(await recordWaiting(at('20:01'))).toBe(1)
      expect(await bond.tracked('20:01')).toEqual({ waiting: undefined, recorded: onTime() })
    })
  })
})
