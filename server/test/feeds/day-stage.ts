/**
 * A made market of 120 shares and 40 bonds over five trading days, as Tushare tells it, in front of the product's own adapter, chain,
 * ingestion, rounds and PostgreSQL. A test says how an answer differs from the plain one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chain, type QuestionOutcome } from '../../src/feeds/chain.ts'
import { withDailyLists } from '../../src/feeds/daily-lists.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import { type IngestRequest, ingest } from '../../src/feeds/ingest/ingest.ts'
import type { Ingested } from '../../src/feeds/ingest/ingest-day.ts'
import { doRound, IngestIncompleteError, type Round } from '../../src/feeds/ingest/schedule.ts'
import { transport } from '../../src/feeds/source/transport.ts'
import { tushare } from '../../src/feeds/tushare/tushare.ts'
import { Random } from '../../src/market/demo/random.ts'
import { readManifest } from '../../src/market/manifest.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { readMissingDays } from '../../src/market/read-store.ts'
import { newestSnapshot, type SnapshotKind, snapshotPath } from '../../src/market/snapshot.ts'
import { testDatabase } from '../fixtures/database.ts'
import { groundAt, type TestGround } from './ground.ts'
import { answerCall, type Row, type Said, sendFrom } from './tushare-door.ts'
import { type Call, token } from './tushare-script.ts'

export const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'] as const
export const lastDay = days[4]
export const compact = (day: string): string => day.replaceAll('-', '')

const codesFrom = (first: number, count: number, exchange: string): string[] =>
  Array.from({ length: count }, (_, i) => `${String(first + i).padStart(6, '0')}.${exchange}`)
/** Shanghai, Shenzhen, ChiNext, STAR, Beijing. */
export const shares = [
  ...codesFrom(600_101, 50, 'SH'),
  ...codesFrom(101, 40, 'SZ'),
  ...codesFrom(300_101, 15, 'SZ'),
  ...codesFrom(688_101, 10, 'SH'),
  ...codesFrom(920_101, 5, 'BJ'),
]
export const bonds = [...codesFrom(113_501, 25, 'SH'), ...codesFrom(123_101, 15, 'SZ')]
export const shareOf = (bond: string): string => shares[bonds.indexOf(bond)]!

const cents = (price: number): number => Math.round(price * 100) / 100
const mills = (price: number): number => Math.round(price * 1_000) / 1_000

export type Numbers = Readonly<Record<string, number>>

/** Plain days: prices walk, every table is whole, no conversion price moves. */
function plainDays() {
  const random = new Random(7, 'plain days')
  const bars = new Map<string, Numbers>()
  const price = new Map(shares.map((code) => [code, cents(random.between(8, 28))]))
  const bondPrice = new Map(bonds.map((code) => [code, mills(random.between(100, 130))]))
  for (const day of days) {
    for (const code of shares) {
      const pre_close = price.get(code)!
      const [close, open] = [cents(pre_close * random.between(0.98, 1.02)), cents(pre_close * random.between(0.995, 1.005))]
      const vol = cents(random.between(10_000, 100_000))
      bars.set(`${code} ${day}`, {
        ...{ open, close, pre_close, high: cents(Math.max(open, close) + 0.05), low: cents(Math.min(open, close) - 0.05), vol },
        amount: mills((vol * 100 * ((open + close) / 2)) / 1_000),
        ...{ adj_factor: 2, turnover_rate: 1.5, turnover_rate_f: 2.5, pe: 20, pe_ttm: cents(random.between(15, 25)), pb: 1.5, ps_ttm: 2.1 },
        ...{ dv_ratio: 1.1, dv_ttm: 1.2, total_share: 100_000, float_share: 80_000, free_share: 50_000 },
        ...{ total_mv: cents(close * 100_000), circ_mv: cents(close * 80_000) },
      })
      price.set(code, close)
    }
    for (const code of bonds) {
      const pre_close = bondPrice.get(code)!
      const [close, open] = [mills(pre_close * random.between(0.985, 1.015)), mills(pre_close * random.between(0.995, 1.005))]
      const vol = Math.round(random.between(5_000, 55_000))
      const value = cents(10 * price.get(shareOf(code))!)
      bars.set(`${code} ${day}`, {
        ...{ open, close, pre_close, high: mills(Math.max(open, close) + 0.2), low: mills(Math.min(open, close) - 0.2), vol },
        amount: cents((vol * 10 * ((open + close) / 2)) / 10_000),
        ...{ bond_value: 95.5, cb_value: value, cb_over_rate: cents((close / value - 1) * 100) },
      })
      bondPrice.set(code, close)
    }
  }
  return bars
}

