import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../../test/fixtures/market/small-market.ts'
import { chain } from '../chain.ts'
import { type Feed, FeedError } from '../feed.ts'
import type { Quotes } from '../rows.ts'
import { isWanted, type QuotePollerDeps, tick, watchedCodes } from './quote-poller.ts'
import { keepTape, newestStamp, type QuoteSnapshot, readTape, type Stamp, taped } from './quote-store.ts'

let database: TestDatabase
let dataDir: string

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-ticker-'))
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() => database.db.deleteFrom('live_quotes').execute())

/** 2024-06-18 is a trading day. */
const at = (time: string, date = '2024-06-18') => Date.parse(`${date}T${time}+08:00`)

function quotes(rows: Record<string, [close: number, madeAt: number]>, date = '2024-06-18'): Quotes {
  const codes = Object.keys(rows).sort()
  const closes = Float64Array.from(codes, (code) => rows[code]![0])
  return { date, codes, columns: new Map([['close', closes]]), madeAt: Float64Array.from(codes, (code) => rows[code]![1]) }
}

const closesOf = ({ codes, columns }: QuoteSnapshot) => Object.fromEntries(codes.map((code, i) => [code, columns.get('close')![i]]))

describe('quotes of one day over those before', () => {
  const ten = at('10:00:00')

  test('of each code the newer; who is not quoted any more keeps the last price', () => {
    const first = taped(null, quotes({ 'A.SH': [1, ten], 'B.SH': [2, ten] }), ten)
    const next = taped(first, quotes({ 'A.SH': [1.1, ten + 3_000] }), ten + 3_000)
    expect(closesOf(next)).toEqual({ 'A.SH': 1.1, 'B.SH': 2 })
    expect([...next.madeAt]).toEqual([ten + 3_000, ten])
    expect(closesOf(taped(next, quotes({ 'A.SH': [0.9, ten] }), ten + 6_000))).toEqual({ 'A.SH': 1.1, 'B.SH': 2 })
  })

  test('what was made on another day is not of this one', () => {
    const yesterday = at('15:00:00', '2024-06-17')
    expect(taped(null, quotes({ 'A.SH': [1, yesterday], 'B.SH': [2, ten] }), ten).codes).toEqual(['B.SH'])
    const old = taped(null, quotes({ 'A.SH': [1, yesterday] }, '2024-06-17'), yesterday)
    expect(taped(old, quotes({ 'B.SH': [2, ten] }), ten).codes).toEqual(['B.SH'])
  })

  test('who does not say when has them from now', () => {
    expect([...taped(null, quotes({ 'A.SH': [1, Number.NaN] }), ten).madeAt]).toEqual([ten])
  })
})

test('a tape comes back as it was kept, and the newest stands for all before', async () => {
  const { db } = database
  expect(await readTape(db)).toBeNull()
  const first = taped(null, quotes({ '000300': [3_600, at('10:00:00')], 'A.SH': [1, at('10:00:01')] }), at('10:00:02'))
  await keepTape(db, first, 'sina')
  const kept = await readTape(db)
  expect(kept).toMatchObject({ tape: first, stamp: { date: '2024-06-18', quotedAt: new Date(at('10:00:01')), source: 'sina' } })
  await keepTape(db, taped(first, quotes({ 'A.SH': [2, at('10:00:05')] }), at('10:00:06')), 'tencent')
  const newer = await newestStamp(db)
  expect(newer!.seq).toBeGreaterThan(kept!.stamp.seq)
  expect(newer).toMatchObject({ source: 'tencent', quotedAt: new Date(at('10:00:05')) })
})

test.each([
  { time: '08:59:00', none: false, old: false },
  { time: '09:16:00', none: true, old: true },
  { time: '10:00:00', none: true, old: true },
  { time: '12:00:00', none: true, old: true, fresh: '11:30:00' },
  { time: '14:59:00', none: true, old: true },
  { time: '15:10:00', none: true, old: true, fresh: '15:00:02' },
  { time: '18:00:00', none: false, old: false },
  // Some have their last price at the end already, others seconds later.
  { time: '11:30:30', none: true, old: true, soon: '11:30:00' },
  { time: '15:00:05', none: true, old: true, soon: '15:00:02' },
])('at $time quotes are asked for while there may be newer ones', ({ time, none, old, fresh, soon }) => {
  const now = new Date(at(time))
  const made = (moment: number) => taped(null, quotes({ 'A.SH': [1, moment] }), moment)
  expect(isWanted(null, now)).toBe(none)
  expect(isWanted(made(at('09:30:05')), now)).toBe(old)
  if (fresh) expect(isWanted(made(at(fresh)), now)).toBe(false)
  if (soon) expect(isWanted(made(at(soon)), now)).toBe(true)
  expect(isWanted(null, new Date(at(time, '2024-06-16')))).toBe(false)
})

const deps = (answer: () => Quotes, now = at('10:00:10')): QuotePollerDeps => ({
  ...{ db: database.db, dataDir, now: () => new Date(now) },
  chain: {
    ask: (async () => ({ answer: answer(), from: 'tencent', passed: [], check: null })) as QuotePollerDeps['chain']['ask'],
  },
})
const never = new AbortController().signal

