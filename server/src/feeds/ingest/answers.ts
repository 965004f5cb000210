/** The kept answers of a day, as one of each question, and what a day is made of. */

import type { Kysely } from 'kysely'
import type { Kept, Need } from '../../db/tables/answers.ts'
import type { Database } from '../../db/tables.ts'
import { marketOf, rulesOf } from '../../market/market-rules.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'
import type { Answer } from '../feed.ts'
import { callListsUpTo } from './call-lists.ts'
import type { PriceView } from './conversion-prices.ts'
import type { DayAnswers } from './day-answers.ts'
import type { Entry } from './entries.ts'
import { knownFacts } from './facts.ts'
import { ingestRules } from './ingest-rules.ts'
import { type GivenAnswer, mergedAnswer } from './merged-answers.ts'
import type { AnswersSoFar } from './questions.ts'
import { readAnswer } from './raw-answers.ts'
import { rowOf } from './step-rows.ts'

export type Answers = { [N in Need]?: { readonly answer: Answer<N>; readonly source: string } }

export interface AnswerPlace {
  readonly db: Kysely<Database>
  readonly dataDir: string
}

/** All kept answers, those to one question as one; null where one of them cannot be read any more. */
export async function readAll(dataDir: string, kept: readonly Kept[]): Promise<Answers | null> {
  const given = new Map<Need, GivenAnswer[]>()
  for (const { need, source, instead = false, ...file } of kept) {
    const answer = await readAnswer(dataDir, { need, source, ...file })
    if (answer === null) return null
    given.set(need, [...(given.get(need) ?? []), { source, answer, instead }])
  }
  return Object.fromEntries([...given].map(([need, all]) => [need, mergedAnswer(need, all)])) as Answers
}

/** What was answered of shares on a day: bonds need the same and ask nobody twice. */
const ofShares: ReadonlySet<Need> = new Set(['stock-day', 'stock-list', 'names'])

export async function keptOfShares({ db, dataDir }: AnswerPlace, day: string): Promise<Kept[]> {
  const row = await rowOf(db, { market: 'stk', day, step: 'quotes' })
  if (!row || row.state === 'waiting' || row.state === 'held') return []
  const kept = row.answers.filter(({ need }) => ofShares.has(need))
  return kept.some(({ need }) => need === 'stock-day') && (await readAll(dataDir, kept)) ? kept : []
}

export async function answersOf(db: Kysely<Database>, kind: SnapshotKind, day: string, answers: Answers): Promise<DayAnswers | null> {
  const { bars, list, entries: entriesOf } = ingestRules[kind]
  const table = answers[bars]
  if (!table) return null
  const stocks = answers['stock-list']?.answer
  const listSource = list === null ? undefined : answers[list]?.source
  const entries = entriesOf(plainAnswers(answers))
  const needsShares = rulesOf(kind)?.issuerMarket != null
  return {
    day,
    table: table.answer,
    source: table.source,
    entries: entries ? new Map(entries.map((entry): [string, Entry] => [entry.code, entry])) : null,
    ...(listSource !== undefined && { listSource }),
    facts: await knownFacts(db, kind, day),
    callLists: marketOf(kind)?.redeemed ? await callListsUpTo(db, day) : [],
    stocks: needsShares ? (answers['stock-day']?.answer ?? null) : null,
    exDays: answers['ex-days'] ? new Map(answers['ex-days'].answer.map(({ code, date }) => [code, date !== null])) : null,
    stockNames: new Map(stocks?.map(({ code, name }) => [code, name])),
    ...(needsShares && { shareEnds: new Map(stocks?.flatMap(({ code, delisted }) => (delisted === null ? [] : [[code, delisted]]))) }),
  }
}

/** What was answered for the bars of a day; nothing where that is not kept. */
export async function quotesOn({ db, dataDir }: AnswerPlace, market: SnapshotKind, day: string): Promise<Answers> {
  const own = (await rowOf(db, { market, day, step: 'quotes' }))?.answers ?? []
  const beside = rulesOf(market)?.issuerMarket && own.length > 0 ? await keptOfShares({ db, dataDir }, day) : []
  return (await readAll(dataDir, [...beside, ...own])) ?? {}
}

export const plainAnswers = (answers: Answers): AnswersSoFar =>
  Object.fromEntries(Object.entries(answers).map(([need, { answer }]) => [need, answer]))

export function priceViewOf(answers: AnswersSoFar): Pick<PriceView, 'bonds' | 'table' | 'stocks'> | null {
  const table = answers['bond-day']
  return table ? { table, bonds: answers['bond-list'] ?? null, stocks: answers['stock-day'] ?? null } : null
}
