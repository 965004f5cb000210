/**
 * When the days are asked for, by the clock of Shanghai. A step that is not complete fails its job, and the queue tries it again every five
 * minutes until the next morning, be that of a holiday. Whatever was missed is caught up with: a run takes all missing days.
 */

import { shanghaiDate } from '../../base/time.ts'
import { addDays, calendarEnd, isTradingDay, lastClosedDay, tradingDays } from '../../market/calendar.ts'
import { checkSnapshot } from '../../market/check-snapshot.ts'
import { findingLines } from '../../market/import/report-text.ts'
import { snapshotLabels } from '../../market/manifest.ts'
import { askForYears } from '../calendar.ts'
import { roundHours } from '../round-hours.ts'
import { partsOf, stepOfPart } from './day-parts.ts'
import { ingest, ingestOpenParts } from './ingest.ts'
import { baseOf, type IngestDeps, type Ingested } from './ingest-day.ts'
import { ingestOrder } from './ingest-order.ts'
import { closeParts, partsOn } from './part-rows.ts'
import type { Step } from './questions.ts'

const rounds = ['morning', 'quotes', 'events', 'statements', 'check', 'calendar'] as const
export type Round = (typeof rounds)[number]

/** What was open the evening before at 08:45, bars from 16:30 on, announcements at 18:00 and once more at 20:00, when most have come and statements too, on Saturdays all of it looked through; the calendar's next year before the day and after it. */
export const schedules: readonly { readonly round: Round; readonly key: string; readonly cron: string }[] = [
  { round: 'morning', key: 'morning', cron: '45 8 * * 1-5' },
  { round: 'quotes', key: 'quotes', cron: '30 16 * * 1-5' },
  { round: 'events', key: 'events', cron: '0 18 * * 1-5' },
  { round: 'statements', key: 'statements', cron: '0 20 * * 1-5' },
  { round: 'check', key: 'check', cron: '0 10 * * 6' },
  { round: 'calendar', key: 'calendar', cron: '30 8,21 * * *' },
]

const stepsOf: Readonly<Record<Exclude<Round, 'check' | 'calendar' | 'morning'>, readonly Step[]>> = {
  quotes: ['quotes'],
  events: ['quotes', 'events'],
  statements: ['quotes', 'events', 'statements'],
}
/** Days that the weekly check asks for anew, to find corrections. */
const askedAgain = 5

/** For so many trading days behind its day a part may still come: four Saturdays. */
const mayComeDays = 20

/** When a round began that may have been tried again since, past midnight too. */
function beganAt(round: keyof typeof roundHours, now: Date): Date {
  const today = new Date(`${shanghaiDate(now)}T${roundHours[round]}:00+08:00`)
  return today <= now ? today : new Date(today.getTime() - 86_400_000)
}

/** By so much the clock of the database, by which the queue begins a round, may be ahead of the own one. */
const ahead = 5 * 60_000

/** A clock that is not before the hour of the round that was begun. */
function clockFrom(round: Round, now: () => Date): () => Date {
  if (round === 'calendar') return now
  const began = beganAt(round, new Date(now().getTime() + ahead))
  return () => new Date(Math.max(now().getTime(), began.getTime()))
}

export interface IngestRoundDeps extends IngestDeps {
  readonly now: () => Date
  readonly log: (event: string, details: Record<string, unknown>) => void
}

/** The day is not complete: the round is tried again. */
export class IngestIncompleteError extends Error {}

/**
 * Does what is due.
 * @throws Incomplete with a Chinese sentence for each market that waits or was refused
 */
export async function doRound(given: IngestRoundDeps, round: Round): Promise<void> {
  const deps = { ...given, now: clockFrom(round, given.now) }
  const now = deps.now()
  // Nothing else can be done on a day that is in no calendar: then every round asks for it.
  if (round === 'calendar' || isTradingDay(shanghaiDate(now)) === null)
    for (const { year, source, why } of await askForYears(deps)) deps.log('calendar asked', { year, source, why })
  if (round === 'calendar') return
  const through = lastClosedDay(now)
  if (isTradingDay(shanghaiDate(now)) === null) throw new IngestIncompleteError(calendarEnd())
  if (round === 'check') return check(deps, through)
  if (round === 'morning') {
    // Of the trading day before, on the next one.
    if (isTradingDay(shanghaiDate(now)) === true) await askOpenParts(deps, round, { from: through, to: through })
    return
  }
  const done = await ingest(deps, { through, steps: stepsOf[round] })
  // On a holiday nothing closes, but the day before it may still be missing.
  const isOpen = isTradingDay(shanghaiDate(now)) === true
  if (isOpen && round !== 'quotes') {
    await askOpenParts(deps, round, { from: through, to: through, steps: ['quotes'] })
    for (const step of stepsOf[round])
      if (step !== 'quotes') done.push(...(await eveningOf(deps, through, step, done, beganAt(round, now))))
  }
  for (const { kind, day, step, state } of done) deps.log('ingested', { kind, day, step, state })
  // A day that was refused and then made again in the same round is there.
  const open = done.filter(({ kind, day, step, state }, i) => {
    const isRepaired = done.slice(i).some((each) => each.kind === kind && each.day === day && each.snapshot !== null)
    return (state === 'waiting' || state === 'refused') && !(step === 'quotes' && isRepaired)
  })
  if (open.length > 0) throw new IngestIncompleteError(open.map(({ text }) => text.split('\n')[0]).join('\n'))
}