test('a source that is lost leaves the last quotes with their time, and its return brings newer ones', async () => {
  const told = await tick(
    deps(() => quotes({ 'A.SH': [1, at('10:00:09')] })),
    ['A.SH'],
    null,
    never,
  )
  const lost = deps(() => {
    throw new FeedError('network', '腾讯行情没有应答')
  })
  expect(await tick(lost, ['A.SH'], told as QuoteSnapshot, never)).toBeInstanceOf(FeedError)
  expect(await newestStamp(database.db)).toMatchObject({ quotedAt: new Date(at('10:00:09')) })
  await tick(
    deps(() => quotes({ 'A.SH': [2, at('10:05:00')] }), at('10:05:01')),
    ['A.SH'],
    told as QuoteSnapshot,
    never,
  )
  expect(await newestStamp(database.db)).toMatchObject({ quotedAt: new Date(at('10:05:00')) })
})

test('on the day on which a code changes the new one is asked for, and quoted as what is stored', async () => {
  const asked: (readonly string[])[] = []
  const answering = deps(() => quotes({ '920017.BJ': [7, at('10:00:09')], 'A.SH': [1, at('10:00:09')] }))
  const ask = ((need: 'quotes', given: { codes: readonly string[] }, how: never) => {
    asked.push(given.codes)
    return answering.chain.ask(need, given, how)
  }) as QuotePollerDeps['chain']['ask']
  const told = await tick({ ...answering, chain: { ask } }, ['430017.BJ', 'A.SH'], null, never, new Map([['430017.BJ', '920017.BJ']]))
  expect(asked).toEqual([['920017.BJ', 'A.SH']])
  expect(closesOf(told as QuoteSnapshot)).toEqual({ '430017.BJ': 7, 'A.SH': 1 })
})

test('an answer of another day is not kept', async () => {
  const yesterday = () => quotes({ 'A.SH': [1, at('15:00:00', '2024-06-17')] }, '2024-06-17')
  expect(await tick(deps(yesterday), ['A.SH'], null, never)).toBeNull()
  expect(await newestStamp(database.db)).toBeNull()
})

test('bonds, their stocks and shares of real data are watched; demo data are not', async () => {
  const { db } = database
  const codes = watchedCodes({ db, dataDir })
  await publishSmallMarket(db, dataDir, { kind: 'stk', from: '2024-01-02', to: '2024-01-31', securities: 3 })
  expect(await codes()).toEqual([])
  await publishSmallMarket(db, dataDir, { kind: 'cb', from: '2024-01-02', to: '2024-01-31', securities: 2, real: true })
  // The issuers of a made-up market have no codes of an exchange.
  expect(await codes()).toEqual(['110901.SH', '123901.SZ', 'S0', 'S1'])
})

test('a day of two sources, of which one dies and then both: the newest of who lives, and the last prices with their time', async () => {
  let now = at('09:10:00')
  const dead = new Set<string>()
  /** Prices are the minute of the day, so that a price tells when it was made. */
  const source = (name: string): Feed => ({
    name,
    label: name,
    offers: {
      quotes: async () => {
        if (dead.has(name)) throw new FeedError('network', `${name}没有应答`)
        const price = now < at('13:00:00') ? Math.min(now, at('11:30:00')) : Math.min(now, at('15:00:00'))
        return quotes({ 'A.SH': [price / 60_000 - at('00:00:00') / 60_000, price], 'B.SH': [2, price] })
      },
    },
  })
  const both: QuotePollerDeps = {
    ...{ db: database.db, dataDir, now: () => new Date(now) },
    chain: chain([source('tencent'), source('sina')], () => now),
  }
  const deaths: readonly (readonly [from: string, ...names: string[]])[] = [
    ['10:00', 'tencent'],
    ['11:00'],
    ['13:30', 'tencent', 'sina'],
    ['13:50'],
  ]
  let tape: QuoteSnapshot | null = null
  const seen = new Map<string, Stamp | null>()
  for (; now <= at('15:30:00'); now += 120_000) {
    const clock = new Date(now + 8 * 3_600_000).toISOString().slice(11, 16)
    const [, ...names] = deaths.findLast(([from]) => clock >= from) ?? ['']
    dead.clear()
    for (const name of names) dead.add(name)
    if (isWanted(tape, new Date(now))) {
      const told = await tick(both, ['A.SH', 'B.SH'], tape, never)
      tape = told instanceof FeedError ? tape : (told ?? tape)
    }
    seen.set(clock, await newestStamp(database.db))
  }
  const when = (clock: string) => {
    const stamp = seen.get(clock)
    return stamp && [new Date(stamp.quotedAt.getTime() + 8 * 3_600_000).toISOString().slice(11, 16), stamp.source]
  }
  expect(when('09:14')).toBeNull()
  expect(when('09:16')).toEqual(['09:16', 'tencent'])
  expect(when('10:30')).toEqual(['10:30', 'sina'])
  // A source that has left three questions without an answer is asked again a minute later, and believed.
  expect(when('11:04')).toEqual(['11:04', 'tencent'])
  // Over lunch the last ones of the morning stay.
  expect(when('12:30')).toEqual(['11:30', 'tencent'])
  expect(when('13:28')![0]).toBe('13:28')
  expect(when('13:48')![0]).toBe('13:28')
  expect(when('13:54')![0]).toBe('13:54')
  expect(when('15:30')![0]).toBe('15:00')
  expect(closesOf(tape!)).toEqual({ 'A.SH': 900, 'B.SH': 2 })
})
