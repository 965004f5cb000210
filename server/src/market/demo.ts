import type { MarketId } from '@convexa/contract'
import { pickStatements } from '@convexa/engine'
import type { Kysely } from 'kysely'
import type { Quality } from '../db/tables/quality.ts'
import type { Database } from '../db/tables.ts'
import { ownBenchmarks } from './benchmark.ts'
import { addDays } from './calendar.ts'
import { demoAssumptions } from './demo/assumptions.ts'
import { type BondMarket, demoCallLists, simulateBonds } from './demo/bonds.ts'
import { climateOf } from './demo/climate.ts'
import { makeCompanies } from './demo/company.ts'
import { factsOfCompanies } from './demo/facts.ts'
import { demoIndices } from './demo/indices.ts'
import { industries } from './demo/industries.ts'
import { statementsOf } from './demo/statements.ts'
import { type StockMarket, simulateStocks } from './demo/stocks.ts'
import { expectedTradingDays } from './expected-days.ts'
import { importer, snapshotKinds } from './manifest.ts'
import { marketOf } from './market-rules.ts'
import { newestSnapshot, publish, retain, type Snapshot } from './snapshot.ts'
import type { MarketTable, StoredColumn } from './store.ts'

export { demoAssumptions } from './demo/assumptions.ts'

export interface DemoRequest {
  readonly dataDir: string
  readonly db: Kysely<Database>
  /** The demo market ends on the last trading day on or before this day, YYYY-MM-DD. */
  readonly through: string
  readonly seed?: number
  readonly size?: DemoSize
  /** Which are published; all by default. Beside an imported market only the missing one is. */
  readonly kinds?: readonly MarketTable['kind'][]
  readonly onProgress?: (progress: { readonly percent: number; readonly text: string }) => void
}

/** How many whole years before the current one, and how many securities. */
const sizes = {
  full: { years: 6, stocks: 1_000, bonds: 300 },
  /** For tests. */
  small: { years: 2, stocks: 100, bonds: 30 },
  /** As many stocks as the real market has: for looking and measuring. */
  wide: { years: 2, stocks: 5_500, bonds: 500 },
  /** For reports of ten years. */
  long: { years: 10, stocks: 500, bonds: 300 },
} as const
export type DemoSize = keyof typeof sizes
const defaultSeed = 113

/**
 * Makes both demo markets and their indices and publishes them: deterministic to the byte for a seed, size and last day.
 * Made again for the same day, nothing is published anew.
 */
export async function makeDemo(request: DemoRequest): Promise<Record<MarketTable['kind'], Snapshot>> {
  const { db, dataDir, through, seed = defaultSeed, size = 'full', kinds = snapshotKinds, onProgress = () => {} } = request
  onProgress({ percent: 0, text: '正在生成演示股票行情' })
  const { dates, stocks, bonds } = simulateDemo({ seed, size, through }, (percent, text) => onProgress({ percent, text }))
  const tables = demoTables(dates, stocks, bonds).filter((table) => kinds.includes(table.kind))
  const snapshots = new Map<string, Snapshot>()
  for (const [k, table] of tables.entries()) {
    onProgress({ percent: 55 + 15 * k, text: `正在写入演示${marketOf(table.kind)?.short ?? '指数'}` })
    const { snapshot } = await publish({
      db,
      dataDir,
      table,
      mode: 'demo',
      adjust: 'raw',
      source: { preset: 'demo', files: [] },
      ...(marketOf(table.kind)?.redeemed && { reading: { importer, call_lists: demoCallLists(table.dates) } }),
      quality: qualityOf(table),
    })
    snapshots.set(table.kind, snapshot)
  }
  await retain(db, dataDir)
  onProgress({ percent: 100, text: '演示行情已就绪' })
  const made = async (kind: MarketTable['kind']) => snapshots.get(kind) ?? (await newestSnapshot(db, kind))!
  return { cb: await made('cb'), stk: await made('stk'), index: await made('index') }
}

/** The demo markets in memory. */
export function simulateDemo(
  { seed = defaultSeed, size = 'full', through }: { seed?: number; size?: DemoSize; through: string },
  onProgress: (percent: number, text: string) => void = () => {},
): { dates: readonly string[]; stocks: StockMarket; bonds: BondMarket } {
  const scale = sizes[size]
  const climate = climateOf(seed, `${Number(through.slice(0, 4)) - scale.years}-01-01`, through, industries.length)
  const { dates } = climate
  // What is announced before the last day may happen after it.
  const later = expectedTradingDays(addDays(dates.at(-1)!, 1), addDays(dates.at(-1)!, 120))
  const stocks = simulateStocks(seed, climate, makeCompanies(seed, dates, scale.stocks), later)
  onProgress(30, '正在生成演示转债行情')
  const bonds = simulateBonds(seed, climate, stocks, scale.bonds, later)
  return { dates, ...withFacts(seed, dates, stocks, bonds) }
}

/** Statements and dated facts of the companies, for their stocks and their bonds. */
function withFacts(
  seed: number,
  dates: readonly string[],
  stocks: StockMarket,
  bonds: BondMarket,
): { stocks: StockMarket; bonds: BondMarket } {
  const facts = factsOfCompanies(seed, dates, stocks)
  const reports = statementsOf(seed, dates, stocks)
  const placeOf = new Map(stocks.securities.map(({ code }, i) => [code, i]))
  const companies = bonds.securities.map(({ stockCode }) => placeOf.get(stockCode ?? '') ?? null)
  const industriesOf = (i: number | null) =>
    i === null ? {} : Object.fromEntries(Object.entries(facts[i]!).filter(([key]) => key.startsWith('industry_')))
  return {
    stocks: { ...stocks, securities: stocks.securities.map((security, i) => ({ ...security, dated: facts[i]! })), reports },
    bonds: {
      ...bonds,
      securities: bonds.securities.map((security, i) => ({ ...security, dated: industriesOf(companies[i]!) })),
      reports: pickStatements(reports, companies),
    },
  }
}

/** As the store takes them: indices, stocks, bonds. */
export function demoTables(dates: readonly string[], stocks: StockMarket, bonds: BondMarket): MarketTable[] {
  const market = (kind: MarketId, made: StockMarket | BondMarket): MarketTable => {
    const { securities, stride, listed, traded, reports } = made
    const table = { kind, dates, securities, stride, columns: storedColumns(made.columns), listed, traded, ...(reports && { reports }) }
    return { ...table, benchmarks: ownBenchmarks(table) }
  }
  return [demoIndices(dates, stocks, bonds), market('stk', stocks), market('cb', bonds)]
}

const storedColumns = (columns: Readonly<Record<string, Float64Array | Float32Array>>): Map<string, StoredColumn> =>
  new Map(
    Object.entries(columns).map(([key, cells]) => [key, { store: cells instanceof Float64Array ? 'f64' : 'f32', cells, origin: 'model' }]),
  )

function qualityOf(table: MarketTable): Quality {
  let rows = 0
  for (let at = 0; at < table.listed.length; at++) rows += table.listed[at]!
  return {
    rows,
    listedRows: rows,
    securities: table.securities.length,
    firstDate: table.dates[0]!,
    lastDate: table.dates.at(-1)!,
    adjust: 'raw',
    preset: 'demo',
    source: ['演示模型'],
    quarantined: 0,
    findings: [],
    notes: demoAssumptions,
  }
}
