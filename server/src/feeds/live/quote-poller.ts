/**
 * Quote poller: while prices may change, the worker that holds the lock polls quotes for all processes and stores them where every process finds
 * them (`quote-store.ts`). A source that gives nothing leaves the last quotes as they are, with their time.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { marketIds } from '@convexa/contract/enums/market'
import type { Kysely } from 'kysely'
import { shanghaiDate } from '../../base/time.ts'
import { tryAdvisoryLock } from '../../db/advisory-lock.ts'
import { locks } from '../../db/locks.ts'
import type { Database } from '../../db/tables.ts'
import { addDays, tradingDays } from '../../market/calendar.ts'
import { keptChanges } from '../../market/code-changes.ts'
import { type Renames, renamesUpTo } from '../../market/import/renames.ts'
import { snapshotKinds } from '../../market/manifest.ts'
import { readSecurities } from '../../market/read-store.ts'
import { newestSnapshot, readManifest, type Snapshot, snapshotPath } from '../../market/snapshot.ts'
import type { Chain } from '../chain.ts'
import { FeedError } from '../feed.ts'
import { lastCloses } from '../ingest/factors.ts'
import { readPast } from '../ingest/past.ts'
import { isLive, isOpen, isStale, type Phase, phaseAt } from '../session.ts'
import { type PreviousCloses, previousCloses } from './previous-close.ts'
import { keepTape, newestOf, type QuoteSnapshot, readTape, taped } from './quote-store.ts'

export interface QuotePollerDeps {
  readonly db: Kysely<Database>
  readonly dataDir: string
  readonly chain: Pick<Chain, 'ask'>
  now(): Date
}

export interface QuotePoller {
  close(): Promise<void>
}

/** Screens are kept for three seconds; sources that may be asked less often pace themselves. `restMs`: while nothing changes, or somebody else asks. */
const usual = { everyMs: 3_000, restMs: 5_000 }
const askMs = 10_000
/** A lock whose connection broke is another's: it is taken anew after so long. */
const turnMs = 60_000

export function startQuotePoller(
  deps: QuotePollerDeps,
  log: (event: string, details: Record<string, unknown>) => void,
  pace = usual,
): QuotePoller {
  const stop = new AbortController()
  const wait = (ms: number) => sleep(ms, undefined, { signal: stop.signal, ref: false }).catch(() => {})
  const done = (async () => {
    while (!stop.signal.aborted) {
      const turn = (lost: AbortSignal) => tickOn(deps, { pace, signal: AbortSignal.any([stop.signal, lost]), wait }, log)
      await tryAdvisoryLock(deps.db, locks.ticker, turn).catch((error: unknown) => log('quotes not kept', { err: error }))
      await wait(pace.restMs)
    }
  })()
  return {
    async close() {
      stop.abort()
      await done
    },
  }
}

/** Asks again and again for a turn. */
async function tickOn(
  deps: QuotePollerDeps,
  { pace, signal, wait }: { pace: typeof usual; signal: AbortSignal; wait(ms: number): Promise<unknown> },
  log: (event: string, details: Record<string, unknown>) => void,
): Promise<void> {
  const codesOf = watchedCodes(deps)
  const closes = storedCloses(deps)
  let storedClose: (code: string) => number = () => Number.NaN
  const previous = previousCloses(
    deps.chain,
    (code) => storedClose(code),
    log,
    () => deps.now().getTime(),
  )
  const changes = (await keptChanges(deps.db)).map(({ change }) => change)
  let silent = ''
  let tape = (await readTape(deps.db))?.tape ?? null
  const until = performance.now() + turnMs
  while (!signal.aborted && performance.now() < until) {
    if (!isWanted(tape, deps.now())) {
      await wait(pace.restMs)
      continue
    }
    storedClose = await closes(shanghaiDate(deps.now()))
    const outcome = await tick(deps, await codesOf(), tape, signal, renamesUpTo(changes, shanghaiDate(deps.now())), previous)
    if (outcome instanceof FeedError) {
      if (outcome.message !== silent) log('no quotes', { why: outcome.message })
      silent = outcome.message
      await wait(Math.max(pace.everyMs, Math.min(outcome.waitMs, 60_000)))
      continue
    }
    silent = ''
    tape = outcome ?? tape
    await wait(outcome ? pace.everyMs : pace.restMs)
  }
}

