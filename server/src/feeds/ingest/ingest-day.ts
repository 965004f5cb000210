/**
 * One step of a market's day, from the question to the published snapshot. What has been reached stands in its row of `ingest_step`:
 *
 * 1. `asked`: every answer is kept. A process that dies from here on has nothing to ask again.
 * 2. What the answers say of later days is learned (`facts.ts`).
 * 3. `published` or `refused`: the day is made (`make-day.ts`) and put behind the newest snapshot, or in the place of what it was.
 *
 * The same answers make the same day, and a day that is what it was publishes nothing, so any step may be done again at any time.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/tables.ts'
import { putDay } from '../../market/append-day.ts'
import { keptChanges } from '../../market/code-changes.ts'
import { fieldsOf } from '../../market/import/mapping.ts'
import { findingLines } from '../../market/import/report-text.ts'
import { olderImporterTold, readManifest } from '../../market/manifest.ts'
import { type StoredFinding, withFound } from '../../market/quality.ts'
import { newestSnapshot, publish, retain, type Snapshot, type SnapshotKind, snapshotPath } from '../../market/snapshot.ts'
import { type MarketTable, strideFor } from '../../market/store.ts'
import type { Chain } from '../chain.ts'
import type { Answer, Need } from '../feed.ts'
import { derivedPrices, dueForPrice, type PriceView } from './conversion-prices.ts'
import { lastCloses } from './factors.ts'
import { derivedFacts, type Facts, factsIn, knownFacts, learn } from './facts.ts'
import { type AnswersSoFar, type Gathered, gather, type Known, type Step } from './gather.ts'
import { type DayAnswers, type Made, makeDay } from './make-day.ts'
import { type Entry, entryOfBond, entryOfStock } from './members.ts'
import { noPast, type Past, readPast } from './past.ts'
import { type Kept, readAnswer } from './raw-answers.ts'
import { renamedAnswers, renamedPast, renamesOn, withFormerCodes } from './renames.ts'
import { hearStatements, statementsFrom } from './statement-step.ts'

export interface IngestGround {
  readonly db: Kysely<Database>
  readonly dataDir: string
  readonly chain: Pick<Chain, 'ask'>
  readonly signal: AbortSignal
}

/** What became of a step. `text`: the report in Chinese, line by line. */
export interface Ingested {
  readonly kind: SnapshotKind
  readonly day: string
  readonly step: Step
  readonly state: 'waiting' | 'published' | 'unchanged' | 'refused' | 'held'
  readonly text: string
  readonly snapshot: Snapshot | null
}

/** Snapshots of each kind that stay, for `feed rollback`; they share their files. */
export const keptSnapshots = 10

/** `again`: ask anew, whatever was kept. `evenHeld`: what was taken back too. `all`: of everybody, also where nothing should have changed. */
export interface Manner {
  readonly again?: boolean
  readonly evenHeld?: boolean
  readonly all?: boolean
}

