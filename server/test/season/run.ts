/**
 * A season from its first evening to its last morning: the product's adapter, chain, rounds, ingestion and PostgreSQL, driven by a clock of
 * its own, and compared each evening with what was true and what the source had told by then.
 */
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/tables.ts'
import { chain } from '../../src/feeds/chain.ts'
import { ingest } from '../../src/feeds/ingest/ingest.ts'
import { doRound, Incomplete, type Round } from '../../src/feeds/ingest/schedule.ts'
import { transport } from '../../src/feeds/source/transport.ts'
import { tushare } from '../../src/feeds/tushare/tushare.ts'
import { addDays, isTradingDay } from '../../src/market/calendar.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { newestSnapshot, type SnapshotKind, snapshotPath } from '../../src/market/snapshot.ts'
import { groundAt } from '../feeds/ground.ts'
import { answerCall, sendFrom } from '../feeds/tushare-door.ts'
import { token } from '../feeds/tushare-script.ts'
import { makeSeason, type Season, type SeasonSize } from './market.ts'
import { momentOf, seasonTeller, type Table, type Teller } from './teller.ts'

export interface SeasonSeen {
  readonly days: number
  readonly calls: number
  /** Most calls of one api in a minute; calls in the fullest hour of the day. */
  mostPerMinute: number
  mostPerHour: number
  /** Days that a source had by 20:00 and that were not there that evening. */
  readonly late: string[]
  /** Cells that differ from what was true though the source had them by then. */
  readonly wrong: string[]
  /** Parts that are told as open though they came, or as whole though they did not. */
  readonly misjudged: string[]
  readonly lost: string[]
  cells: number
}

const perMinute = 200
const rounds: readonly (readonly [time: string, round: Round])[] = [
  ['08:45', 'morning'],
  ['16:30', 'quotes'],
  ['18:00', 'events'],
  ['20:00', 'statements'],
]
const againMs = 5 * 60_000

export async function runSeason(
  { db, dataDir }: { db: Kysely<Database>; dataDir: string },
  size: SeasonSize,
  onDay: (day: string) => void = () => {},
): Promise<SeasonSeen> {
  const season = makeSeason(size)
  const ground = groundAt(`${season.days[0]}T16:30:00+08:00`)
  const teller = seasonTeller(season, size.seed, ground.now)
  const send = sendFrom((call) => answerCall(call, teller.answer(call)))
  const source = chain([tushare({ url: 'http://tushare', token, perMinute }, transport(ground, {}, send), ground.now)], ground.now)
  const on = { db, dataDir, chain: source, signal: new AbortController().signal, now: () => new Date(ground.now()) }
  const seen: SeasonSeen = {
    days: season.days.length,
    calls: 0,
    mostPerMinute: 0,
    mostPerHour: 0,
    late: [],
    wrong: [],
    misjudged: [],
    lost: [],
    cells: 0,
  }

  await ingest(on, { through: season.days[0]!, from: season.days[0]!, kinds: ['stk', 'cb'], steps: ['quotes', 'events'] })
  const isDone = async (round: Round) =>
    doRound({ ...on, log: () => {} }, round).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Incomplete) return false
        throw error
      },
    )
  /** A round at its time, and every five minutes while it is not complete, until another comes. */
  const roundAt = async (moment: number, round: Round, until: number) => {
    for (let at = moment; at < until; at = Math.max(at + againMs, ground.now())) {
      if (at > ground.now()) ground.turnTo(new Date(at).toISOString())
      if (await isDone(round)) return
    }
  }
  const last = addDays(season.days.at(-1)!, 1)
  for (let day = addDays(season.days[0]!, 1); day <= last; day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    const isOpen = isTradingDay(day) === true && day <= season.days.at(-1)!
    for (const [i, [time, round]] of rounds.entries()) {
      if (weekday === 0 || weekday === 6) continue
      // Behind the season's last day only its morning.
      if (day > season.days.at(-1)! && round !== 'morning') continue
      const next = rounds[i + 1] ? momentOf(day, rounds[i + 1]![0]) : momentOf(day, '23:00')
      await roundAt(momentOf(day, time), round, next)
      if (round === 'statements' && isOpen) await compareEvening({ db, dataDir, season, teller, at: momentOf(day, '20:00'), seen }, day)
    }
    if (weekday === 6) await roundAt(momentOf(day, '10:00'), 'check', momentOf(day, '10:01'))
    if (isOpen) onDay(day)
  }
  countCalls(teller, seen)
  return { ...seen, calls: teller.calls.length }
}

