/**
 * The days that are missing, one after the other, of each market. Stocks first: bonds are joined with them. Within a market a day that
 * waits or is refused ends the walk, because nothing may be put behind a gap.
 */

import { type Kysely, sql } from 'kysely'
import { tryAdvisoryLock } from '../../db/advisory-lock.ts'
import { locks } from '../../db/locks.ts'
import type { DayPart } from '../../db/tables/day-parts.ts'
import type { Database } from '../../db/tables.ts'
import { addDays, isTradingDay, tradingDays } from '../../market/calendar.ts'
import { snapshotLabels } from '../../market/manifest.ts'
import { hasDependents, rulesOf } from '../../market/market-rules.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'
import { readAll } from './answers.ts'
import { stepOfPart } from './day-parts.ts'
import { baseOf, type IngestDeps, type Ingested, ingestDay, keepFactors } from './ingest-day.ts'
import { ingestOrder } from './ingest-order.ts'
import { ingestRules } from './ingest-rules.ts'
import { noteAsked, openParts } from './part-rows.ts'
import { type Step, steps } from './questions.ts'
import { rowOf } from './step-rows.ts'

export interface IngestRequest {
  readonly kinds?: readonly SnapshotKind[]
  /** The last day that may be asked for. */
  readonly through: string
  /** One day alone, asked anew: a correction, or a day that was held back. */
  readonly day?: string
  /** Where a market that has nothing yet begins. */
  readonly from?: string
  readonly steps?: readonly Step[]
  /** Asked of everybody, also where nothing should have changed: names of all times, all conversion prices. */
  readonly all?: boolean
  /** Asked by the clock: what an operator took back stays as it is, also where it is asked for by its day. */
  readonly byClock?: boolean
  /** Of the day only these parts. */
  readonly parts?: ReadonlySet<DayPart>
  readonly onDay?: (ingested: Ingested) => void
}

/** Ingests what is missing. @returns a report for each step that was done, in their order */
export async function ingest(deps: IngestDeps, request: IngestRequest): Promise<Ingested[]> {
  const { kinds = ingestOrder, onDay = () => {} } = request
  const again = request.day !== undefined
  const { byClock = false, parts } = request
  const manner = { again, beside: byClock, evenHeld: again && !byClock, all: request.all ?? false, ...(parts && { parts }) }
  const done: Ingested[] = []
  const report = (ingested: Ingested) => {
    done.push(ingested)
    onDay(ingested)
  }
  /** Days whose shares changed, for the bonds beside them. */
  const changed = new Set<string>()
  /** Days of which something was learned for those before. */
  const learned: Ingested[] = []
  const kindsInOrder = ingestOrder.filter((each) => kinds.includes(each))
  for (const kind of kindsInOrder) {
    const walk = async (lost: AbortSignal) => {
      const held = whileHeld(deps, lost)
      if (rulesOf(kind)?.issuerMarket)
        for (const day of [...changed].sort()) for (const each of await madeAgain(held, kind, day)) report(each)
      const refused = request.day === undefined ? null : await refusalOf(held.db, kind, request.day)
      if (refused) {
        done.push(refused)
        return onDay(refused)
      }
      // A death after the bars leaves an evening open, which no missing day tells of.
      const open = request.day === undefined ? await openEvening(held.db, kind, request.steps ?? steps) : []
      for (const { day, step } of open) {
        const ingested = await ingestDay(held, kind, day, step)
        done.push(ingested)
        onDay(ingested)
      }
      for (const day of await daysFor(held.db, kind, request)) {
        let isThere = true
        for (const step of steps) {
          // What the evening tells may be what a refused day lacks: it is asked at once, and the day made again.
          const isRepair = !isThere && step === 'events'
          if (!((request.steps ?? steps).includes(step) || isRepair) || ingestRules[kind].questions[step].length === 0) continue
          if (held.signal.aborted || (isRepair && !(await mayRepair(held.db, kind, day)))) return
          const ingested = await ingestDay(held, kind, day, step, isRepair ? { ...manner, all: true, parts: repaired } : manner)
          report(ingested)
          for (const each of await settledBefore(held, ingested)) {
            report(each)
            changed.add(each.day)
          }
          if (ingested.learnedSince !== undefined) learned.push(ingested)
          // Announcements that did not come keep no bars back.
          if (step === 'quotes' && ingested.state === 'waiting') return
          if (step === 'quotes' || isRepair) isThere = ingested.state !== 'refused' && ingested.state !== 'waiting'
          if (!isThere && (step === 'events' || ingestRules[kind].questions.events.length === 0)) return
          // Only what repairs was asked for: now the evening itself, where it is wanted.
          if (isRepair && (request.steps ?? steps).includes(step))
            report(await ingestDay(held, kind, day, step, { ...manner, again: true }))
        }
        if (!isThere) return
      }
    }
    // A second process has nothing to do: the first one holds the lock.
    if (!(await tryAdvisoryLock(deps.db, locks.ingest, walk, ingestOrder.indexOf(kind))))
      throw new IngestBusy(`${snapshotLabels[kind]}正在由另一个进程采集`)
  }
  // A year of days takes minutes: it keeps no market of the day waiting.
  changed.clear()
  for (const kind of kindsInOrder) {
    const remake = async (lost: AbortSignal) => {
      const held = whileHeld(deps, lost)
      if (rulesOf(kind)?.issuerMarket)
        for (const day of [...changed].sort()) for (const each of await madeAgain(held, kind, day)) report(each)
      for (const each of learned.filter((day) => day.kind === kind)) {
        for (const again of await learnedBefore(held, each)) {
          report(again)
          if (hasDependents(kind)) changed.add(again.day)
        }
      }
    }
    const isDue = learned.some((day) => day.kind === kind) || (rulesOf(kind)?.issuerMarket != null && changed.size > 0)
    if (isDue && !(await tryAdvisoryLock(deps.db, locks.ingest, remake, ingestOrder.indexOf(kind))))
      throw new IngestBusy(`${snapshotLabels[kind]}正在由另一个进程采集，此前各日没有补上新得知的资料`)
  }
  return done
}