export async function ingestDay(
  ground: IngestGround,
  kind: SnapshotKind,
  day: string,
  step: Step,
  { again = false, evenHeld = false, all = false }: Manner = {},
): Promise<Ingested> {
  const { db, dataDir } = ground
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
  // Asked anew without success, a day is still made of what it was published of.
  const standing = before?.state === 'published' ? before : null
  let kept = !again && before?.state === 'asked' ? before.answers : null
  const notes: string[] = []
  if (kept === null || (await readAll(dataDir, kept)) === null) {
    const facts = await knownFacts(db, kind, day)
    const codes = listedCodes(past)
    const asked: Known = {
      ...{ day, codes, closeBefore: lastCloses(past), isKnown: (code) => facts.conversionPrices.has(code) },
      hasNames: !all && facts.names.size > 0,
      repriced: await repricedOn(ground, key, { past, facts, all }),
      statementsFrom: await statementsFrom(db, kind, day, all),
    }
    const gathered = (await askedBeside(ground, key)) ?? (await gather(ground, kind, step, asked))
    notes.push(...gathered.notes)
    if (gathered.waits !== null) {
      if (!standing) await note(db, key, { state: 'waiting', answers: [], report: gathered.waits, snapshot_id: null })
      return { ...about(key), state: 'waiting', text: `${titleOf(key)}：${gathered.waits}`, snapshot: null }
    }
    kept = [...gathered.kept]
    await note(db, key, { state: 'asked', answers: kept, report: '', snapshot_id: null })
  }
  for (const each of kept) {
    const answer = await readAnswer(dataDir, each)
    if (answer) await learn(db, each.source, factsIn(each.need, answer, day))
  }
  // The evening's step makes the day again out of the afternoon's bars and what is known now.
  const bars = step === 'quotes' ? kept : ((await rowOf(db, { ...key, step: 'quotes' }))?.answers ?? [])
  const answers = await readAll(dataDir, bars)
  const told = answers && (await answersOf(db, kind, day, answers))
  const priced = answers && told && (await withDerivedPrices(ground, past, answers, told))
  const answered = priced && renamedAnswers(priced, renames)
  if (!answered) {
    await note(db, key, { state: 'waiting', answers: kept, report: '当天的行情还没有采集', snapshot_id: null })
    return { ...about(key), state: 'waiting', text: `${titleOf(key)}：当天的行情还没有采集`, snapshot: null }
  }
  const heard = step === 'statements' && base ? await hearStatements(ground, base, kept, key) : null
  notes.push(...(heard?.notes ?? []))
  const older = base && olderImporterTold(await readManifest(snapshotPath(dataDir, base), base.manifestSha256))
  if (older) notes.push(`${older}。`)
  const made = heard ? heard.onto(() => makeDay(past, answered)) : makeDay(past, answered)
  const dayUnder = (of: NewDay): NewDay => ({
    ...of,
    securities: withFormerCodes(of.securities, renames),
    sources: sourcesOf(bars, day),
  })
  const put =
    heard?.isNothing && base
      ? { snapshot: base, how: 'unchanged' as const }
      : made.day && (await publishDay(ground, kind, base, dayUnder(made.day), made))
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
  // What the evening told has repaired a day that was refused in the afternoon.
  const afternoon = { ...key, step: 'quotes' as const }
  if (step === 'events' && done && (await rowOf(db, afternoon))?.state === 'refused') await note(db, afternoon, { ...noted, answers: bars })
  return { ...about(key), state, text, snapshot: done?.snapshot ?? null }
}

/** What is published is real: a demo market is nothing to put a day behind. */
export async function baseOf(db: Kysely<Database>, kind: SnapshotKind): Promise<Snapshot | null> {
  const newest = await newestSnapshot(db, kind)
  return newest?.dataMode === 'demo' ? null : newest
}

/** Sources tell prices as they were traded: behind others a dividend would look like a loss. Why nothing is asked; null: the prices are alike. */
async function mixedPrices(dataDir: string, base: Snapshot): Promise<string | null> {
  const { adjust } = await readManifest(snapshotPath(dataDir, base), base.manifestSha256)
  return adjust === 'raw' ? null : '已导入的是复权价，数据源给的是未复权价，两者不能接在一起；请导入未复权的行情，或关闭采集'
}

interface Key {
  readonly market: SnapshotKind
  readonly day: string
  readonly step: Step
}

const about = ({ market, day, step }: Key) => ({ kind: market, day, step })

async function rowOf(db: Kysely<Database>, { market, day, step }: Key) {
  return db
    .selectFrom('ingest_step')
    .select(['state', 'answers', 'snapshot_id'])
    .where('market', '=', market)
    .where('day', '=', day)
    .where('step', '=', step)
    .executeTakeFirst()
}

interface Noted {
  readonly state: Database['ingest_step']['state']
  readonly answers: readonly Kept[]
  readonly report: string
  readonly snapshot_id: string | null
  /** From the question to the published row; nothing while the step is not done. */
  readonly seconds?: number
  readonly quarantined?: number
  readonly findings?: readonly StoredFinding[]
}

async function note(db: Kysely<Database>, { market, day, step }: Key, { answers, seconds, findings, ...noted }: Noted): Promise<void> {
  const done = { ...(seconds !== undefined && { seconds }), ...(findings && { findings: JSON.stringify(findings) }) }
  const values = { ...noted, ...done, answers: JSON.stringify(answers) }
  await db
    .insertInto('ingest_step')
    .values({ market, day, step, ...values, tries: 1 })
    .onConflict((conflict) =>
      conflict.columns(['market', 'day', 'step']).doUpdateSet({
        ...values,
        tries: sql<number>`ingest_step.tries + ${noted.state === 'asked' || noted.state === 'waiting' ? 1 : 0}`,
        changed_at: sql<Date>`clock_timestamp()`,
      }),
    )
    .execute()
}