/** What was said last of a day's bars. */
async function reportOf(db: Kysely<Database>, market: SnapshotKind, day: string): Promise<string> {
  const row = await db
    .selectFrom('ingest_step')
    .select('report')
    .where('market', '=', market)
    .where('day', '=', day)
    .where('step', '=', 'quotes')
    .executeTakeFirst()
  return row?.report.replaceAll('\n', ' ') ?? 'not asked'
}

interface Evening {
  readonly db: Kysely<Database>
  readonly dataDir: string
  readonly season: Season
  readonly teller: Teller
  /** What the source had by then counts. */
  readonly at: number
  readonly seen: SeasonSeen
}

/** Whether a table had a readable row of a code by a moment. */
function had(teller: Teller, table: Table, day: string, code: string, at: number): boolean {
  const { from, late, odd } = teller.telling(table, day)
  return from <= at && (late.get(code) ?? 0) <= at && !(odd?.code === code && odd.until > at)
}

const close = (a: number, b: number, within: number): boolean => Math.abs(a - b) <= within

async function compareEvening(evening: Evening, day: string): Promise<void> {
  const { season, teller, at, seen, db } = evening
  const shares = season.shares.filter((code) => season.shareDays.has(`${code} ${day}`))
  const bonds = season.bonds.filter(({ code }) => season.bondDays.has(`${code} ${day}`))
  const hasShares = teller.telling('daily', day).from <= at
  // Of a table of bars that lacks a fifth the checks refuse the day: it is waited for.
  const isMost = (table: Table, codes: readonly string[]) =>
    codes.filter((code) => had(teller, table, day, code, at)).length >= 0.8 * codes.length
  const hasBonds =
    hasShares &&
    teller.telling('cb_daily', day).from <= at &&
    isMost(
      'cb_daily',
      bonds.map(({ code }) => code),
    )
  if (hasShares) {
    const told = await panelOn(evening, 'stk', day)
    if (!told) seen.late.push(`stk ${day}: ${await reportOf(db, 'stk', day)}`)
    else {
      for (const code of season.shares) if (!told.has(code)) seen.lost.push(`${code} ${day}`)
      for (const code of shares) {
        const of = season.shareDays.get(`${code} ${day}`)!
        if (!had(teller, 'daily', day, code, at)) continue
        expectCell(seen, told.cell('close', code), of.close, 1e-9, `${code} ${day} close`)
        // A factor that has not come is made of prices in cents.
        const hasFactor = had(teller, 'adj_factor', day, code, at)
        expectCell(
          seen,
          told.cell('adj_factor', code),
          of.factor,
          hasFactor ? 1e-9 : (0.011 / of.pre_close) * of.factor,
          `${code} ${day} adj_factor`,
        )
        expectCell(seen, told.cell('total_mv', code), (of.close * season.shareCount) / 1e4, 1e-4 * of.close * 10, `${code} ${day} total_mv`)
        if (had(teller, 'daily_basic', day, code, at)) expectCell(seen, told.cell('pe_ttm', code), of.pe_ttm, 1e-5, `${code} ${day} pe_ttm`)
      }
      await compareParts(
        evening,
        'stk',
        day,
        'bars',
        shares.filter((code) => !had(teller, 'daily', day, code, at)),
      )
      const there = shares.filter((code) => had(teller, 'daily', day, code, at))
      await compareParts(
        evening,
        'stk',
        day,
        'factors',
        there.filter((code) => !had(teller, 'adj_factor', day, code, at)),
      )
      await compareParts(
        evening,
        'stk',
        day,
        'valuations',
        there.filter((code) => !had(teller, 'daily_basic', day, code, at)),
      )
    }
  }
  if (!hasBonds) return
  const told = await panelOn(evening, 'cb', day)
  if (!told) {
    seen.late.push(`cb ${day}: ${await reportOf(db, 'cb', day)}`)
    return
  }
  for (const { code } of bonds) if (had(teller, 'cb_daily', day, code, at) && !told.has(code)) seen.lost.push(`${code} ${day}`)
  for (const { code, share } of bonds) {
    const of = season.bondDays.get(`${code} ${day}`)!
    if (!had(teller, 'cb_daily', day, code, at)) continue
    expectCell(seen, told.cell('close', code), of.close, 1e-9, `${code} ${day} close`)
    if (!had(teller, 'daily', day, share, at)) continue
    expectCell(seen, told.cell('conv_price', code), of.price, 1e-9, `${code} ${day} conv_price`)
    const value = (100 / of.price) * season.shareDays.get(`${share} ${day}`)!.close
    expectCell(seen, told.cell('conv_value', code), value, 0.006, `${code} ${day} conv_value`)
  }
  // A bond whose share has no bar yet is not known to lack one.
  const lacking = bonds.filter(({ code, share }) => had(teller, 'daily', day, share, at) && !had(teller, 'cb_daily', day, code, at))
  await compareParts(
    { ...evening, db },
    'cb',
    day,
    'bars',
    lacking.map(({ code }) => code),
  )
}