const plain = plainDays()
/** What a code's plain row of a day says, in Tushare's units. */
export const barOf = (code: string, day: string): Numbers => plain.get(`${code} ${day}`)!

const coupons = Array.from({ length: 6 }, (_, i) => `${2024 + i}0105-${2025 + i}0104,票面利率:${((i + 1) * 0.3).toFixed(2)}%`).join(';')
export const plainBond = (code: string, share: string, listed = '20240201'): Row => ({
  ...{ ts_code: code, bond_short_name: `债${code.slice(0, 6)}`, cb_type: 'CB', stk_code: share, stk_short_name: `股${share.slice(0, 6)}` },
  ...{ maturity: 6, issue_size: 1e9, remain_size: 9e8, value_date: '20240105', maturity_date: '20300104', list_date: listed },
  ...{ delist_date: null, conv_start_date: '20240705', conv_end_date: '20300104', first_conv_price: 10, conv_price: 10 },
  ...{ rate_clause: coupons, put_clause: null, maturity_call_price: '108', call_clause: null, reset_clause: null, newest_rating: 'AA' },
})

/** The plain answer to a call. */
function plainAnswer({ api_name, params }: Call): Row[] {
  const date = params['trade_date']
  const day = days.find((each) => compact(each) === date)
  const rows = (codes: readonly string[]): Row[] =>
    day === undefined ? [] : codes.map((code) => ({ ts_code: code, trade_date: date!, ...barOf(code, day) }))
  const codes = params['ts_code']?.split(',') ?? []
  switch (api_name) {
    case 'daily':
    case 'adj_factor':
    case 'daily_basic':
      return rows(shares)
    case 'cb_daily':
      return rows(bonds)
    case 'stock_basic':
      return params['list_status'] === 'L'
        ? shares.map((code) => ({
            ts_code: code,
            name: `股${code.slice(0, 6)}`,
            industry: '银行',
            list_date: '20100104',
            list_status: 'L',
          }))
        : []
    case 'cb_basic':
      return bonds.map((code) => plainBond(code, shareOf(code)))
    case 'namechange':
      return shares.map((code) => ({ ts_code: code, name: `股${code.slice(0, 6)}`, start_date: '20100104', ann_date: '20100104' }))
    case 'cb_price_chg':
      return codes.map((code) => ({ ts_code: code, publish_date: '20240105', change_date: '20240105', convert_price_initial: '10' }))
    case 'cb_share':
      return codes.map((code) => ({
        ...{ ts_code: code, publish_date: '20261009', end_date: '20260930', convert_price: 10, remain_size: 9e8 },
      }))
    default:
      return []
  }
}

/** Whether a call asks for the last day. */
export const isLast = (params: Readonly<Record<string, string>>) => params['trade_date'] === compact(lastDay)

/** Moments of the rounds that follow the last day. */
export const evening = [`${lastDay}T18:00`, `${lastDay}T20:00`, '2026-11-23T08:45'] as const

/** How the answer to a call differs from the plain one. */
export type Twist = (api: string, params: Readonly<Record<string, string>>, rows: readonly Row[]) => Said