type Answers = { [N in Need]?: { readonly answer: Answer<N>; readonly source: string } }

/** All kept answers; null where one of them cannot be read any more. */
async function readAll(dataDir: string, kept: readonly Kept[]): Promise<Answers | null> {
  const answers: Record<string, unknown> = {}
  for (const each of kept) {
    const answer = await readAnswer(dataDir, each)
    if (answer === null) return null
    answers[each.need] = { answer, source: each.source }
  }
  return answers as Answers
}

const tables = { stk: 'stock-day', cb: 'bond-day', index: 'index-day' } as const

async function answersOf(db: Kysely<Database>, kind: SnapshotKind, day: string, answers: Answers): Promise<DayAnswers | null> {
  const table = answers[tables[kind]]
  if (!table) return null
  const stocks = answers['stock-list']?.answer
  const bonds = answers['bond-list']?.answer
  const entries = kind === 'cb' ? bonds?.map(entryOfBond) : kind === 'stk' ? stocks?.map(entryOfStock) : undefined
  return {
    day,
    table: table.answer,
    source: table.source,
    entries: entries ? new Map(entries.map((entry): [string, Entry] => [entry.code, entry])) : null,
    facts: await knownFacts(db, kind, day),
    stocks: kind === 'cb' ? (answers['stock-day']?.answer ?? null) : null,
    exDays: answers['ex-days'] ? new Set(answers['ex-days'].answer.map(({ code }) => code)) : null,
    stockNames: new Map(stocks?.map(({ code, name }) => [code, name])),
  }
}

/** Bonds have the statements of their companies: what was asked for stocks that evening is not asked again. */
async function askedBeside({ db, dataDir }: IngestGround, { market, day, step }: Key): Promise<Gathered | null> {
  if (step !== 'statements' || market === 'stk') return null
  const row = await rowOf(db, { market: 'stk', day, step })
  if (!row || row.state === 'waiting' || row.answers.length === 0 || (await readAll(dataDir, row.answers)) === null) return null
  return { kept: row.answers, notes: [], waits: null }
}

/** Whose conversion price is to be asked: told by the day's bars, of an evening by the afternoon's; without them it is that of all. */
async function repricedOn(
  ground: IngestGround,
  { market, day, step }: Key,
  { past, facts, all }: { past: Past; facts: Facts; all: boolean },
): Promise<Known['repriced']> {
  const due = (answers: AnswersSoFar): readonly string[] => {
    const view = priceViewOf(answers)
    return view ? dueForPrice({ ...view, day, past, facts }) : listedCodes(past)
  }
  if (market !== 'cb' || step === 'statements') return () => []
  if (step === 'quotes') return due
  const codes = all ? listedCodes(past) : due(plainAnswers(await quotesOn(ground, market, day)))
  return () => codes
}

/** What was answered for the bars of a day; nothing where that is not kept. */
async function quotesOn({ db, dataDir }: IngestGround, market: SnapshotKind, day: string): Promise<Answers> {
  return (await readAll(dataDir, (await rowOf(db, { market, day, step: 'quotes' }))?.answers ?? [])) ?? {}
}

const plainAnswers = (answers: Answers): AnswersSoFar =>
  Object.fromEntries(Object.entries(answers).map(([need, { answer }]) => [need, answer]))

function priceViewOf(answers: AnswersSoFar): Pick<PriceView, 'bonds' | 'table' | 'stocks'> | null {
  const table = answers['bond-day']
  return table ? { table, bonds: answers['bond-list'] ?? null, stocks: answers['stock-day'] ?? null } : null
}

/** The answers with the conversion prices that follow from them where no dated source has them; these are kept as known. */
async function withDerivedPrices(ground: IngestGround, past: Past, answers: Answers, told: DayAnswers): Promise<DayAnswers> {
  const found = past.kind === 'cb' ? priceViewOf(plainAnswers(answers)) : null
  if (!found) return told
  const view = { ...found, day: told.day, past, facts: told.facts }
  const dayBefore = past.dates.at(-1)
  const before = dayBefore === undefined ? null : priceViewOf(plainAnswers(await quotesOn(ground, 'cb', dayBefore)))
  const derived = derivedPrices(view, before)
  if (derived.length === 0) return told
  await learn(ground.db, told.source, derivedFacts(derived))
  return { ...told, facts: await knownFacts(ground.db, 'cb', told.day) }
}

