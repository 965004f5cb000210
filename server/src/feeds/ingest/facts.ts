/**
 * What was published of securities and counts from then on. Rows are only added, each with the day of its publication, so that a day that
 * is made again years later is made of what was known on it.
 */
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Need } from '../../db/tables/answers.ts'
import type { CallRow, FactValue, HeardStatement, KnownPrice, Named, RatingRow, RemainingSizeRow } from '../../db/tables/fact-value.ts'
import type { Database } from '../../db/tables.ts'
import { addDays } from '../../market/calendar.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'
import type { Answer } from '../feed.ts'
import { type FactName, ingestRules } from './ingest-rules.ts'

/** By code, ascending by publication. */
export interface Facts {
  readonly calls: ReadonlyMap<string, readonly CallRow[]>
  readonly conversionPrices: ReadonlyMap<string, readonly KnownPrice[]>
  readonly remainingSizes: ReadonlyMap<string, readonly RemainingSizeRow[]>
  readonly ratings: ReadonlyMap<string, readonly RatingRow[]>
  readonly names: ReadonlyMap<string, readonly Named[]>
}

export const noFacts: Facts = {
  calls: new Map(),
  conversionPrices: new Map(),
  remainingSizes: new Map(),
  ratings: new Map(),
  names: new Map(),
}

/** A fact on its way to its row. */
export interface Fact {
  readonly code: string
  readonly what: FactName | 'statement'
  readonly published: string
  readonly effective: string | null
  readonly value: FactValue
}
const whats = {
  call: 'calls',
  conversion_price: 'conversionPrices',
  remaining_size: 'remainingSizes',
  rating: 'ratings',
  name: 'names',
} as const satisfies Record<FactName, keyof Facts>

/** What an answer says that is a fact. */
export function factsIn<N extends Need>(need: N, answer: Answer<N>, day: string): Fact[] {
  const make = makers[need] as ((answer: Answer<N>, day: string) => Fact[]) | undefined
  return make?.(answer, day) ?? []
}

/** Conversion prices that were derived from a day's answers. */
export const derivedFacts = (prices: readonly KnownPrice[]): Fact[] =>
  prices.map((value) => ({
    ...{ code: value.code, what: 'conversion_price', published: value.announced ?? value.effective },
    ...{ effective: value.effective, value },
  }))

const makers: { readonly [N in Need]?: (answer: Answer<N>, day: string) => Fact[] } = {
  calls: (rows) => rows.map((row) => ({ code: row.code, what: 'call', published: row.announced, effective: null, value: row })),
  'conversion-prices': (rows) =>
    rows.map((row) => ({
      code: row.code,
      what: 'conversion_price',
      published: row.announced ?? row.effective,
      effective: row.effective,
      value: row,
    })),
  'remaining-sizes': (rows) =>
    rows.map((row) => ({ code: row.code, what: 'remaining_size', published: row.announced, effective: row.asOf, value: row })),
  // When it ends is said by the next name.
  names: (rows) =>
    rows.map(({ to: _, ...row }) => ({
      code: row.code,
      what: 'name',
      published: row.announced ?? row.from,
      effective: row.from,
      value: row,
    })),
  // A list says how bonds are rated now; since when it does not.
  'bond-list': (rows, day) =>
    rows.flatMap(({ code, rating }) =>
      rating === null ? [] : [{ code, what: 'rating' as const, published: day, effective: null, value: { code, announced: day, rating } }],
    ),
}

const atOnce = 2_000

/** Adds what is not known yet. A rating that is what it was is no news, nor a call that stands as it did. */
export async function learn(db: Kysely<Database>, source: string, facts: readonly Fact[]): Promise<void> {
  const known = facts.some(({ what }) => what === 'rating' || what === 'call') ? await knownFacts(db, 'cb', '9999-12-31') : noFacts
  const news = facts.filter(({ code, published, value }) => {
    const last = <R extends { readonly announced: string }>(rows: ReadonlyMap<string, readonly R[]>) =>
      rows.get(code)?.findLast(({ announced }) => announced <= published)
    if ('rating' in value) return last(known.ratings)?.rating !== value.rating
    return !('standing' in value && value.standing) || saysMore(value, last(known.calls))
  })
  for (let from = 0; from < news.length; from += atOnce) {
    const rows = news.slice(from, from + atOnce).map(({ value, ...fact }) => ({ ...fact, value: JSON.stringify(value), source }))
    await db
      .insertInto('known_fact')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** A call that stands as it did is news where it states another day or price than was known. */
function saysMore(now: CallRow, before: CallRow | undefined): boolean {
  if (before?.status !== now.status) return true
  const isOther = (stated: number | string | null | undefined, known: number | string | null | undefined) =>
    stated !== null && stated !== undefined && stated === stated && stated !== known
  const stated = ['price', 'lastTradingDay', 'registerDate', 'callDate', 'paymentDate'] as const
  return stated.some((key) => isOther(now[key], before[key]))
}

/** What was public at the end of a day, of what a market's days need. */
export async function knownFacts(db: Kysely<Database>, kind: SnapshotKind, day: string): Promise<Facts> {
  if (ingestRules[kind].facts.length === 0) return noFacts
  const rows = await db
    .selectFrom('known_fact')
    .select(['what', 'code', 'value'])
    .where('published', '<=', day)
    .where('what', 'in', ingestRules[kind].facts)
    .orderBy('published')
    .orderBy(sql`coalesce(effective, published)`)
    .orderBy('id')
    .execute()
  const found = { calls: new Map(), conversionPrices: new Map(), remainingSizes: new Map(), ratings: new Map(), names: new Map() }
  for (const { what, code, value } of rows) {
    if (what === 'statement') continue
    const list = found[whats[what]]
    const known = list.get(code)
    if (known) known.push(alive(value))
    else list.set(code, [alive(value)])
  }
  return found
}

/** Statements are looked for among those of so many days: what is older is in the published book. */
const statementDays = 400

/**
 * Good statements that were published up to a day, with the day on which they came; those that lie back further than a year are in the
 * book.
 */
export async function learnedStatements(db: Kysely<Database>, day: string): Promise<HeardStatement[]> {
  const rows = await db
    .selectFrom('known_fact')
    .select(['code', 'value'])
    .where('what', '=', 'statement')
    .where('published', '<=', day)
    .where('published', '>=', addDays(day, -statementDays))
    .orderBy('id')
    .execute()
  return rows.flatMap(({ code, value }) => {
    if (!('items' in value)) return []
    const { announced, period, items, heard } = value
    return [{ code, announced, period, items, heard }]
  })
}

/** Remembers statements that say anything new. */
export async function learnStatements(
  db: Kysely<Database>,
  source: string,
  statements: readonly HeardStatement[],
  day: string,
): Promise<void> {
  const known = new Set((await learnedStatements(db, day)).map(saying))
  const facts = statements
    .filter((statement) => !known.has(saying(statement)))
    .map(({ code, ...value }): Fact => ({ code, what: 'statement', published: value.announced, effective: value.period, value }))
  await learn(db, source, facts)
}

const saying = ({ code, announced, period, items }: HeardStatement): string =>
  JSON.stringify([code, announced, period, Object.entries(items).sort(([a], [b]) => (a < b ? -1 : 1))])

/** NaN is null in a row, and NaN again outside of it. */
const numbers = new Set(['price', 'size'])
const alive = (value: FactValue) =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, numbers.has(key) && each === null ? Number.NaN : each]))