export interface Stage {
  readonly deps: TestGround
  /** Calls since the last step, `api key=value …`. */
  readonly calls: string[]
  /** What the chain told of its sources. */
  readonly heard: QuestionOutcome[]
  /** Ingests up to a day. */
  run(twist: Twist | null, through: string, more?: Partial<IngestRequest>): Promise<Ingested[]>
  /** A round at a moment of the clock, `2026-11-20T18:00`. @returns what it said if it was not complete */
  round(twist: Twist | null, which: Round, at: string): Promise<string | null>
  /** The value of a security on a day; undefined: it is not there. */
  cell(kind: SnapshotKind, key: string, code: string, day?: string): Promise<number | undefined>
  securities(kind: SnapshotKind): Promise<readonly { code: string; [key: string]: unknown }[]>
  readonly db: Awaited<ReturnType<typeof testDatabase>>['db']
  readonly dataDir: string
  /** Puts a source behind Tushare until the next reset. */
  behind(feed: Feed): void
  /** As it was before the last day. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** A stage with so many of the first days published plainly. */
export async function openStage(published: number = days.length - 1): Promise<Stage> {
  const database = await testDatabase()
  const { db } = database
  const dataDir = mkdtempSync(join(tmpdir(), 'convexa-day-stage-'))
  const deps = groundAt(`${lastDay}T16:30:00+08:00`)
  let twist: Twist = (_api, _params, rows) => rows
  const calls: string[] = []
  const heard: QuestionOutcome[] = []
  const send = sendFrom((call) => {
    calls.push([call.api_name, ...Object.entries(call.params).map(([key, value]) => `${key}=${value}`)].join(' '))
    // Statements have their own tests.
    if (call.api_name.endsWith('_vip')) return answerCall(call, '该接口不提供')
    return answerCall(call, twist(call.api_name, call.params, plainAnswer(call)))
  })
  const settings = { url: 'http://tushare', token, perMinute: 10_000 }
  const feeds = (): Feed[] => [tushare(settings, transport(deps, {}, send), deps.now)]
  const listen = { onOutcome: (each: QuestionOutcome) => void heard.push(each) }
  const opened = (all: readonly Feed[]) => withDailyLists(chain(all, deps.now, listen), deps.now)
  let source = opened(feeds())
  const on = () => ({ db, dataDir, chain: source, signal: new AbortController().signal, now: () => new Date(deps.now()) })
  const begin = (next: Twist | null) => {
    twist = next ?? ((_api, _params, rows) => rows)
    calls.length = 0
    heard.length = 0
  }
  const panel = async (kind: SnapshotKind) => loadPanel(snapshotPath(dataDir, (await newestSnapshot(db, kind))!), null, 'all')
  const stage: Stage = {
    ...{ db, dataDir, deps, calls, heard },
    async run(next, through, more = {}) {
      begin(next)
      return ingest(on(), { through, from: days[0], kinds: ['stk', 'cb'], steps: ['quotes', 'events'], ...more })
    },
    async round(next, which, at) {
      begin(next)
      const moment = Date.parse(`${at}:00+08:00`)
      if (moment > deps.now()) await deps.sleep(moment - deps.now(), new AbortController().signal)
      return doRound({ ...on(), log: () => {} }, which).then(
        () => null,
        (error: unknown) => {
          if (error instanceof IngestIncompleteError) return error.message
          throw error
        },
      )
    },
    async cell(kind, key, code, day = lastDay) {
      const { securities, dates, columns, listed, traded, stride } = await panel(kind)
      const [place, t] = [securities.findIndex((security) => security.code === code), dates.indexOf(day)]
      const cells = key === 'listed' ? listed : key === 'traded' ? traded : columns.get(key)
      return place < 0 || t < 0 ? undefined : cells?.[t * stride + place]
    },
    securities: async (kind) => (await panel(kind)).securities as unknown as readonly { code: string; [key: string]: unknown }[],
    behind(feed) {
      source = opened([...feeds(), feed])
    },
    async reset() {
      deps.turnTo(`${lastDay}T16:30:00+08:00`)
      await db.deleteFrom('day_part').where('day', '=', lastDay).execute()
      await db.deleteFrom('market_snapshot').where('last_date', '=', lastDay).execute()
      await db.deleteFrom('ingest_step').where('day', '=', lastDay).execute()
      await db.deleteFrom('known_fact').where('id', '>', lastFact).execute()
      // A source that was refused is asked anew.
      source = opened(feeds())
    },
    async close() {
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  await stage.run(null, days[published - 1]!)
  const { id: lastFact } = await db
    .selectFrom('known_fact')
    .select((row) => row.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return stage
}

/** What tests read of a stage: calls of an api, parts of a day that are not whole, securities without a bar. */
export function stageReadings(stage: () => Stage) {
  const asked = (api: string) => stage().calls.filter((call) => call.startsWith(`${api} `)).length
  const partsOf = async (market: 'stk' | 'cb', day: string = lastDay) => {
    const rows = await stage()
      .db.selectFrom('day_part')
      .select(['part', 'state', 'found', 'expected', 'lacking'])
      .where('market', '=', market)
      .where('day', '=', day)
      .where('state', '!=', 'whole')
      .orderBy('part')
      .execute()
    return rows.map(({ part, state, found, expected, lacking }) => [part, state, `${found}/${expected}`, ...lacking].join(' '))
  }
  /** By day, securities whose bar has not come, as it is stored. */
  const missingIn = async (market: 'stk' | 'cb') => {
    const folder = snapshotPath(stage().dataDir, (await newestSnapshot(stage().db, market))!)
    return readMissingDays(folder, await readManifest(folder))
  }
  return { asked, partsOf, missingIn }
}