const sourcesOf = (kept: readonly Kept[], day: string) =>
  kept.map(({ need, source, bytes, sha256 }) => ({ name: `${source}/${need}/${day}`, bytes, sha256 }))

/** Codes that are listed on the last day before. */
function listedCodes({ securities, dates, listed, stride }: Past): string[] {
  const last = (dates.length - 1) * stride
  return securities.filter((_, place) => last >= 0 && listed[last + place] === 1).map(({ code }) => code)
}

type NewDay = NonNullable<Made['day']>

async function publishDay(
  { db, dataDir }: IngestGround,
  kind: SnapshotKind,
  base: Snapshot | null,
  day: NewDay,
  made: Made,
): Promise<{ snapshot: Snapshot; how: 'published' | 'unchanged' } | { refused: string }> {
  if (base === null) {
    const { snapshot, unchanged } = await publish({ db, dataDir, ...begun(kind, day, made) })
    return { snapshot, how: unchanged ? 'unchanged' : 'published' }
  }
  const put = await putDay({ db, dataDir }, kind, day)
  if (!put.ok) return { refused: put.refused }
  if (put.how !== 'unchanged') await retain(db, dataDir, keptSnapshots)
  return { snapshot: put.snapshot, how: put.how === 'unchanged' ? 'unchanged' : 'published' }
}

/** A market that begins with this day. */
function begun(
  kind: SnapshotKind,
  day: NewDay,
  { rows, quarantined, findings }: Made,
): Omit<Parameters<typeof publish>[0], 'db' | 'dataDir'> {
  const stride = strideFor(day.securities.length)
  const stores = new Map(fieldsOf(kind).map(({ key, store }) => [key, store]))
  const laid = <C extends Float64Array | Uint8Array>(out: C, cells: ArrayLike<number>): C => {
    out.set(cells)
    return out
  }
  const table: MarketTable = {
    kind,
    dates: [day.date],
    securities: day.securities,
    stride,
    columns: new Map(
      [...day.columns].map(([key, cells]) => [
        key,
        { store: stores.get(key) ?? 'f64', cells: laid(new Float64Array(stride).fill(Number.NaN), cells), origin: 'file' },
      ]),
    ),
    listed: laid(new Uint8Array(stride), day.listed),
    traded: laid(new Uint8Array(stride), day.traded),
    benchmarks: new Map([...day.benchmarks].map(([code, value]) => [code, Float64Array.of(value)])),
  }
  const files = day.sources ?? []
  const quality = {
    rows,
    listedRows: day.listed.reduce((sum, flag) => sum + flag, 0),
    securities: day.securities.length,
    firstDate: day.date,
    lastDate: day.date,
    adjust: 'raw' as const,
    preset: '数据源',
    source: [...new Set(files.map(({ name }) => name.split('/')[0]!))],
    quarantined: 0,
    findings: [],
    notes: [],
  }
  return {
    table,
    mode: 'imported',
    adjust: 'raw',
    source: { preset: 'feeds', files },
    quality: withFound(quality, day.date, { of: 'rows', quarantined, findings }),
  }
}

export const marketNames: Readonly<Record<SnapshotKind, string>> = { cb: '可转债', stk: '股票', index: '指数' }
export const stepNames: Readonly<Record<Step, string>> = { quotes: '行情', events: '公告', statements: '财报' }
const titleOf = ({ market, day, step }: Key): string => `${marketNames[market]} ${day} ${stepNames[step]}`
const states = { published: '已发布', unchanged: '与已有数据相同，无需更新', refused: '未发布，已有数据保持不变' } as const

function reportOf(key: Key, made: Made, state: keyof typeof states, notes: readonly string[]): string {
  const unit = key.step === 'statements' ? '份' : '行'
  const left = made.quarantined > 0 ? `，隔离 ${made.quarantined} ${unit}` : ''
  return [
    `${titleOf(key)}：${states[state]}。共 ${made.rows} ${unit}${left}。`,
    ...made.findings.flatMap(findingLines),
    ...notes.map((text) => `说明：${text}`),
  ].join('\n')
}