function expectCell(seen: SeasonSeen, found: number, truth: number, within: number, what: string): void {
  seen.cells++
  if (!close(found, truth, within)) seen.wrong.push(`${what}: ${found} instead of ${truth}`)
}

async function compareParts(
  { db, seen }: Evening,
  market: SnapshotKind,
  day: string,
  part: 'bars' | 'factors' | 'valuations',
  expected: readonly string[],
): Promise<void> {
  const row = await db
    .selectFrom('day_part')
    .select(['found', 'expected', 'lacking'])
    .where('market', '=', market)
    .where('day', '=', day)
    .where('part', '=', part)
    .executeTakeFirst()
  const told = row ? (row.found === 0 ? row.expected : row.lacking.length) : Number.NaN
  const isSame = told === expected.length && (row!.lacking.length === 0 || row!.lacking.join() === [...expected].sort().join())
  if (!isSame)
    seen.misjudged.push(
      `${market} ${day} ${part}: ${row ? `${told} lacking` : 'not told'} instead of ${expected.length} (${expected.slice(0, 3).join()}; ${row?.lacking.slice(0, 3).join()})`,
    )
}

async function panelOn({ db, dataDir }: Evening, kind: SnapshotKind, day: string) {
  const newest = await newestSnapshot(db, kind)
  if (!newest || newest.lastDate < day) return null
  const { securities, dates, columns, stride, listed } = await loadPanel(snapshotPath(dataDir, newest), null, 'all')
  const t = dates.indexOf(day)
  const places = new Map(securities.map(({ code }, place) => [code, place]))
  return {
    has: (code: string) => listed[t * stride + (places.get(code) ?? -1)] === 1,
    cell: (key: string, code: string) => columns.get(key)?.[t * stride + (places.get(code) ?? -1)] ?? Number.NaN,
  }
}

function countCalls({ calls }: Teller, seen: SeasonSeen): void {
  const most = (key: (call: Teller['calls'][number]) => string) => {
    const counts = new Map<string, number>()
    for (const call of calls) counts.set(key(call), (counts.get(key(call)) ?? 0) + 1)
    return Math.max(0, ...counts.values())
  }
  // Within any sixty seconds, not by the minute of a clock.
  const byApi = new Map<string, number[]>()
  for (const { api, at } of calls) byApi.set(api, [...(byApi.get(api) ?? []), at])
  for (const times of byApi.values()) {
    for (let [first, last] = [0, 0]; last < times.length; last++) {
      while (times[last]! - times[first]! >= 60_000) first++
      seen.mostPerMinute = Math.max(seen.mostPerMinute, last - first + 1)
    }
  }
  seen.mostPerHour = most(({ at }) => String(Math.floor(at / 3_600_000)))
}