/** Whether there may be newer quotes than those of the tape: prices may change, or have changed since it was made. */
export function isWanted(tape: QuoteSnapshot | null, now: Date): boolean {
  const phase = phaseAt(now)
  if (!isOpen(phase)) return false
  if (isLive(phase) || tape === null) return true
  const end = ends[phase]
  if (!end) return isStale(newestOf(tape), now)
  const over = Date.parse(`${shanghaiDate(now)}T${end}+08:00`)
  // Not all have their last price as soon as the first has: of the closing auction they come one after the other.
  return newestOf(tape) < over || now.getTime() < over + lateMs
}

const lateMs = 3 * 60_000
/** The last prices of a session are made at its end, or after: the closing auction's. */
const ends: Readonly<Partial<Record<Phase, string>>> = { lunch: '11:30:00', settling: '15:00:00' }

/** One question. On the day on which a code changes the data are still those of the evening before: quotes of the new code are kept under the stored one. null: there is nobody to ask about, or the answer is of another day; FeedError: nobody answered. */
export async function tick(
  { db, chain, now }: QuotePollerDeps,
  codes: readonly string[],
  before: QuoteSnapshot | null,
  signal: AbortSignal,
  renames: Renames = new Map(),
  previous: PreviousCloses | null = null,
): Promise<QuoteSnapshot | FeedError | null> {
  if (codes.length === 0) return null
  const stored = new Map([
    ...codes.map((code) => [renames.get(code) ?? code, code] as const),
    ...codes.map((code) => [code, code] as const),
  ])
  const currentCodes = [...new Set(codes.map((code) => renames.get(code) ?? code))].sort()
  try {
    const asking = { signal: AbortSignal.any([signal, AbortSignal.timeout(askMs)]) }
    const answered = await chain.ask('quotes', { codes: currentCodes }, asking)
    const { answer: given, from } = previous ? await previous.settle(answered, { codes: currentCodes }, asking) : answered
    const answer = { ...given, codes: given.codes.map((code) => stored.get(code) ?? code) }
    if (answer.date !== shanghaiDate(now())) return null
    const tape = taped(before, answer, now().getTime())
    if (tape.codes.length === 0) return null
    await keepTape(db, tape, from)
    return tape
  } catch (error) {
    if (error instanceof FeedError) return error
    throw error
  }
}

/** Closes of the trading day before a day, by code, where that day is the newest that is stored; NaN elsewhere. */
function storedCloses({ db, dataDir }: Pick<QuotePollerDeps, 'db' | 'dataDir'>): (today: string) => Promise<(code: string) => number> {
  const known = new Map<string, (code: string) => number>()
  return async (today) => {
    const all: ((code: string) => number)[] = []
    for (const kind of marketIds) {
      const snapshot = await newestSnapshot(db, kind)
      if (!snapshot || isSynthetic(snapshot.dataMode)) continue
      // One day less: a close of longer ago is nobody's previous one.
      if (tradingDays(addDays(snapshot.lastDate, 1), today)[0] !== today) continue
      const closes = known.get(snapshot.id) ?? lastCloses(await readPast(dataDir, snapshot, today))
      if (!known.has(snapshot.id)) known.set(snapshot.id, closes)
      all.push(closes)
    }
    return (code) => all.reduce((found, closes) => (found === found ? found : closes(code)), Number.NaN)
  }
}

/** Codes of all that is listed in the newest data, of the stocks behind bonds and of the indices; demo data are not quoted. */
export function watchedCodes({ db, dataDir }: Pick<QuotePollerDeps, 'db' | 'dataDir'>): () => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>()
  const read = async (snapshot: Snapshot): Promise<readonly string[]> => {
    const folder = snapshotPath(dataDir, snapshot)
    const manifest = await readManifest(folder, snapshot.manifestSha256)
    const securities = await readSecurities(folder, manifest)
    return securities
      .filter(({ delisted }) => delisted === null || delisted > snapshot.lastDate)
      .flatMap(({ code, issuer }) => (issuer === code ? [code] : [code, issuer]))
  }
  return async () => {
    const all: string[] = []
    for (const kind of snapshotKinds) {
      const snapshot = await newestSnapshot(db, kind)
      if (!snapshot || isSynthetic(snapshot.dataMode)) continue
      const codes = known.get(snapshot.id) ?? (await read(snapshot))
      known.set(snapshot.id, codes)
      all.push(...codes)
    }
    return [...new Set(all)].sort()
  }
}
