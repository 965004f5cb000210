import type { RatingRow } from '../src/db/tables/fact-value.ts'
import type { Asking } from '../src/feeds/feed.ts'
import { type Facts, factsIn, noFacts } from '../src/feeds/ingest/facts.ts'
import type { DayAnswers } from '../src/feeds/ingest/make-day.ts'
import { type Entry, entryOfBond, entryOfStock } from '../src/feeds/ingest/members.ts'
import { demoTables, simulateDemo } from '../src/market/demo.ts'
import type { MarketTable } from '../src/market/store.ts'
import { marketFeed } from './scripted-feed.ts'

const { dates, stocks, bonds } = simulateDemo({ size: 'small', through: '2026-11-20' })
const [, stk, cb] = demoTables(dates, stocks, bonds) as [MarketTable, MarketTable, MarketTable]
const asking: Asking = { signal: new AbortController().signal }

/** Days of the model's markets, and the markets themselves. */
export { dates }
export const tables = { stk, cb }
export type Kind = keyof typeof tables

/** What a source answers on a day of the model. */
export async function answersOn(kind: Kind, t: number): Promise<DayAnswers> {
  const date = dates[t]!
  const feed = marketFeed(tables, () => date)
  const stockRows = await feed['stock-list']({}, asking)
  const bondRows = kind === 'cb' ? await feed['bond-list']({}, asking) : []
  const entries = kind === 'cb' ? bondRows.map(entryOfBond) : stockRows.map(entryOfStock)
  return {
    day: date,
    table: await feed[kind === 'cb' ? 'bond-day' : 'stock-day']({ date }, asking),
    source: 'tushare',
    entries: new Map(entries.map((entry): [string, Entry] => [entry.code, entry])),
    facts: kind === 'cb' ? await factsOn(t) : noFacts,
    stocks: kind === 'cb' ? await feed['stock-day']({ date }, asking) : null,
    stockNames: new Map(stockRows.map(({ code, name }) => [code, name])),
    exDays: null,
    callLists: [[dates[0]!, date]],
  }
}

/** All that is ever published, once. */
let published: Promise<Facts> | null = null
async function allFacts(): Promise<Facts> {
  const feed = marketFeed(tables, () => dates.at(-1)!)
  const codes = cb.securities.map(({ code }) => code)
  const ratings = factsIn('bond-list', await feed['bond-list']({}, asking), dates[0]!).map(({ value }) => value as RatingRow)
  return {
    calls: byCode(await feed.calls({ from: dates[0]!, to: dates.at(-1)! }, asking)),
    conversionPrices: byCode(await feed['conversion-prices']({ codes }, asking)),
    remainingSizes: byCode(await feed['remaining-sizes']({ codes }, asking)),
    ratings: byCode(ratings),
    names: new Map(),
  }
}

function byCode<R extends { readonly code: string }>(rows: readonly R[]): Map<string, R[]> {
  const lists = new Map<string, R[]>()
  for (const row of rows) lists.set(row.code, [...(lists.get(row.code) ?? []), row])
  return lists
}

async function factsOn(t: number): Promise<Facts> {
  const { calls, conversionPrices, remainingSizes, ratings } = await (published ??= allFacts())
  const until = <R extends { readonly announced: string | null }>(lists: ReadonlyMap<string, readonly R[]>) =>
    new Map([...lists].map(([code, rows]) => [code, rows.filter(({ announced }) => announced! <= dates[t]!)]))
  return {
    calls: until(calls),
    conversionPrices: until(conversionPrices),
    remainingSizes: until(remainingSizes),
    ratings,
    names: new Map(),
  }
}
