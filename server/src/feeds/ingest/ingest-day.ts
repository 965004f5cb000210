/**
 * One step of a market's day, from the question to the published snapshot. What has been reached stands in its row of `ingest_step`:
 *
 * 1. `asked`: every answer is kept. A process that dies from here on has nothing to ask again.
 * 2. What the answers say of later days is learned (`facts.ts`), and conversion prices that nobody dates are derived.
 * 3. Rows that lack or did not pass are asked of the next source.
 * 4. `published` or `refused`: the day is made (`make-day.ts`) and put behind the newest snapshot, or in the place of what it was.
 *
 * The same answers make the same day, and a day that is what it was publishes nothing, so any step may be done again at any time.
 */

import { adjustments } from '@convexa/contract/enums/adjust'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { Kysely } from 'kysely'
import { shanghaiTime } from '../../base/time.ts'
import { feedLabel } from '../../config/feeds.ts'
import type { Kept } from '../../db/tables/answers.ts'
import type { DayPart } from '../../db/tables/day-parts.ts'
import type { Database } from '../../db/tables.ts'
import { keptChanges } from '../../market/code-changes.ts'
import { findingLines } from '../../market/import/report-text.ts'
import { olderImporterNote, readManifest, snapshotLabels } from '../../market/manifest.ts'
import { marketOf, rulesOf } from '../../market/market-rules.ts'
import { newestSnapshot, type Snapshot, type SnapshotKind, snapshotPath } from '../../market/snapshot.ts'
import { type Chain, order } from '../chain.ts'
import { FeedError } from '../feed.ts'
import { roundHours } from '../round-hours.ts'
import { type Answers, answersOf, keptOfShares, plainAnswers, priceViewOf, quotesOn, readAll } from './answers.ts'
import { derivedPrices, dueForPrice } from './conversion-prices.ts'
import type { DayAnswers } from './day-answers.ts'
import { type PartState, partsOf, partText, stateOf, stepOfPart } from './day-parts.ts'
import { lastCloses } from './factors.ts'
import { derivedFacts, type Facts, factsIn, knownFacts, learn } from './facts.ts'
import { type Gathered, gather, type Known } from './gather.ts'
import { ingestRules } from './ingest-rules.ts'
import { type Made, makeDay } from './make-day.ts'
import { learnedSince } from './members.ts'
import { keepParts, partsOn } from './part-rows.ts'
import { noPast, type Past, readPast } from './past.ts'
import { type NewDay, publishDay } from './publish-day.ts'
import type { AnswersSoFar, Step } from './questions.ts'
import { keepAnswer, readAnswer } from './raw-answers.ts'
import { daysOfAlarm } from './rejected-alarm.ts'
import { renamedAnswers, renamedPast, renamesOn, withFormerCodes } from './renames.ts'
import { statementsFrom, takeInStatements } from './statement-step.ts'
import { keepRejected, note, rejectedOn, rowOf, type StepKey } from './step-rows.ts'

export interface IngestDeps {
  readonly db: Kysely<Database>
  readonly dataDir: string
  readonly chain: Pick<Chain, 'ask' | 'feeds'>
  readonly signal: AbortSignal
  readonly now?: () => Date
}

/** What became of a step. `text`: the report in Chinese, line by line. */
export interface Ingested {
  readonly kind: SnapshotKind
  readonly day: string
  readonly step: Step
  readonly state: 'waiting' | 'published' | 'unchanged' | 'refused' | 'held'
  readonly text: string
  readonly snapshot: Snapshot | null
  /** From which day on something is known now of securities that was not: the days since are to be made again. */
  readonly learnedSince?: string
  /** Factors of the day before that were made of reference prices and are known now: that day is to be made again. */
  readonly settles?: { readonly day: string; readonly source: string; readonly factors: ReadonlyMap<string, number> }
}

/**
 * `again`: ask anew, whatever was kept; `beside`: what comes goes beside what is kept, not in its place. `parts`: of a published day only
 * these are asked for, none: it is made again of what is kept. `evenHeld`: what was taken back too. `all`: of everybody, also where nothing
 * should have changed.
 */