/** Open parts of days asked for once a round; that they stay open fails no round, else they would be asked for every five minutes. */
async function askOpenParts(
  deps: IngestRoundDeps,
  round: keyof typeof roundHours,
  { from, to, steps = ['quotes', 'events'] }: { from: string; to: string; steps?: readonly Step[] },
): Promise<void> {
  for (const { kind, day, step, state } of await ingestOpenParts(deps, { from, to, steps, since: beganAt(round, deps.now()) }))
    deps.log('open parts asked', { kind, day, step, state })
}

/** A step of an evening whose bars are there already, of the markets that have not done it in this round: of announcements what is open. */
async function eveningOf(deps: IngestRoundDeps, day: string, step: Step, done: readonly Ingested[], since: Date): Promise<Ingested[]> {
  const evening: Ingested[] = []
  for (const kind of ingestOrder) {
    const isDone = done.some((each) => each.kind === kind && each.step === step)
    if (isDone || (await baseOf(deps.db, kind))?.lastDate !== day) continue
    const request = { byClock: true, through: day, day, kinds: [kind], steps: [step] }
    const known = step === 'events' ? (await partsOn(deps.db, kind, day)).filter(({ part }) => stepOfPart[part] === step) : []
    const parts = new Set(known.filter(({ state, askedAt }) => state !== 'whole' && askedAt < since).map(({ part }) => part))
    // Without a word on the evening it has not been asked for: a repair of the afternoon asked for prices and announcements alone.
    const said = partsOf(kind, deps.chain).has('sizes') ? 'sizes' : 'announcements'
    const isAsked = known.some(({ part }) => part === said)
    if (!isAsked) evening.push(...(await ingest(deps, request)))
    else if (parts.size > 0) evening.push(...(await ingest(deps, { ...request, parts })))
  }
  return evening
}

/** Every file and row once more, the last days asked for anew, and what the week still lacks. */
async function check(deps: IngestRoundDeps, through: string): Promise<void> {
  const faults: string[] = []
  const mayCome = tradingDays(addDays(through, -3 * mayComeDays), through).slice(-mayComeDays)
  await askOpenParts(deps, 'check', { from: mayCome[0] ?? through, to: through })
  for (const { market: kind, day, part } of await closeParts(deps.db, mayCome[0] ?? through)) deps.log('part given up', { kind, day, part })
  const missed = await ingest(deps, { through, steps: stepsOf.events })
  for (const { kind, day, step, state } of missed) deps.log('ingested', { kind, day, step, state })
  for (const kind of ingestOrder) {
    const before = await baseOf(deps.db, kind)
    if (!before) continue
    const from = addDays(before.lastDate, -3 * askedAgain)
    const days = tradingDays(from, before.lastDate)
      .slice(-askedAgain)
      .filter((day) => day >= before.firstDate)
    // What holds since some day of the week is known before the days are made again.
    await ingest(deps, { byClock: true, through, day: before.lastDate, kinds: [kind], steps: ['events'], all: true })
    for (const day of days) await ingest(deps, { byClock: true, through, day, kinds: [kind], steps: ['quotes'], all: day === days[0] })
    await ingest(deps, { byClock: true, through, day: before.lastDate, kinds: [kind], steps: ['statements'], all: true })
    const { findings, files, rows } = await checkSnapshot(deps.dataDir, (await baseOf(deps.db, kind))!)
    deps.log('checked', { kind, files, rows, findings: findings.length })
    faults.push(
      ...findings.filter(({ level }) => level !== 'warning').flatMap((finding) => [snapshotLabels[kind], ...findingLines(finding)]),
    )
  }
  if (faults.length > 0) throw new IngestIncompleteError(faults.join('\n'))
}