/** Where the lock is lost the day is another's, and this one ends as at a stop. */
const whileHeld = (deps: IngestDeps, lost: AbortSignal): IngestDeps => ({ ...deps, signal: AbortSignal.any([deps.signal, lost]) })

/** Days before that are made again because factors of theirs have become known, the newest first. */
async function settledBefore(deps: IngestDeps, { settles }: Ingested): Promise<Ingested[]> {
  const done: Ingested[] = []
  for (let next = settles; next && (await keepFactors(deps, next)); ) {
    const ingested = await ingestDay(deps, 'stk', next.day, 'quotes', { again: true, parts: new Set() })
    if (ingested.state === 'published') done.push(ingested)
    next = ingested.settles
  }
  return done
}

/** Days before that are made again because of something that is known since of securities that they have; those that changed. */
async function learnedBefore(deps: IngestDeps, { kind, day, learnedSince: since }: Ingested): Promise<Ingested[]> {
  const done: Ingested[] = []
  if (since === undefined) return done
  for (const before of await ingestedDays(deps.db, kind, since, day)) {
    if (deps.signal.aborted) break
    done.push(...(await madeAgain(deps, kind, before)).filter(({ state }) => state === 'published'))
  }
  return done
}

/** Days of a market that were published of sources, from one day to before another one, ascending. */
export async function ingestedDays(db: Kysely<Database>, kind: SnapshotKind, from: string, before: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ingest_step')
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .where('market', '=', kind)
    .where('step', '=', 'quotes')
    .where('state', '=', 'published')
    .where('day', '>=', from)
    .where('day', '<', before)
    .orderBy('ingest_step.day')
    .execute()
  return rows.map(({ day }) => day)
}

/** A published day made again of what is kept; nothing where it was not ingested, or its answers are not kept any more. */
async function madeAgain(deps: IngestDeps, kind: SnapshotKind, day: string): Promise<Ingested[]> {
  const row = await rowOf(deps.db, { market: kind, day, step: 'quotes' })
  const isKept = row?.state === 'published' && (await readAll(deps.dataDir, row.answers)) !== null
  return isKept ? [await ingestDay(deps, kind, day, 'quotes', { again: true, parts: new Set() })] : []
}

export interface OpenPartsRequest {
  readonly from: string
  readonly to: string
  readonly steps: readonly Step[]
  /** Parts that were asked for at this time or later are not asked for again. */
  readonly since: Date
}

/** Asks for the parts of published days that are open, and makes the days again of what comes. @returns what was done, in its order */
export async function ingestOpenParts(deps: IngestDeps, { from, to, steps: wanted, since }: OpenPartsRequest): Promise<Ingested[]> {
  const done: Ingested[] = []
  const changed = new Set<string>()
  for (const kind of ingestOrder) {
    const walk = async (lost: AbortSignal) => {
      const held = whileHeld(deps, lost)
      const open = (await openParts(held.db, from, to)).filter((each) => each.market === kind && !each.closed && each.askedAt < since)
      const days = new Set([...open.map(({ day }) => day), ...(rulesOf(kind)?.issuerMarket ? changed : [])])
      for (const day of [...days].sort()) {
        for (const step of wanted) {
          const parts = new Set(open.flatMap((each) => (each.day === day && stepOfPart[each.part] === step ? [each.part] : [])))
          const isRemade = step === 'quotes' && rulesOf(kind)?.issuerMarket != null && changed.has(day)
          if (held.signal.aborted) return
          if (parts.size === 0) {
            if (isRemade) done.push(...(await madeAgain(held, kind, day)))
            continue
          }
          const ingested = await ingestDay(held, kind, day, step, { again: true, parts })
          await noteAsked(held.db, { market: kind, day }, [...parts], held.now?.() ?? new Date())
          done.push(ingested, ...(await settledBefore(held, ingested)))
          if (hasDependents(kind) && ingested.state === 'published') changed.add(day)
        }
      }
    }
    if (!(await tryAdvisoryLock(deps.db, locks.ingest, walk, ingestOrder.indexOf(kind))))
      throw new IngestBusy(`${snapshotLabels[kind]}正在由另一个进程采集`)
  }
  return done
}