export interface Manner {
  readonly again?: boolean
  readonly beside?: boolean
  readonly parts?: ReadonlySet<DayPart>
  readonly evenHeld?: boolean
  readonly all?: boolean
}

export async function ingestDay(
  deps: IngestDeps,
  kind: SnapshotKind,
  day: string,
  step: Step,
  { again = false, beside = false, parts, evenHeld = false, all = false }: Manner = {},
): Promise<Ingested> {
  const { db, dataDir } = deps
  const askedAt = deps.now?.() ?? new Date()
  const key = { market: kind, day, step }
  const began = performance.now()
  const before = await rowOf(db, key)
  if (before?.state === 'held' && !evenHeld)
    return { ...about(key), state: 'held', text: `${titleOf(key)}：已回滚，等待人工确认`, snapshot: null }
  const base = await baseOf(db, kind)
  const mixed = base && (await mixedPrices(dataDir, base))
  if (mixed) {
    if (before?.state !== 'published') await note(db, key, { state: 'refused', answers: [], report: mixed, snapshot_id: null })
    return { ...about(key), state: 'refused', text: `${titleOf(key)}：${mixed}`, snapshot: null }
  }
  const published = base ? await readPast(dataDir, base, day) : noPast(kind)
  const changes = kind === 'index' ? [] : await keptChanges(db)
  const renames = renamesOn(
    day,
    changes.map(({ change }) => change),
    published,
  )
  const past = renamedPast(published, renames)
  // Bonds are made of what was answered of shares, too.
  const ofShares = rulesOf(kind)?.issuerMarket ? await keptOfShares(deps, day) : []
  // Asked anew without success, a day is still made of what it was published of.
  const standing = before?.state === 'published' ? before : null
  let kept = !again && before?.state === 'asked' ? before.answers : null
  const notes: string[] = []
  const states: PartState[] = []
  let fresh: readonly Kept[] = kept ?? []
  if (kept === null || (await readAll(dataDir, kept)) === null) {
    const facts = await knownFacts(db, kind, day)
    const codes = listedCodes(past)
    const there = step === 'quotes' ? ((await readAll(dataDir, ofShares)) ?? {}) : {}
    const gatherInput: Known = {
      ...{ day, codes, askedAt, parts: parts ?? null, answers: plainAnswers(there) },
      ...{ closeBefore: lastCloses(past), isKnown: (code) => facts.conversionPrices.has(code) },
      hasNames: !all && facts.names.size > 0,
      hasBar: parts && standing ? await codesOf(dataDir, standing.answers, kind) : new Set(),
      isFirst: !before || before.state === 'waiting',
      repriced: await repricedOn(deps, key, { past, facts, all }),
      statementsFrom: await statementsFrom(db, kind, day, all),
    }
    const gathered = (await askedBeside(deps, key)) ?? (await gather(deps, kind, step, gatherInput))
    notes.push(...gathered.notes)
    states.push(...gathered.parts)
    if (gathered.waits !== null && !(standing && parts)) {
      if (!standing) await note(db, key, { state: 'waiting', answers: [], report: gathered.waits, snapshot_id: null })
      return { ...about(key), state: 'waiting', text: `${titleOf(key)}：${gathered.waits}`, snapshot: null }
    }
    if (gathered.waits !== null) notes.push(gathered.waits)
    fresh = gathered.kept
    // Only what came changes.
    kept = standing && (beside || parts) ? joined(standing.answers, fresh) : [...fresh]
    if (!standing) await note(db, key, { state: 'asked', answers: kept, report: '', snapshot_id: null })
  }
  for (const each of fresh) {
    const answer = await readAnswer(dataDir, each)
    if (answer) await learn(db, each.source, factsIn(each.need, answer, day))
  }
  // The evening's step makes the day again out of the afternoon's bars and what is known now.
  let bars = step === 'quotes' ? kept : ((await rowOf(db, { ...key, step: 'quotes' }))?.answers ?? [])
  const dayBefore = past.dates.at(-1)
  const madeFactors =
    marketOf(kind)?.hasAdjustmentFactor && dayBefore !== undefined ? { madeFactors: await madeFactorsOn(db, dayBefore) } : {}
  const rejectedBefore = await rejectedOn(db, kind, past.dates.slice(1 - daysOfAlarm).toReversed())
  const isLate = shanghaiTime(askedAt) >= `${day}T${roundHours.statements}`
  const answered = async () => {
    const answers = await readAll(dataDir, bars.length > 0 ? [...ofShares, ...bars] : bars)
    const parsed = answers && (await answersOf(db, kind, day, answers))
    const priced = answers && parsed && (await withDerivedPrices(deps, past, answers, parsed))
    return priced && { ...renamedAnswers(priced, renames), ...madeFactors, isLate, rejectedBefore }
  }
  let answers = await answered()
  if (!answers) {
    await note(db, key, { state: 'waiting', answers: kept, report: '当天的行情还没有采集', snapshot_id: null })
    return { ...about(key), state: 'waiting', text: `${titleOf(key)}：当天的行情还没有采集`, snapshot: null }
  }
  const statements = step === 'statements' && base ? await takeInStatements(deps, base, kept, key) : null
  notes.push(...(statements?.notes ?? []))
  const older = base && olderImporterNote(await readManifest(snapshotPath(dataDir, base), base.manifestSha256))
  if (older) notes.push(`${older}。`)
  let made = statements ? statements.onto(() => makeDay(past, answers!)) : makeDay(past, answers)
  const others = step === 'quotes' && fresh.length > 0 ? await askOthers(deps, kind, day, { made, answers, notes }) : []
  if (others.length > 0) {
    kept = bars = joined(bars, others)
    answers = (await answered()) ?? answers
    made = makeDay(past, answers)
  }
  const has = partsOf(kind, deps.chain)
  states.push(...made.parts)
  const open = states.filter((each) => has.has(each.part) && stateOf(each) !== 'whole')
  if (open.length > 0) notes.push(`未到齐：${open.map(partText).join('，')}`)
  const dayUnder = (of: NewDay): NewDay => ({
    ...of,
    securities: withFormerCodes(of.securities, renames),
    sources: sourcesOf([...ofShares, ...bars], day),
  })
  const put =
    statements?.isNothing && base
      ? { snapshot: base, how: 'unchanged' as const }
      : made.day && (await publishDay(deps, kind, base, dayUnder(made.day), made))
  if (put && 'refused' in put) notes.unshift(put.refused)
  const done = put && 'snapshot' in put ? put : null
  const state = done?.how ?? 'refused'
  const text = reportOf(key, made, state, notes)
  if (!done && standing) {
    const { answers, snapshot_id } = standing
    await note(db, key, { state: 'published', answers, report: text, snapshot_id })
    return { ...about(key), state, text, snapshot: null }
  }
  // What it is already it has been since an earlier version, which alone would take it back.
  const snapshot_id = (done?.how === 'unchanged' && standing?.snapshot_id) || (done?.snapshot.id ?? null)
  const noted = {
    ...{ state: done ? ('published' as const) : ('refused' as const), report: text, snapshot_id },
    seconds: (performance.now() - began) / 1_000,
    quarantined: made.quarantined,
    findings: made.findings.map(({ check, level, count, text: says }) => ({ check, level, count, text: says })),
  }
  await note(db, key, { ...noted, answers: kept })
  if (done) {
    const source = answers.source
    if (made.rejected) await keepRejected(db, { market: kind, day }, made.rejected)
    await keepParts(
      db,
      { market: kind, day },
      states.filter(({ part }) => has.has(part)),
      { source, askedAt, isAsked: (part) => stepOfPart[part] === step && (!parts || parts.has(part)) },
    )
  }
  // What the evening told has repaired a day that was refused in the afternoon.
  const afternoon = { ...key, step: 'quotes' as const }
  if (step === 'events' && done && (await rowOf(db, afternoon))?.state === 'refused') await note(db, afternoon, { ...noted, answers: bars })
  const settles =
    done && made.settled && made.settled.size > 0 && dayBefore !== undefined
      ? { settles: { day: dayBefore, source: answers.source, factors: made.settled } }
      : {}
  const since = done && made.day ? learnedSince(past, day, made.day.securities) : null
  return { ...about(key), state, text, snapshot: done?.snapshot ?? null, ...settles, ...(since !== null && { learnedSince: since }) }
}

