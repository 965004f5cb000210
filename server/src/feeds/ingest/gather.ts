/** Asks the sources for what a day of a market is made of, and keeps what they answer. */

import { join } from 'node:path'
import { shanghaiTime } from '../../base/time.ts'
import type { FeedErrorKind, Kept, Need } from '../../db/tables/answers.ts'
import type { DayPart } from '../../db/tables/day-parts.ts'
import { hasStepped } from '../../market/import/factors.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'
import { type Chain, type Check, order } from '../chain.ts'
import { type Answer, type Ask, FeedError, type RawAnswer } from '../feed.ts'
import { needLabel } from '../needs.ts'
import type { DayTable } from '../rows.ts'
import type { PartState } from './day-parts.ts'
import { ingestRules } from './ingest-rules.ts'
import type { AnswersSoFar, GatherState, Step } from './questions.ts'
import { keepAnswer, keepBytes, lastRows } from './raw-answers.ts'

type ListRows = readonly { readonly code: string }[]

/**
 * A list lacks what ended long ago, perhaps; of what was listed the day before only a little. It takes nobody away where it lacks more.
 * Of a source that gave a list before only what that had is expected: not every source has every exchange.
 *
 * @param before what each source had last
 */
const shortList =
  (listed: readonly string[], before: ReadonlyMap<string, ReadonlySet<string>>, refuse: (source: string, rows: ListRows) => void) =>
  (answer: unknown, source: string): string | null => {
    const rows = answer as ListRows
    const there = new Set(rows.map(({ code }) => code))
    const own = before.get(source)
    const expected = own ? listed.filter((code) => own.has(code)) : listed
    const lacking = expected.filter((code) => !there.has(code)).length
    if (lacking <= Math.max(10, 0.02 * expected.length)) return null
    refuse(source, rows)
    return `的列表缺少 ${lacking} 只前一交易日还在上市的证券，未采用`
  }

async function lastCodes(
  dataDir: string,
  need: 'stock-list' | 'bond-list',
  feeds: Chain['feeds'],
  day: string,
): Promise<Map<string, ReadonlySet<string>>> {
  const codes = new Map<string, ReadonlySet<string>>()
  for (const { name, offers } of feeds) {
    const rows: ListRows | null = offers[need] ? await lastRows(dataDir, need, name, day) : null
    if (rows) codes.set(name, new Set(rows.map(({ code }) => code)))
  }
  return codes
}

/** Faults after which another try may help. */
const comes: ReadonlySet<FeedErrorKind> = new Set(['wait', 'network', 'shape'])

/** Bars of so many securities are compared with those of the next source, where there is one: enough to see another unit or another day. */
const secondOpinions: Partial<Record<Need, { rows: number }>> = { 'stock-day': { rows: 20 }, 'bond-day': { rows: 20 } }
const mostTold = 3

function differencesIn(from: string, check: Check | null): string[] {
  if (check === null || check.differences.length === 0) return []
  const some = check.differences.slice(0, mostTold).map(({ code, field, first, second }) => `${code} 的 ${field} 为 ${first} 与 ${second}`)
  return [`${from} 与 ${check.by} 比对 ${check.cells} 处，${check.differences.length} 处不同：${some.join('、')}`]
}

/** What the answer to a question is a part of. */
const partsOfNeed: Partial<Record<Need, readonly DayPart[]>> = {
  'stock-day': ['bars', 'factors', 'valuations'],
  'bond-day': ['bars', 'valuations'],
  ...{ 'stock-list': ['lists'], 'bond-list': ['lists'], names: ['lists'] },
  'conversion-prices': ['prices'],
  'remaining-sizes': ['sizes'],
  calls: ['announcements'],
}
/** GatherState for with bars that come later than the others, of their bonds alone: before the new rows are judged. */
const besideBars: ReadonlySet<Need> = new Set(['conversion-prices', 'remaining-sizes'])
/** Sizes and announcements come in the evening: an answer of the afternoon is not the day's. */
export const completeFrom: Partial<Record<DayPart, string>> = { sizes: '18:00', announcements: '20:00' }

export interface Gathered {
  readonly kept: readonly Kept[]
  /** The parts of the day that are answered or not; bars and what goes with them are counted when the day is made. */
  readonly parts: readonly PartState[]
  /** Chinese sentences: sources that were passed over and why, and what an answer lacks. */
  readonly notes: readonly string[]
  /** Why the day has to wait; null: all that must be there is. */
  readonly waits: string | null
}

/** What is known before the first answer. `answers`: those that are there already, and are not asked for again. */
export interface Known extends Omit<GatherState, 'newcomers' | 'stepped'> {
  /** Only what belongs to these is asked for; null: all. */
  readonly parts: ReadonlySet<DayPart> | null
  readonly askedAt: Date
  /** Codes whose bar of the day is there already. */
  readonly hasBar: ReadonlySet<string>
  /** Whether the day's bars were never there before: then they are compared with a second source's. */
  readonly isFirst: boolean
  /** Whether anything was ever published of the code. */
  isKnown(code: string): boolean
  /** The close before, NaN = none. */
  closeBefore(code: string): number
}