/** Trading days that a market lacks, ascending. Days that an operator took back are not asked for by themselves. */
async function missingDays(db: Kysely<Database>, kind: SnapshotKind, through: string, from?: string): Promise<string[]> {
  const base = await baseOf(db, kind)
  const first = base ? addDays(base.lastDate, 1) : from
  if (first === undefined) return []
  const firstRolledBack = await db
    .selectFrom('ingest_step')
    .select((row) => row.fn.min<string>(sql`to_char(day, 'YYYY-MM-DD')`).as('day'))
    .where('market', '=', kind)
    .where('state', '=', 'held')
    .where('day', '>=', first)
    .executeTakeFirst()
  return tradingDays(first, through).filter((day) => firstRolledBack?.day == null || day < firstRolledBack.day)
}

/** Why a day cannot be asked for by itself: it has no place in what is published, or one before it is missing. */
async function refusalOf(db: Kysely<Database>, kind: SnapshotKind, day: string): Promise<Ingested | null> {
  const base = await baseOf(db, kind)
  if (!base || isTradingDay(day) !== true) return null
  const [next] = tradingDays(addDays(base.lastDate, 1), day)
  const why =
    day < base.firstDate
      ? `数据从 ${base.firstDate} 开始，不能在它之前补`
      : next !== undefined && next < day
        ? `数据到 ${base.lastDate}，须先采集 ${next}，中间不能空缺`
        : null
  return why === null
    ? null
    : { kind, day, step: 'quotes', state: 'refused', text: `${snapshotLabels[kind]} ${day}：${why}`, snapshot: null }
}

async function daysFor(db: Kysely<Database>, kind: SnapshotKind, { day, through, from }: IngestRequest): Promise<string[]> {
  if (day === undefined) return missingDays(db, kind, through, from)
  // One day alone begins no market.
  return isTradingDay(day) !== true || day > through || (await baseOf(db, kind)) === null ? [] : [day]
}

/** What of the evening may help a day that is refused, and how often it is asked for: each bond may cost a call, and the day is tried every five minutes. */
const repaired: ReadonlySet<DayPart> = new Set(['prices', 'announcements'])
const mostRepairs = 2

/** Whether the evening may help a day that is refused; one that was published before goes on as it was. */
async function mayRepair(db: Kysely<Database>, market: SnapshotKind, day: string): Promise<boolean> {
  const base = await baseOf(db, market)
  if (base && day <= base.lastDate) return false
  // Bonds that wait for their shares lack nothing that an evening tells.
  const issuerMarket = rulesOf(market)?.issuerMarket
  const shares = issuerMarket ? await rowOf(db, { market: issuerMarket, day, step: 'quotes' }) : undefined
  if (shares && shares.state !== 'published') return false
  const row = await db
    .selectFrom('ingest_step')
    .select('tries')
    .where('market', '=', market)
    .where('day', '=', day)
    .where('step', '=', 'events')
    .executeTakeFirst()
  return (row?.tries ?? 0) < mostRepairs
}

/** The steps of the newest day's evening that were not done while its bars were ingested. */
async function openEvening(db: Kysely<Database>, kind: SnapshotKind, wanted: readonly Step[]): Promise<{ day: string; step: Step }[]> {
  const base = await baseOf(db, kind)
  if (!base) return []
  const rows = await db
    .selectFrom('ingest_step')
    .select(['step', 'state'])
    .where('market', '=', kind)
    .where('day', '=', base.lastDate)
    .execute()
  const stateOf = (step: Step) => rows.find((row) => row.step === step)?.state
  if (!['published', 'asked'].includes(stateOf('quotes') ?? '')) return []
  return wanted
    .filter(
      (step) =>
        step !== 'quotes' && ingestRules[kind].questions[step].length > 0 && [undefined, 'asked', 'waiting'].includes(stateOf(step)),
    )
    .map((step) => ({ day: base.lastDate, step }))
}

/** Another process is at it. */
export class IngestBusy extends Error {}