/** Codes of the bars among kept answers. */
async function codesOf(dataDir: string, kept: readonly Kept[], kind: SnapshotKind): Promise<ReadonlySet<string>> {
  const need = ingestRules[kind].bars
  const bars = kept.filter((each) => each.need === need)
  return new Set((await readAll(dataDir, bars))?.[need]?.answer.codes)
}

/** Tells whether a code's factor of a day has not come. */
async function madeFactorsOn(db: Kysely<Database>, day: string): Promise<(code: string) => boolean> {
  const part = (await partsOn(db, 'stk', day)).find((each) => each.part === 'factors')
  if (!part || part.found >= part.expected) return () => false
  const lacking = new Set(part.lacking)
  return (code) => part.found === 0 || lacking.has(code)
}

/** Keeps factors that became known later with a day's answers; the day is made of them when it is made again. */
export async function keepFactors(
  { db, dataDir }: Pick<IngestDeps, 'db' | 'dataDir'>,
  { day, source, factors }: NonNullable<Ingested['settles']>,
): Promise<boolean> {
  const key = { market: 'stk', day, step: 'quotes' } as const
  const row = await rowOf(db, key)
  if (row?.state !== 'published') return false
  const codes = [...factors.keys()].sort()
  const columns = new Map([['adj_factor', Float64Array.from(codes, (code) => factors.get(code)!)]])
  const kept = await keepAnswer(dataDir, 'stock-day', day, source, { date: day, codes, columns })
  await db
    .updateTable('ingest_step')
    .set({ answers: JSON.stringify(joined(row.answers, [kept])) })
    .where('market', '=', key.market)
    .where('day', '=', day)
    .where('step', '=', key.step)
    .execute()
  return true
}