function steppedIn({ codes, columns }: DayTable, closeBefore: Known['closeBefore']): string[] {
  const previous = columns.get('pre_close')
  if (previous === undefined || columns.get('adj_factor')?.some((cell) => cell === cell)) return []
  return codes.filter((code, i) => hasStepped(closeBefore(code), previous[i]!))
}

/** Asks for a step of a day. Every answer is on the disk before it is used. */
export async function gather(
  { chain, dataDir, signal }: { chain: Pick<Chain, 'ask' | 'feeds'>; dataDir: string; signal: AbortSignal },
  kind: SnapshotKind,
  step: Step,
  { isKnown, closeBefore, parts: wanted, askedAt, isFirst, hasBar, ...known }: Known,
): Promise<Gathered> {
  const { day } = known
  const parts = new Map<DayPart, PartState>()
  const isComplete = (part: DayPart) => shanghaiTime(askedAt) >= `${day}T${completeFrom[part] ?? '00:00'}`
  /** Of lists several are asked for: all of them are answered, or the part is open. */
  const noteAnswer = (need: Need, count: number, isAnswered: boolean) => {
    const [part] = partsOfNeed[need] ?? []
    if (part === undefined || part === 'bars' || (part === 'sizes' && step === 'quotes')) return
    const before = parts.get(part) ?? { expected: 0, found: 0 }
    const found = isAnswered && isComplete(part) ? count : 0
    parts.set(part, { part, expected: before.expected + count, found: before.found + found, lacking: [] })
  }
  const kept: Kept[] = []
  const notes: string[] = []
  let newcomers: readonly string[] = []
  let stepped: readonly string[] = []
  const offersOf = (need: Need) => chain.feeds.some(({ name, offers }) => order[need].includes(name) && offers[need] !== undefined)
  const answers: Partial<Record<Need, unknown>> = { ...known.answers }
  for (const { need, must, ask } of ingestRules[kind].questions[step]) {
    const isWanted = !(need in known.answers) && (wanted === null || partsOfNeed[need]?.some((part) => wanted.has(part)))
    const isBeside = !isWanted && step === 'quotes' && besideBars.has(need) && wanted?.has('bars') === true
    if (!isWanted && !isBeside) continue
    const raw: RawAnswer[] = []
    const repriced: GatherState['repriced'] = (so) => known.repriced(so).filter((code) => !isBeside || !hasBar.has(code))
    const query = ask({ ...known, repriced, newcomers, stepped, answers: answers as AnswersSoFar })
    const count = query && need === 'conversion-prices' ? (query as Ask<'conversion-prices'>).codes.length : 1
    if (query === null) {
      if (!isBeside) noteAnswer(need, 0, true)
      continue
    }
    const own = ingestRules[kind].list
    const refused = new Map<string, ListRows>()
    try {
      const asking = {
        signal,
        keep: (answer: RawAnswer) => raw.push(answer),
        tell: (note: string) => notes.push(`${needLabel(need)}：${note}`),
      }
      const judge =
        need === own
          ? { judge: shortList(known.codes, await lastCodes(dataDir, own, chain.feeds, day), (from, rows) => refused.set(from, rows)) }
          : {}
      const answered = await chain.ask(need, query, { ...asking, ...judge }, isFirst ? secondOpinions[need] : undefined)
      for (const { what, bytes } of raw) await keepBytes(dataDir, join(what.split(' ')[0]!, need, day), 'raw', bytes)
      notes.push(...answered.passed.map(({ why }) => why), ...differencesIn(answered.from, answered.check))
      if ('notes' in answered.answer) notes.push(...(answered.answer.notes ?? []))
      if ('codes' in answered.answer && answered.answer.codes.length === 0) {
        if (must) return { kept, notes, parts: [...parts.values()], waits: '数据源还没有这一天的数据' }
        continue
      }
      if (must === true && 'codes' in answered.answer) {
        newcomers = answered.answer.codes.filter((code) => !isKnown(code))
        stepped = steppedIn(answered.answer, closeBefore)
      }
      answers[need] = answered.answer
      // Of some bonds: the part of the day stays what it was.
      if (!isBeside) noteAnswer(need, count, true)
      kept.push(await keepAnswer(dataDir, need, day, answered.from, answered.answer))
    } catch (error) {
      if (!(error instanceof FeedError)) throw error
      if (must === true || (must && comes.has(error.kind))) return { kept, notes, parts: [...parts.values()], waits: error.message }
      // What nobody may be asked does not come: it is no part of the day.
      if (error.kind !== 'permission' && offersOf(need)) noteAnswer(need, count, false)
      notes.push(`${needLabel(need)}：${error.message}`)
    } finally {
      // What a source gives on another day is compared with it.
      for (const [from, rows] of refused) await keepAnswer(dataDir, need, day, from, rows as Answer<typeof need>)
    }
  }
  return { kept, notes: [...new Set(notes)], parts: [...parts.values()], waits: null }
}
