/**
 * Each evening beside what was true: what a source had right by then is there and right, and the parts that are reported as open are
 * exactly those that no source had given.
 */
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/tables.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { newestSnapshot, type SnapshotKind, snapshotPath } from '../../src/market/snapshot.ts'
import { type Bond, isListed, type Season } from './market.ts'
import type { SecondSources } from './second-sources.ts'
import type { Teller } from './teller.ts'

export interface Faults {
  /** Days that a source had by 20:00 and that were not there that evening. */
  readonly late: string[]
  /** Cells that differ from what was true though a source had them by then. */
  readonly wrong: string[]
  /** Parts that are reported as open though they came, or as whole though they did not. */
  readonly misjudged: string[]
  readonly lost: string[]
  cells: number
}

export interface Evening {
  readonly db: Kysely<Database>
  readonly dataDir: string
  readonly season: Season
  readonly teller: Teller
  readonly others: SecondSources
  /** What the sources had by then counts. */
  readonly at: number
  readonly faults: Faults
}

/** What the sources had of a day by the evening. Of factors, sizes and multiples Tushare is the only source, and gives them with its bars. */
function hadOn({ teller, others, season, at }: Evening, day: string) {
  const baostock = others.hasShares(day, at)
  const eastmoney = others.hasBonds(day, at)
  const bar = (code: string) => teller.had('daily', day, code, at) || (baostock && !code.endsWith('.BJ'))
  return {
    share: bar,
    bond: (code: string) => teller.had('cb_daily', day, code, at) || eastmoney,
    /** A suspension is known of who names it. */
    suspension: (code: string) => teller.gave('daily', day, at) || (baostock && !code.endsWith('.BJ')),
    factor: (code: string) => teller.read('daily', day, code, at) && teller.had('adj_factor', day, code, at),
    valuation: (code: string) => teller.read('daily', day, code, at) && teller.had('daily_basic', day, code, at),
    /** A bond's value, which Eastmoney's bars do not have. */
    bondValue: (code: string) => teller.read('cb_daily', day, code, at),
    /** A conversion price that moves that day shows in the source's value and its share's bar. */
    price: (code: string, share: string) =>
      bar(share) && (teller.had('cb_daily', day, code, at) || !season.changes.some((change) => change.code === code && change.day === day)),
    value: (code: string, share: string) => bar(share) || teller.had('cb_daily', day, code, at),
  }
}

type Had = ReturnType<typeof hadOn>

/** A day of which less than half has come is none yet. */
const isDay = (came: number, all: number): boolean => 2 * came >= all

export async function compareEvening(evening: Evening, day: string): Promise<void> {
  const { season, faults, db } = evening
  const had = hadOn(evening, day)
  const shares = season.shares.filter((code) => season.shareDays.has(`${code} ${day}`))
  const bonds = season.bonds.filter(({ code }) => season.bondDays.has(`${code} ${day}`))
  const came = shares.filter(had.share)
  if (!isDay(came.length, shares.length)) return
  const told = await panelOn(evening, 'stk', day)
  if (!told) {
    faults.late.push(`stk ${day}: ${await reportOf(db, 'stk', day)}`)
    return
  }
  await compareShares(evening, day, { told, had, came })
  const ofBonds = bonds.filter(({ code }) => had.bond(code))
  const withShares = bonds.filter(({ share }) => had.share(share))
  if (!isDay(ofBonds.length, bonds.length) || !isDay(withShares.length, bonds.length)) return
  const toldOfBonds = await panelOn(evening, 'cb', day)
  if (!toldOfBonds) {
    faults.late.push(`cb ${day}: ${await reportOf(db, 'cb', day)}`)
    return
  }
  for (const { code } of ofBonds) if (!toldOfBonds.has(code)) faults.lost.push(`${code} ${day}`)
  for (const { code, share } of ofBonds) {
    const of = season.bondDays.get(`${code} ${day}`)!
    const cell = (key: string) => toldOfBonds.cell(key, code)
    expectCell(faults, cell('close'), of.close, 1e-9, `${code} ${day} close`)
    if (had.price(code, share)) expectCell(faults, cell('conv_price'), of.price, 1e-9, `${code} ${day} conv_price`)
    const value = (100 / of.price) * season.shareDays.get(`${share} ${day}`)!.close
    if (had.price(code, share) && had.value(code, share)) expectCell(faults, cell('conv_value'), value, 0.006, `${code} ${day} conv_value`)
  }
  // A bond whose share has no bar yet is not known to lack one.
  const lacking = withShares.filter(({ code }) => !had.bond(code)).map(({ code }) => code)
  await compareParts(evening, 'cb', day, 'bars', lacking)
  // Of a bond that is new nobody knows whether its source has a value.
  const isOld = ({ listed }: Bond) => listed < day
  const unvalued = ofBonds.filter((bond) => isOld(bond) && !had.bondValue(bond.code)).map(({ code }) => code)
  await compareParts(evening, 'cb', day, 'valuations', unvalued)
}

async function compareShares(
  evening: Evening,
  day: string,
  { told, had, came }: { told: NonNullable<Awaited<ReturnType<typeof panelOn>>>; had: Had; came: readonly string[] },
): Promise<void> {
  const { season, faults } = evening
  const there = season.shares.filter((code) => isListed(season, code, day))
  for (const code of there) if (!told.has(code) && (had.share(code) || had.suspension(code))) faults.lost.push(`${code} ${day}`)
  for (const code of came) {
    const of = season.shareDays.get(`${code} ${day}`)!
    const cell = (key: string) => told.cell(key, code)
    expectCell(faults, cell('close'), of.close, 1e-9, `${code} ${day} close`)
    // A factor that has not come is made of prices in cents.
    const within = had.factor(code) ? 1e-9 : (0.011 / of.pre_close) * of.factor
    expectCell(faults, cell('adj_factor'), of.factor, within, `${code} ${day} adj_factor`)
    // Of a share that is new that day nothing is known to make its size of.
    if (had.valuation(code) || season.lives.get(code)?.listed == null)
      expectCell(faults, cell('total_mv'), (of.close * season.shareCount) / 1e4, 1e-4 * of.close * 10, `${code} ${day} total_mv`)
    if (had.valuation(code)) expectCell(faults, cell('pe_ttm'), of.pe_ttm, 1e-5, `${code} ${day} pe_ttm`)
  }
  const isLacking = (code: string) => (season.shareDays.has(`${code} ${day}`) ? !had.share(code) : !had.suspension(code))
  await compareParts(evening, 'stk', day, 'bars', there.filter(isLacking))
  const without = (has: (code: string) => boolean) => came.filter((code) => !has(code))
  await compareParts(evening, 'stk', day, 'factors', without(had.factor))
  await compareParts(evening, 'stk', day, 'valuations', without(had.valuation))
}

function expectCell(faults: Faults, found: number, truth: number, within: number, what: string): void {
  faults.cells++
  if (!(Math.abs(found - truth) <= within)) faults.wrong.push(`${what}: ${found} instead of ${truth}`)
}

async function compareParts(
  { db, faults }: Evening,
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
  if (isSame) return
  const words = row ? `${told} lacking` : 'not told'
  faults.misjudged.push(
    `${market} ${day} ${part}: ${words} instead of ${expected.length} (${expected.slice(0, 3).join()}; ${row?.lacking.slice(0, 3).join()})`,
  )
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