/** What is published is real: a demo market is nothing to put a day behind. */
export async function baseOf(db: Kysely<Database>, kind: SnapshotKind): Promise<Snapshot | null> {
  const newest = await newestSnapshot(db, kind)
  return isSynthetic(newest?.dataMode) ? null : newest
}

/** Sources tell prices as they were traded: behind others a dividend would look like a loss. Why nothing is asked; null: the prices are alike. */
async function mixedPrices(dataDir: string, base: Snapshot): Promise<string | null> {
  const { adjust } = await readManifest(snapshotPath(dataDir, base), base.manifestSha256)
  return adjustments[adjust].adjusted ? '已导入的是复权价，数据源给的是未复权价，两者不能接在一起；请导入未复权的行情，或关闭采集' : null
}

const about = ({ market, day, step }: StepKey) => ({ kind: market, day, step })

/** Bonds have the statements of their companies: what was asked for stocks that evening is not asked again. */
async function askedBeside({ db, dataDir }: IngestDeps, { market, day, step }: StepKey): Promise<Gathered | null> {
  const issuerMarket = rulesOf(market)?.issuerMarket
  if (step !== 'statements' || !issuerMarket || rulesOf(market)?.hasStatements) return null
  const row = await rowOf(db, { market: issuerMarket, day, step })
  if (!row || row.state === 'waiting' || row.answers.length === 0 || (await readAll(dataDir, row.answers)) === null) return null
  return { kept: row.answers, notes: [], parts: [], waits: null }
}

/**
 * Codes whose conversion price must be fetched, found by the day's bars (in the evening by those of the afternoon); all codes where there
 * are no bars.
 */
async function repricedOn(
  deps: IngestDeps,
  { market, day, step }: StepKey,
  { past, facts, all }: { past: Past; facts: Facts; all: boolean },
): Promise<Known['repriced']> {
  const due = (answers: AnswersSoFar): readonly string[] => {
    const view = priceViewOf(answers)
    return view ? dueForPrice({ ...view, day, past, facts }) : listedCodes(past)
  }
  if (!marketOf(market)?.hasIssuerStock || step === 'statements') return () => []
  if (step === 'quotes') return due
  const codes = all ? listedCodes(past) : due(plainAnswers(await quotesOn(deps, market, day)))
  return () => codes
}

