/**
 * A season from its first evening to its last morning: the product's adapters, chain, rounds, ingestion and PostgreSQL, driven by a clock of
 * its own, and compared each evening with what was true and what the sources had told by then.
 */
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/tables.ts'
import { baostock } from '../../src/feeds/baostock/baostock.ts'
import { chain } from '../../src/feeds/chain.ts'
import { withDailyLists } from '../../src/feeds/daily-lists.ts'
import { eastmoney } from '../../src/feeds/eastmoney.ts'
import { FeedError } from '../../src/feeds/feed.ts'
import { ingest } from '../../src/feeds/ingest/ingest.ts'
import { doRound, IngestIncompleteError, type Round } from '../../src/feeds/ingest/schedule.ts'
import { jisilu } from '../../src/feeds/jisilu.ts'
import { type Send, transport } from '../../src/feeds/source/transport.ts'
import { tushare } from '../../src/feeds/tushare/tushare.ts'
import { addDays, isTradingDay } from '../../src/market/calendar.ts'
import { baostockDoor } from '../feeds/baostock-door.ts'
import { groundAt } from '../feeds/ground.ts'
import { answerCall, sendFrom } from '../feeds/tushare-door.ts'
import { token } from '../feeds/tushare-script.ts'
import { type CallCount, callCounts, fullest, tusharePerMinute } from './call-counts.ts'
import { compareEvening, type Faults } from './judge.ts'
import { makeSeason, type SeasonSize } from './market.ts'
import { momentOf } from './moments.ts'
import { secondSources, urls } from './second-sources.ts'
import { type Called, seasonTeller } from './teller.ts'

export interface SeasonSeen extends Faults {
  readonly days: number
  /** Calls of each provider, in all, in the fullest hour and on the fullest day. */
  readonly calls: string
  readonly counts: readonly CallCount[]
  /** Words in which Tushare said no. */
  readonly refusals: number
}

const rounds: readonly (readonly [time: string, round: Round])[] = [
  ['08:45', 'morning'],
  ['16:30', 'quotes'],
  ['18:00', 'events'],
  ['20:00', 'statements'],
]
const againMs = 5 * 60_000

/** A slice of a season: its days from one to another, counted from 1. What is drawn is that of the whole season. */
interface Slice {
  readonly first?: number
  readonly last?: number
}

export async function runSeason(
  { db, dataDir }: { db: Kysely<Database>; dataDir: string },
  { first = 1, last = Number.POSITIVE_INFINITY, ...size }: SeasonSize & Slice,
  onDay: (day: string) => void = () => {},
): Promise<SeasonSeen> {
  const season = makeSeason(size)
  const days = season.days.slice(first - 1, last)
  const [begin, end] = [days[0]!, days.at(-1)!]
  const deps = groundAt(`${begin}T16:30:00+08:00`)
  const calls: Called[] = []
  const teller = seasonTeller(season, size.seed, deps.now, calls)
  const others = secondSources(season, size.seed, deps.now, calls)
  const door = await baostockDoor(others.baostock)
  const toTushare = sendFrom((call) => answerCall(call, teller.answer(call)))
  const send: Send = async (request, url, limits, signal) => {
    if (!url.startsWith(tushareUrl)) return Buffer.from(others.http(url))
    if (teller.isDown(deps.now())) throw new FeedError('network', '无法连接Tushare，或连接中断')
    return toTushare(request, url, limits, signal)
  }
  const ask = transport(deps, {}, send)
  const feeds = [
    tushare({ url: tushareUrl, token, perMinute: tusharePerMinute }, ask, deps.now),
    baostock({ host: '127.0.0.1', port: door.port }, deps),
    eastmoney({ listUrls: [urls.list], historyUrl: urls.history, dataUrl: urls.data }, ask, deps),
    jisilu({ url: urls.jisilu, cookie: 'a=b' }, ask, deps),
  ]
  const hasReleased = async (source: string, since: number) => source === 'tushare' && teller.refusals.releasedAt > since
  const source = withDailyLists(chain(feeds, deps.now, { hasReleased }), deps.now)
  const on = { db, dataDir, chain: source, signal: new AbortController().signal, now: () => new Date(deps.now()) }
  const faults: Faults = { late: [], wrong: [], misjudged: [], lost: [], cells: 0 }

  const isDone = async (round: Round) =>
    doRound({ ...on, log: () => {} }, round).then(
      () => true,
      (error: unknown) => {
        if (error instanceof IngestIncompleteError) return false
        throw error
      },
    )
  /** A round at its time, and every five minutes while it is not complete, until another comes. */
  const roundAt = async (moment: number, round: Round, until: number) => {
    for (let at = moment; at < until; at = Math.max(at + againMs, deps.now())) {
      if (at > deps.now()) deps.turnTo(new Date(at).toISOString())
      if (await isDone(round)) return
    }
  }
  try {
    await ingest(on, { through: begin, from: begin, kinds: ['stk', 'cb'], steps: ['quotes', 'events'] })
    for (let day = addDays(begin, 1); day <= addDays(end, 1); day = addDays(day, 1)) {
      const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
      const isOpen = isTradingDay(day) === true && day <= end
      // An operator asks by hand on the morning after a ban.
      teller.refusals.release(momentOf(day, '08:00'))
      for (const [i, [time, round]] of rounds.entries()) {
        if (weekday === 0 || weekday === 6) continue
        // Behind the season's last day only its morning.
        if (day > end && round !== 'morning') continue
        const next = rounds[i + 1] ? momentOf(day, rounds[i + 1]![0]) : momentOf(day, '23:00')
        await roundAt(momentOf(day, time), round, next)
        if (round === 'statements' && isOpen)
          await compareEvening({ db, dataDir, season, teller, others, at: momentOf(day, '20:00'), faults }, day)
      }
      if (weekday === 6) await roundAt(momentOf(day, '10:00'), 'check', momentOf(day, '10:01'))
      if (isOpen) onDay(day)
    }
  } finally {
    await door.close()
  }
  const refusals = teller.refusals.counts.size
  return { ...faults, days: days.length, calls: fullest(calls), counts: callCounts(calls), refusals }
}

const tushareUrl = 'http://tushare'