/** The answers with the conversion prices that follow from them where no dated source has them; these are kept as known. */
async function withDerivedPrices(deps: IngestDeps, past: Past, answers: Answers, parsed: DayAnswers): Promise<DayAnswers> {
  const found = marketOf(past.kind)?.hasIssuerStock ? priceViewOf(plainAnswers(answers)) : null
  if (!found) return parsed
  const view = { ...found, day: parsed.day, past, facts: parsed.facts }
  const dayBefore = past.dates.at(-1)
  const before = dayBefore === undefined ? null : priceViewOf(plainAnswers(await quotesOn(deps, past.kind, dayBefore)))
  const derived = derivedPrices(view, before)
  if (derived.length === 0) return parsed
  await learn(deps.db, parsed.source, derivedFacts(derived))
  return { ...parsed, facts: await knownFacts(deps.db, 'cb', parsed.day) }
}

/** Of two answers of one source to one question the later one. */
const sourcesOf = (kept: readonly Kept[], day: string) => [
  ...new Map(
    kept.map(({ need, source, bytes, sha256 }) => {
      const name = `${source}/${need}/${day}`
      return [name, { name, bytes, sha256 }] as const
    }),
  ).values(),
]

/** The kept answers with new ones behind them; an answer that says the same once more is the new one. */
function joined(before: readonly Kept[], now: readonly Kept[]): Kept[] {
  const files = new Set(now.map(({ file }) => file))
  return [...before.filter(({ file }) => !files.has(file)), ...now]
}

/** Rows of bars that did not come, or did not pass, asked of the sources behind those that have answered. */
async function askOthers(
  { chain, dataDir, signal }: IngestDeps,
  kind: SnapshotKind,
  day: string,
  { made, answers, notes }: { made: Made; answers: DayAnswers; notes: string[] },
): Promise<Kept[]> {
  const need = ingestRules[kind].bars
  // One that is listed on the day is no member before it has a row.
  const rows = new Set(answers.table.codes)
  const begun = [...(answers.entries?.values() ?? [])]
    .filter(({ code, listed }) => listed === day && !rows.has(code))
    .map(({ code }) => code)
  const lacking = [...new Set([...(made.parts.find(({ part }) => part === 'bars')?.lacking ?? []), ...begun])].sort()
  if (kind === 'index' || lacking.length === 0) return []
  // Of a source behind the first that has answered before a row may stand in again: the first one's own has overwritten it.
  const answeredSources = order[need].slice(0, order[need].indexOf(answers.source) + 1)
  if (!chain.feeds.some(({ name, offers }) => offers[need] && order[need].includes(name) && !answeredSources.includes(name))) return []
  try {
    const { answer, from } = await chain.ask(need, { date: day, codes: lacking }, { signal }, undefined, answeredSources)
    notes.push(...(answer.notes ?? []))
    if (answer.codes.length === 0) return []
    notes.push(`${answer.codes.length} 行改用 ${feedLabel(from)} 的：${answer.codes.slice(0, 5).join('、')}`)
    return [{ ...(await keepAnswer(dataDir, need, day, from, answer)), instead: true }]
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    notes.push(error.message)
    return []
  }
}

/** Codes that are listed on the last day before. */
function listedCodes({ securities, dates, listed, stride }: Past): string[] {
  const last = (dates.length - 1) * stride
  return securities.filter((_, place) => last >= 0 && listed[last + place] === 1).map(({ code }) => code)
}

export const stepNames: Readonly<Record<Step, string>> = { quotes: '行情', events: '公告', statements: '财报' }
const titleOf = ({ market, day, step }: StepKey): string => `${snapshotLabels[market]} ${day} ${stepNames[step]}`
const states = { published: '已发布', unchanged: '与已有数据相同，无需更新', refused: '未发布，已有数据保持不变' } as const

function reportOf(key: StepKey, made: Made, state: keyof typeof states, notes: readonly string[]): string {
  const unit = key.step === 'statements' ? '份' : '行'
  const left = made.quarantined > 0 ? `，隔离 ${made.quarantined} ${unit}` : ''
  return [
    `${titleOf(key)}：${states[state]}。共 ${made.rows} ${unit}${left}。`,
    ...made.findings.flatMap(findingLines),
    ...notes.map((text) => `说明：${text}`),
  ].join('\n')
}
